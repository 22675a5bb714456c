import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { type Encoding, encodingOf } from './negotiation.ts'

/** An answer as it goes out, with its compressed forms once somebody asked for them. */
export type EncodableBody = { plain: Buffer; br?: Buffer; gzip?: Buffer }
/** One that callers may keep. */
export type KeptAnswer = EncodableBody & { etag: string }
export type CachedBody = KeptAnswer & { stamp: number }

export const toKept = (text: string): KeptAnswer => ({
  // Text with Chinese in it is encoded anew each time it is sent, which costs more than all the rest.
  plain: Buffer.from(text),
  etag: `"${createHash('sha1').update(text).digest('base64url')}"`,
})

const [brotli, gzipped] = [promisify(brotliCompress), promisify(gzip)]
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
const compress = {
  br: (bytes: Buffer) => brotli(bytes, brotliOptions),
  gzip: (bytes: Buffer) => gzipped(bytes),
}

/** The body in an encoding the caller takes, compressed once. Small ones are not worth it. */
export async function encoded(
  body: EncodableBody,
  acceptEncoding: string,
): Promise<{ encoding?: Encoding; bytes: Buffer }> {
  const encoding = body.plain.length < 1024 ? undefined : encodingOf(acceptEncoding)
  if (encoding === undefined) return { bytes: body.plain }
  body[encoding] ??= await compress[encoding](body.plain)
  return { encoding, bytes: body[encoding] }
}

/** Some answers change because time passes (a period begins, a signed address ends): none is kept for longer. */
const keptFor = 60_000

/**
 * Bodies by address and audience class. An entry holds the stamp of its topics from before it was read: when a topic is
 * raised meanwhile, the entry is stale from birth and read again.
 */
export function openBodyCache(bytes: number) {
  const entries = new LRUCache<string, CachedBody>({
    maxSize: bytes,
    sizeCalculation: (entry, key) => entry.plain.length * 2 + key.length + 500,
    ttl: keptFor,
  })
  const reading = new Map<string, Promise<CachedBody>>()
  const misses = new LRUCache<string, number>({ max: 50_000, ttl: 60_000, noUpdateTTL: true })
  return {
    /** Counts an answer that had to be read for a caller. @returns how many there were within a minute */
    countMiss(caller: string): number {
      const count = (misses.get(caller) ?? 0) + 1
      misses.set(caller, count)
      return count
    },
    /** The body under this key, if it is there with this stamp. */
    find(key: string, stamp: number): CachedBody | undefined {
      const entry = entries.get(key)
      return entry?.stamp === stamp ? entry : undefined
    },
    /** Keeps what `read` answers; callers at the same time share one read. */
    read(key: string, stamp: number, read: () => Promise<string>): Promise<CachedBody> {
      const shared = `${stamp} ${key}`
      let pending = reading.get(shared)
      if (!pending) {
        pending = read()
          .then((text) => {
            const made = { stamp, ...toKept(text) }
            entries.set(key, made)
            return made
          })
          .finally(() => reading.delete(shared))
        reading.set(shared, pending)
      }
      return pending
    },
  }
}
export type BodyCache = ReturnType<typeof openBodyCache>
