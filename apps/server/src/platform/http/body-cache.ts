import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { type Encoding, encodingOf } from './negotiation.ts'

/** A response body with its compressed forms, which are created on first use. */
export type EncodableBody = { plain: Buffer; br?: Buffer; gzip?: Buffer }
/** A response that clients may cache. */
export type EncodedAnswer = EncodableBody & { etag: string }
export type CachedBody = EncodedAnswer & { stamp: number }

export const toEncodedAnswer = (text: string): EncodedAnswer => ({
  // A string with Chinese in it would be encoded on every send, the most expensive step of all.
  plain: Buffer.from(text),
  etag: `"${createHash('sha1').update(text).digest('base64url')}"`,
})

const [brotli, gzipped] = [promisify(brotliCompress), promisify(gzip)]
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
const compress = {
  br: (bytes: Buffer) => brotli(bytes, brotliOptions),
  gzip: (bytes: Buffer) => gzipped(bytes),
}

/** The body in an encoding the client accepts, compressed once. Bodies under 1 KB are not compressed. */
export async function encoded(
  body: EncodableBody,
  acceptEncoding: string,
): Promise<{ encoding?: Encoding; bytes: Buffer }> {
  const encoding = body.plain.length < 1024 ? undefined : encodingOf(acceptEncoding)
  if (encoding === undefined) return { bytes: body.plain }
  body[encoding] ??= await compress[encoding](body.plain)
  return { encoding, bytes: body[encoding] }
}

/** Maximum age: some responses change with time alone (a period begins, a signed URL expires). */
const ttlMs = 60_000

/**
 * Caches bodies by address and audience class. An entry stores the stamp its topics had before the read, so an entry
 * whose topic is invalidated during the read is stale from the start and is read again.
 */
export function openBodyCache(bytes: number) {
  const entries = new LRUCache<string, CachedBody>({
    maxSize: bytes,
    sizeCalculation: (entry, key) => entry.plain.length * 2 + key.length + 500,
    ttl: ttlMs,
  })
  const reading = new Map<string, Promise<CachedBody>>()
  const misses = new LRUCache<string, number>({ max: 50_000, ttl: 60_000, noUpdateTTL: true })
  return {
    /** Counts a response that had to be read for this caller. @returns the count within the current minute */
    countMiss(caller: string): number {
      const count = (misses.get(caller) ?? 0) + 1
      misses.set(caller, count)
      return count
    },
    /** The cached body, if it has this stamp. */
    find(key: string, stamp: number): CachedBody | undefined {
      const entry = entries.get(key)
      return entry?.stamp === stamp ? entry : undefined
    },
    /** Caches the result of `read`; concurrent callers share one read. */
    read(key: string, stamp: number, read: () => Promise<string>): Promise<CachedBody> {
      const shared = `${stamp} ${key}`
      let pending = reading.get(shared)
      if (!pending) {
        pending = read()
          .then((text) => {
            const made = { stamp, ...toEncodedAnswer(text) }
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
