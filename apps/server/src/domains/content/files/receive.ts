import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import path from 'node:path'
import { fail } from '#platform/http/errors.ts'
import type { Part } from '#platform/storage/files.ts'
import { readForm } from './multipart.ts'

/**
 * Streams the only file of a form to disk. An interrupted upload leaves no file behind.
 * @param field the form field of the file
 * @throws file.upload_broken, file.too_large
 */
export async function receiveFile(
  source: AsyncIterable<Buffer>,
  boundary: string,
  { field, folder, maxBytes }: { field: string; folder: string; maxBytes: number },
): Promise<Part & { name: string }> {
  const file = path.join(folder, `${randomUUID()}.part`)
  const hash = createHash('sha256')
  let byteSize = 0
  let name: string | undefined
  let handle: FileHandle | undefined
  let writing = false
  try {
    for await (const event of readForm(source, boundary)) {
      if (event.kind === 'field') {
        writing = event.name === field && event.fileName !== undefined
        if (!writing) continue
        // One file per request: the answer describes one file.
        if (handle) fail('file.upload_broken')
        name = event.fileName
        handle = await open(file, 'wx', 0o600)
      } else if (event.kind === 'bytes' && writing) {
        byteSize += event.bytes.length
        if (byteSize > maxBytes) fail('file.too_large')
        hash.update(event.bytes)
        await handle?.writeFile(event.bytes)
      }
    }
    if (!handle || name === undefined) return fail('file.upload_broken')
    await handle.close()
    return { path: file, sha256: hash.digest('hex'), byteSize, name }
  } catch (error) {
    await handle?.close().catch(() => {})
    await rm(file, { force: true })
    // The sender disconnected.
    if ((error as NodeJS.ErrnoException).code === 'ECONNRESET') fail('file.upload_broken')
    throw error
  }
}

/** A file on disk with its size and hash. */
export async function partOf(file: string): Promise<Part> {
  const hash = createHash('sha256')
  let byteSize = 0
  for await (const bytes of createReadStream(file, { highWaterMark: 256 * 1024 })) {
    hash.update(bytes as Buffer)
    byteSize += (bytes as Buffer).length
  }
  return { path: file, sha256: hash.digest('hex'), byteSize }
}
