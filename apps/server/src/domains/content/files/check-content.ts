import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { FileFormat } from '@atrium/rules/file-kinds'
import { fileTypeFromFile } from 'file-type'
import { fail } from '#platform/http/errors.ts'
import { ArchiveError, checkZip } from '#platform/storage/check-zip.ts'

/**
 * Checks that a file's content matches its name.
 * @throws file.content_mismatch, file.archive_refused
 */
export async function checkContent(file: string, format: FileFormat): Promise<void> {
  if (format.looksLike.length === 0) return checkText(file)
  // First of all: the detector below also unpacks archives.
  await checkUnpacked(file, format)
  const found = await fileTypeFromFile(file).catch(() => undefined)
  const media: string | undefined = found?.mime.replace(/;.*/, '')
  if (!media || !format.looksLike.includes(media)) fail('file.content_mismatch')
}

/** Checks that a ZIP file is safe to unpack. @throws file.archive_refused */
export async function checkUnpacked(file: string, format: FileFormat | undefined): Promise<void> {
  if (!(await startsAsZip(file))) return
  try {
    // Archives may be encrypted; documents may not, as they have to open for the PDF conversion.
    await checkZip(file, { encrypted: format?.kind === 'archive' })
  } catch (error) {
    if (error instanceof ArchiveError) fail('file.archive_refused')
    throw error
  }
}

async function startsAsZip(file: string): Promise<boolean> {
  const handle = await open(file)
  const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0).finally(() => handle.close())
  return buffer.toString('latin1') === 'PK'
}

/**
 * A text contains no NUL and is UTF-8, UTF-16 with a byte order mark, or GB18030. The type detector is not used: a text
 * may begin with BM or MZ.
 */
async function checkText(file: string) {
  if (!(await isText(file))) fail('file.content_mismatch')
}

async function isText(file: string): Promise<boolean> {
  const bytes = createReadStream(file, { highWaterMark: 256 * 1024 })
  let decoders: Set<TextDecoder> | undefined
  try {
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      if (!decoders && chunk.toString('latin1', 0, 5) === '%PDF-') return false
      decoders ??= new Set(
        possibleEncodings(chunk).map((name) => new TextDecoder(name, { fatal: true })),
      )
      for (const decoder of decoders) {
        try {
          // NUL is looked for in the text: in UTF-16 it is half of every ASCII character.
          if (decoder.decode(chunk, { stream: true }).includes('\0')) return false
        } catch {
          decoders.delete(decoder)
        }
      }
      if (decoders.size === 0) return false
    }
  } finally {
    bytes.destroy()
  }
  return [...(decoders ?? [])].some((decoder) => {
    try {
      decoder.decode()
      return true
    } catch {
      return false
    }
  })
}

function possibleEncodings(start: Buffer): string[] {
  const mark = start.toString('latin1', 0, 2)
  if (mark === '\xff\xfe') return ['utf-16le']
  if (mark === '\xfe\xff') return ['utf-16be']
  return ['utf-8', 'gb18030']
}
