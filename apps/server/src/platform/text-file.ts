import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { StartError } from './environment.ts'

/** A text file as an operator has it: UTF-8 with or without a mark, UTF-16 with one, or GB18030 (and GBK, GB2312 in it). */
export type TextFile = {
  path: string
  bytes: number
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'gb18030'
  /** Decoded, without the mark; lines end in \n whatever the file has. `onRead` is told how many bytes were read so far. */
  chunks: (onRead?: (bytes: number) => void) => AsyncGenerator<string>
}

/** @throws StartError when it cannot be read or is no text */
export async function openTextFile(file: string): Promise<TextFile> {
  const bytes = await sizeOf(file)
  const encoding = await detectEncoding(file)
  return {
    path: file,
    bytes,
    encoding,
    async *chunks(onRead) {
      const decoder = new TextDecoder(encoding, { fatal: true })
      let read = 0
      let carried = ''
      try {
        for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) {
          read += (chunk as Buffer).length
          const text = carried + decoder.decode(chunk as Buffer, { stream: true })
          // A chunk may end between the two characters of a line end.
          carried = text.endsWith('\r') ? '\r' : ''
          onRead?.(read)
          yield (carried ? text.slice(0, -1) : text).replaceAll('\r\n', '\n')
        }
        yield (carried + decoder.decode()).replaceAll('\r\n', '\n')
      } catch (error) {
        if (!(error instanceof TypeError)) throw error
        throw new StartError(
          `${file} is not a text in UTF-8 or GB18030. Save it as “CSV UTF-8” and try again.`,
        )
      }
    },
  }
}

/** The whole text. @param most bytes it may have at most */
export async function readTextFile(file: string, most: number): Promise<string> {
  const text = await openTextFile(file)
  assertSize(text, most)
  let whole = ''
  for await (const chunk of text.chunks()) whole += chunk
  return whole
}

export function assertSize(
  { path, bytes }: { path: string; bytes: number },
  most: number,
  instead = '',
) {
  if (bytes <= most) return
  throw new StartError(
    `${path} has ${Math.ceil(bytes / 1e6)} MB; at most ${most / 1e6} MB can be read in this form.${instead && ` ${instead}`}`,
  )
}

export async function sizeOf(file: string): Promise<number> {
  try {
    const found = await stat(file)
    if (!found.isFile()) throw new StartError(`${file} is not a file.`)
    const handle = await open(file)
    await handle.close()
    return found.size
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(fileFault(file, error))
  }
}

/** What is wrong with a file, in a sentence. */
export function fileFault(file: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return `There is no file ${file}.`
  if (code === 'EACCES' || code === 'EPERM') return `${file} may not be used by this user.`
  if (code === 'ENOSPC')
    return `There is no room left where ${file} is. Free some space and try again.`
  return `${file} cannot be used: ${message}.`
}

async function detectEncoding(file: string): Promise<TextFile['encoding']> {
  const handle = await open(file)
  const { buffer, bytesRead } = await handle
    .read(Buffer.alloc(4), 0, 4, 0)
    .finally(() => handle.close())
  const start = buffer.subarray(0, bytesRead).toString('latin1')
  if (start.startsWith('PK\x03\x04') || start.startsWith('\xd0\xcf\x11\xe0')) {
    throw new StartError(
      `${file} is an office document, not a text. Open it and save it as “CSV UTF-8”, then import that file.`,
    )
  }
  if (start.startsWith('\xff\xfe')) return 'utf-16le'
  if (start.startsWith('\xfe\xff')) return 'utf-16be'
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 }))
      decoder.decode(chunk as Buffer, { stream: true })
    decoder.decode()
    return 'utf-8'
  } catch (error) {
    if (error instanceof TypeError) return 'gb18030'
    throw error
  }
}
