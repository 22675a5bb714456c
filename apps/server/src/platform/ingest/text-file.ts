import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { StartError } from '#platform/environment.ts'
import { detectEncoding, encodingNamed } from './text-encoding.ts'

/** A text file in UTF-8 with or without a BOM, UTF-16 with one, GB18030 (including GBK and GB2312), or Big5. */
export type TextFile = {
  path: string
  bytes: number
  encoding: string
  /** The decoded text without BOM, with \n line ends. `onRead` receives the number of bytes read so far. */
  chunks: (onRead?: (bytes: number) => void) => AsyncGenerator<string>
}

/**
 * @param stated the encoding, if known
 * @throws StartError if the file cannot be read, is not text, or its encoding is ambiguous
 */
export async function openTextFile(file: string, stated?: string): Promise<TextFile> {
  const bytes = await sizeOf(file)
  const encoding = stated ? encodingNamed(stated) : await detectEncoding(file)
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
          // A chunk may end between the two characters of a CRLF.
          carried = text.endsWith('\r') ? '\r' : ''
          onRead?.(read)
          yield (carried ? text.slice(0, -1) : text).replaceAll('\r\n', '\n')
        }
        yield (carried + decoder.decode()).replaceAll('\r\n', '\n')
      } catch (error) {
        if (!(error instanceof TypeError)) throw error
        throw new StartError(
          `${file} is not a text in ${encoding}. Save it as “CSV UTF-8”, or set its encoding with --encoding.`,
        )
      }
    },
  }
}

/** The whole text. @param maxBytes size limit */
export async function readTextFile(
  file: string,
  maxBytes: number,
  encoding?: string,
): Promise<string> {
  const text = await openTextFile(file, encoding)
  assertSize(text, maxBytes)
  let whole = ''
  for await (const chunk of text.chunks()) whole += chunk
  return whole
}

export function assertSize(
  { path, bytes }: { path: string; bytes: number },
  maxBytes: number,
  instead = '',
) {
  if (bytes <= maxBytes) return
  throw new StartError(
    `${path} has ${Math.ceil(bytes / 1e6)} MB; at most ${maxBytes / 1e6} MB can be read in this form.${instead && ` ${instead}`}`,
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
    throw new StartError(fileIssue(file, error))
  }
}

/** Describes a file error in a sentence. */
export function fileIssue(file: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return `There is no file ${file}.`
  if (code === 'EACCES' || code === 'EPERM') return `${file} may not be used by this user.`
  if (code === 'ENOSPC')
    return `There is no room left where ${file} is. Free some space and try again.`
  return `${file} cannot be used: ${message}.`
}
