import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { Disk } from 'flydrive'
import type { Range } from './pooled-read-stream.ts'

/** Stores bytes under the hex SHA-256 of their content. */
export type Storage = {
  /** The folder or bucket, for display. */
  place: string
  /** Stores bytes, or a local file that is no longer written to, atomically. */
  put: (sha256: string, source: Uint8Array | string, byteSize: number) => Promise<void>
  /** Size in bytes; undefined if there is no such object. */
  size: (sha256: string) => Promise<number | undefined>
  read: (sha256: string, range?: Range) => Readable
  /** `read` for sockets, with reused buffers; see `openPooledRead`. */
  pour: (sha256: string, range?: Range) => Readable
  remove: (sha256: string) => Promise<void>
  /** All objects with their time; `key` is not a SHA-256 for incomplete writes. */
  list: () => AsyncGenerator<{ key: string; at: Date }>
  removeKey: (key: string) => Promise<void>
}

/** Keys in a folder per two hex digits, so that no folder grows large. */
export const keyOf = (sha256: string) => `${sha256.slice(0, 2)}/${sha256}`
/** The SHA-256 of one of our keys, without the folder. */
export const sha256OfKey = (key: string) => /^[0-9a-f]{2}\/([0-9a-f]{64})$/.exec(key)?.[1]

export const openSource = (source: Uint8Array | string) =>
  typeof source === 'string'
    ? createReadStream(source)
    : Readable.from([source], { objectMode: false })

export async function sizeIn(disk: Disk, sha256: string) {
  try {
    return (await disk.getMetaData(keyOf(sha256))).contentLength
  } catch (error) {
    // Distinguish a missing object from an unreachable bucket.
    if (!(await disk.exists(keyOf(sha256)))) return undefined
    throw error
  }
}

export async function* listIn(disk: Disk): AsyncGenerator<{ key: string; at: Date }> {
  let paginationToken: string | undefined
  do {
    const page = await disk.listAll('/', {
      recursive: true,
      ...(paginationToken && { paginationToken }),
    })
    for (const object of page.objects) {
      if (!object.isFile) continue
      const about = await object.getMetaData().catch(() => undefined)
      if (about) yield { key: object.key, at: about.lastModified }
    }
    paginationToken = page.paginationToken
  } while (paginationToken)
}
