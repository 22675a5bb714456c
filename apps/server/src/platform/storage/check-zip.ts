import { createWriteStream } from 'node:fs'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createInflateRaw } from 'node:zlib'
import { limitConcurrency } from '#platform/concurrency.ts'
import { fail } from '#platform/http/errors.ts'

/** An archive that unpacks to too much or is inconsistent. */
export class ArchiveError extends Error {}

/** Maximum unpacked bytes, including nested archives: enough for any document, too little to fill a disk. */
const maxUnpacked = 1_000_000_000
/** Text compresses about 20:1; a ratio above 100 is a zip bomb. */
const maxRatio = 100
/** The ratio is ignored below this size. */
const smallUnpacked = 20_000_000
const maxEntries = 20_000
const maxEntriesInAll = 100_000
/** Nesting limit: a workbook in a letter in a folder of homework, plus one. */
const maxDepth = 4
const maxDirectory = 8_000_000
/** The slowest checks take seconds each, so a longer queue would outlast the requests in it. */
const maxWaiting = 50

type Limits = { unpacked: number; entries: number; encrypted: boolean }
type Entry = {
  name: Buffer
  flags: number
  method: number
  packed: number
  size: number
  localAt: number
}
type Span = { from: number; to: number }

const encryptedFlag = 1
const descriptorFlag = 8

/** One check at a time; otherwise a few small uploads could occupy all threads of the pool. */
const inTurn = limitConcurrency(1, maxWaiting, () => fail('request.too_many', { retryAfter: 30 }))

/**
 * Unpacks a ZIP (and nested ZIPs) without storing anything and counts the bytes: declared sizes cannot be trusted.
 * @param settings.encrypted accept encrypted entries. They cannot be counted, so only where nothing here unpacks them.
 * @param settings.unpacked stricter limit for the unpacked bytes
 * @throws ArchiveError, request.too_many
 */
export function checkZip(
  file: string,
  settings: { encrypted: boolean; unpacked?: number },
): Promise<void> {
  return inTurn(async () => {
    const handle = await open(file)
    try {
      const { size } = await handle.stat()
      const { encrypted, unpacked: max = maxUnpacked } = settings
      const unpacked = Math.min(max, Math.max(smallUnpacked, size * maxRatio))
      await checkArchive(handle, { unpacked, entries: maxEntriesInAll, encrypted }, 1)
    } finally {
      await handle.close()
    }
  })
}

/** Whether the bytes start with a ZIP's magic number. */
const looksLikeZip = (start: Buffer) => start.toString('latin1', 0, 4) === 'PK\x03\x04'

async function checkArchive(handle: FileHandle, limits: Limits, depth: number) {
  if (depth > maxDepth) throw new ArchiveError('archives are nested too deeply')
  const { size } = await handle.stat()
  const { entries, from } = await readDirectory(handle, size)
  if (entries.length > maxEntries || entries.length > limits.entries)
    throw new ArchiveError('too many entries')
  limits.entries -= entries.length
  const spans: Span[] = [{ from, to: size }]
  const data: { entry: Entry; from: number }[] = []
  for (const entry of entries) {
    const at = await checkLocalHeader(handle, entry)
    spans.push({ from: entry.localAt, to: at + entry.packed })
    data.push({ entry, from: at })
  }
  // Before inflating: otherwise entries that share the same few bytes would be inflated a thousand times.
  await checkSpans(handle, spans)
  for (const { entry, from } of data) await checkEntry(handle, entry, from, limits, depth)
}

/** Reads the central directory (APPNOTE 4.3.12 to 4.3.16), including ZIP64. */
async function readDirectory(handle: FileHandle, size: number) {
  const tailSize = Math.min(size, 65_557)
  const tail = await readAt(handle, size - tailSize, tailSize)
  const end = tail.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  // With data after the comment, programs disagree about which end record is valid.
  if (end < 0 || tail.length < end + 22 || end + 22 + tail.readUInt16LE(end + 20) !== tail.length)
    throw new ArchiveError('the end of the directory is missing')
  let count = tail.readUInt16LE(end + 10)
  let length = tail.readUInt32LE(end + 12)
  let from = tail.readUInt32LE(end + 16)
  let to = size - tailSize + end
  if (end >= 20 && tail.readUInt32LE(end - 20) === 0x07064b50) {
    to = number64(tail, end - 20 + 8)
    const record = await readAt(handle, to, 56)
    if (record.length < 56 || record.readUInt32LE(0) !== 0x06064b50)
      throw new ArchiveError('the ZIP64 end of the directory is missing')
    count = number64(record, 32)
    length = number64(record, 40)
    from = number64(record, 48)
  }
  if (length > maxDirectory || from + length !== to)
    throw new ArchiveError('the directory is not before its end')
  const bytes = await readAt(handle, from, length)
  const entries: Entry[] = []
  let at = 0
  while (at < bytes.length) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== 0x02014b50)
      throw new ArchiveError('the directory cannot be read')
    const extraAt = at + 46 + bytes.readUInt16LE(at + 28)
    const commentAt = extraAt + bytes.readUInt16LE(at + 30)
    const entryEnd = commentAt + bytes.readUInt16LE(at + 32)
    if (entryEnd > bytes.length) throw new ArchiveError('the directory cannot be read')
    const name = bytes.subarray(at + 46, extraAt)
    const extra = bytes.subarray(extraAt, commentAt)
    const [entrySize, packed, localAt] = wideNumbers(extra, [
      bytes.readUInt32LE(at + 24),
      bytes.readUInt32LE(at + 20),
      bytes.readUInt32LE(at + 42),
    ]) as [number, number, number]
    entries.push({
      name,
      flags: bytes.readUInt16LE(at + 8),
      method: bytes.readUInt16LE(at + 10),
      packed,
      size: entrySize,
      localAt,
    })
    at = entryEnd
  }
  if (entries.length !== count)
    throw new ArchiveError('the directory has a wrong number of entries')
  return { entries, from }
}

/** Resolves 32-bit numbers marked as ZIP64, whose values are in the extra field, in this order (APPNOTE 4.5.3). */
function wideNumbers(extra: Buffer, narrow: readonly number[]): number[] {
  let wide: Buffer = Buffer.alloc(0)
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2))
    if (extra.readUInt16LE(at) === 1)
      wide = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2))
  let at = 0
  return narrow.map((number) => {
    if (number !== 0xffffffff) return number
    if (at + 8 > wide.length) throw new ArchiveError('a ZIP64 number is missing')
    at += 8
    return number64(wide, at - 8)
  })
}

function number64(bytes: Buffer, at: number): number {
  const number = Number(bytes.readBigUInt64LE(at))
  if (!Number.isSafeInteger(number)) throw new ArchiveError('a number is too large')
  return number
}

/**
 * Some programs read the local headers instead of the directory, so both must agree.
 * @returns the offset of the data
 */
async function checkLocalHeader(handle: FileHandle, entry: Entry): Promise<number> {
  const head = await readAt(handle, entry.localAt, 30)
  if (head.length < 30 || !looksLikeZip(head))
    throw new ArchiveError('an entry is in the wrong place')
  const nameLength = head.readUInt16LE(26)
  const rest = await readAt(handle, entry.localAt + 30, nameLength + head.readUInt16LE(28))
  const flags = head.readUInt16LE(6)
  const [size, packed] = wideNumbers(rest.subarray(nameLength), [
    head.readUInt32LE(22),
    head.readUInt32LE(18),
  ]) as [number, number]
  // The sizes may follow the data instead.
  const later = (flags & descriptorFlag) !== 0
  const agrees = (said: number, known: number) => said === known || (later && said === 0)
  if (
    !rest.subarray(0, nameLength).equals(entry.name) ||
    head.readUInt16LE(8) !== entry.method ||
    (flags & encryptedFlag) !== (entry.flags & encryptedFlag) ||
    !agrees(size, entry.size) ||
    !agrees(packed, entry.packed)
  )
    throw new ArchiveError('an entry does not match the directory')
  return entry.localAt + 30 + rest.length
}

/** Checks that entries do not overlap, and that no entry is hidden between them. */
async function checkSpans(handle: FileHandle, spans: Span[]) {
  spans.sort((a, b) => a.from - b.from)
  let end = 0
  for (const { from, to } of spans) {
    if (from < end) throw new ArchiveError('entries overlap')
    // A gap of up to 24 bytes can be a data descriptor (APPNOTE 4.3.9).
    if (from - end > 24 && (await holdsEntry(handle, end, from)))
      throw new ArchiveError('an entry is not in the directory')
    end = to
  }
}

async function holdsEntry(handle: FileHandle, from: number, to: number): Promise<boolean> {
  const mark = Buffer.from('PK\x03\x04', 'latin1')
  for (let at = from; at < to; at += 65_536)
    if ((await readAt(handle, at, Math.min(65_536 + 3, to - at))).includes(mark)) return true
  return false
}

async function checkEntry(
  handle: FileHandle,
  entry: Entry,
  from: number,
  limits: Limits,
  depth: number,
) {
  const count = (bytes: number) => {
    limits.unpacked -= bytes
    if (limits.unpacked < 0) throw new ArchiveError('it is too large when unpacked')
  }
  if (entry.flags & encryptedFlag) {
    if (!limits.encrypted) throw new ArchiveError('an entry is encrypted')
    return count(entry.size)
  }
  const content = unpack(handle, entry, from)
  const first = (await content.next()).value ?? Buffer.alloc(0)
  let size = 0
  async function* counted() {
    yield* tally(first)
    for await (const chunk of content) yield* tally(chunk)
  }
  function* tally(chunk: Buffer) {
    size += chunk.length
    if (size > entry.size) throw new ArchiveError('an entry is larger than declared')
    count(chunk.length)
    yield chunk
  }
  if (looksLikeZip(first)) await checkNested(counted(), limits, depth)
  else for await (const _ of counted());
  if (size !== entry.size) throw new ArchiveError('an entry is smaller than declared')
}

async function checkNested(content: AsyncIterable<Buffer>, limits: Limits, depth: number) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'atrium-archive-'))
  try {
    const file = path.join(folder, 'nested.zip')
    await pipeline(Readable.from(content), createWriteStream(file, { mode: 0o600 }))
    const handle = await open(file)
    try {
      await checkArchive(handle, limits, depth + 1)
    } finally {
      await handle.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function* unpack(handle: FileHandle, entry: Entry, from: number): AsyncGenerator<Buffer> {
  const { packed, method } = entry
  if (method !== 0 && method !== 8) throw new ArchiveError('an entry uses an unknown compression')
  if (method === 0) {
    yield* chunks(handle, from, packed)
    return
  }
  const source = Readable.from(chunks(handle, from, packed))
  const inflate = createInflateRaw()
  source.on('error', (error) => inflate.destroy(error))
  source.pipe(inflate)
  try {
    yield* inflate as AsyncIterable<Buffer>
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith('Z_'))
      throw new ArchiveError('an entry cannot be unpacked')
    throw error
  } finally {
    source.destroy()
    inflate.destroy()
  }
  // Another entry could be hidden after its end.
  if (inflate.bytesWritten !== packed) throw new ArchiveError('an entry is cut off')
}

async function* chunks(handle: FileHandle, from: number, length: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < length; at += 65_536)
    yield await readAt(handle, from + at, Math.min(65_536, length - at))
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  const { bytesRead } = await handle.read(bytes, 0, length, position)
  return bytes.subarray(0, bytesRead)
}
