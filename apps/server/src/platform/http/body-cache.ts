import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'

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

const compress = {
  br: promisify(brotliCompress),
  gzip: promisify(gzip),
}
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/** What a caller says it takes; with `q=0` it says that it does not. */
const naming = (encoding: string) =>
  new RegExp(`(^|,)\\s*${encoding}\\s*(,|$|;(?!\\s*q=0(\\.0*)?\\s*(,|$)))`, 'i')
const taken = { br: naming('br'), gzip: naming('gzip') }

/** The body in an encoding the caller takes, compressed once. Small ones are not worth it. */
export async function encoded(
  body: EncodableBody,
  acceptEncoding: string,
): Promise<{ encoding?: 'br' | 'gzip'; bytes: Buffer }> {
  if (body.plain.length >= 1024) {
    if (taken.br.test(acceptEncoding)) {
      body.br ??= await compress.br(body.plain, brotliOptions)
      return { encoding: 'br', bytes: body.br }
    }
    if (taken.gzip.test(acceptEncoding)) {
      body.gzip ??= await compress.gzip(body.plain)
      return { encoding: 'gzip', bytes: body.gzip }
    }
  }
  return { bytes: body.plain }
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
