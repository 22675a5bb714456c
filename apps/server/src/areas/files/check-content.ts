import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { FileFormat } from '@atrium/rules/file-kinds'
import { fileTypeFromFile } from 'file-type'
import { fail } from '#platform/errors.ts'

/** What an archive may become, told by its own list: enough for any document, not enough to fill a disk. */
const mostUnpacked = 1_000_000_000
const mostEntries = 20_000
/** Text packs twenty to one; what promises a hundred times itself is a bomb. */
const mostRatio = 100
/** Below this the ratio says nothing. */
const smallUnpacked = 20_000_000

/**
 * Whether a file is what its name says.
 * @throws file.content_mismatch, file.archive_refused
 */
export async function checkContent(file: string, format: FileFormat): Promise<void> {
  if (format.looksLike.length === 0) return checkText(file)
  const handle = await open(file)
  try {
    const isZip = (await readAt(handle, 0, 4)).toString('latin1').startsWith('PK')
    // Before anybody looks inside, the detector below too.
    if (isZip) await checkZip(handle)
  } finally {
    await handle.close()
  }
  const found = await fileTypeFromFile(file).catch(() => undefined)
  const media: string | undefined = found?.mime.replace(/;.*/, '')
  if (!media || !format.looksLike.includes(media)) fail('file.content_mismatch')
}

/**
 * A text holds no NUL and is UTF-8, UTF-16 with its mark, or GB18030. What the detector says of it counts for nothing: a
 * letter may begin with BM or MZ.
 */
async function checkText(file: string) {
  if (!(await textEncoding(file))) fail('file.content_mismatch')
}

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'gb18030'

/** What a text is written in; nothing where it is no text. */
async function textEncoding(file: string): Promise<TextEncoding | undefined> {
  const bytes = createReadStream(file, { highWaterMark: 256 * 1024 })
  const candidates = new Map(
    (['utf-8', 'gb18030'] as const).map((name) => [name, new TextDecoder(name, { fatal: true })]),
  )
  let first = true
  try {
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      const mark = chunk.toString('latin1', 0, 2)
      if (first && mark === '\xff\xfe') return 'utf-16le'
      if (first && mark === '\xfe\xff') return 'utf-16be'
      if (first && chunk.toString('latin1', 0, 5) === '%PDF-') return undefined
      first = false
      if (chunk.includes(0)) return undefined
      for (const [name, decoder] of candidates) {
        try {
          decoder.decode(chunk, { stream: true })
        } catch {
          candidates.delete(name)
        }
      }
      if (candidates.size === 0) return undefined
    }
  } finally {
    bytes.destroy()
  }
  for (const [name, decoder] of candidates) {
    try {
      decoder.decode()
      return name
    } catch {}
  }
  return undefined
}

/** Reads a ZIP's own list (APPNOTE 4.3.12, 4.3.16) and nothing else of it. @throws file.archive_refused */
async function checkZip(handle: FileHandle) {
  const { size } = await handle.stat()
  const tailSize = Math.min(size, 65_557)
  const tail = await readAt(handle, size - tailSize, tailSize)
  const end = tail.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  if (end < 0 || tail.length < end + 22) return fail('file.archive_refused')
  const entries = tail.readUInt16LE(end + 10)
  const listSize = tail.readUInt32LE(end + 12)
  const listAt = tail.readUInt32LE(end + 16)
  // More of anything than 32 bits hold (ZIP64) is more than is taken here.
  const tooLarge = entries > mostEntries || listAt === 0xffffffff || listSize > 8_000_000
  if (tooLarge || listAt + listSize > size) fail('file.archive_refused')
  const list = await readAt(handle, listAt, listSize)
  let at = 0
  let unpacked = 0
  for (let entry = 0; entry < entries; entry++) {
    if (at + 46 > list.length || list.readUInt32LE(at) !== 0x02014b50) fail('file.archive_refused')
    const packed = list.readUInt32LE(at + 20)
    const grown = list.readUInt32LE(at + 24)
    if (packed === 0xffffffff || grown === 0xffffffff || packed > size) fail('file.archive_refused')
    unpacked += grown
    at += 46 + list.readUInt16LE(at + 28) + list.readUInt16LE(at + 30) + list.readUInt16LE(at + 32)
  }
  const ratio = unpacked / Math.max(1, size)
  if (unpacked > mostUnpacked || (unpacked > smallUnpacked && ratio > mostRatio))
    fail('file.archive_refused')
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  const { bytesRead } = await handle.read(bytes, 0, length, position)
  return bytes.subarray(0, bytesRead)
}
