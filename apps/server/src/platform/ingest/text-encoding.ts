import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { StartError } from '#platform/environment.ts'

/**
 * Normalises the value of `--encoding`; GB18030 includes GBK and GB2312.
 * @throws StartError if the encoding is unknown
 */
export function encodingNamed(name: string): string {
  try {
    const { encoding } = new TextDecoder(name.trim())
    return encoding === 'gbk' ? 'gb18030' : encoding
  } catch {
    throw new StartError(
      `--encoding ${name} is not known. Use utf-8, gb18030, big5, utf-16le or another name of the Encoding Standard.`,
    )
  }
}

/** Bytes that suffice to detect the encoding. */
const maxSample = 200_000
/** A single name can be valid Chinese in both encodings. */
const leastCharacters = 4
/** Minimum confidence of jschardet in another encoding to count against ours. */
const strongDoubt = 0.2

/**
 * Detects the encoding of a text: UTF-8, UTF-16 with a BOM, GB18030 or Big5.
 * @throws StartError if it is none of them, a mixture, or ambiguous
 */
export async function detectEncoding(file: string): Promise<string> {
  const start = await firstBytes(file)
  if (start.startsWith('\xd0\xcf\x11\xe0') || start.startsWith('PK\x03\x04'))
    throw new StartError(
      `${file} is an office document, not a text. Open it and save it as “CSV UTF-8”${start.startsWith('PK') ? '' : ' or .xlsx'}, then import that file.`,
    )
  if (/^(\xff\xfe\0\0|\0\0\xfe\xff)/.test(start))
    throw new StartError(`${file} is written in UTF-32. Save it as “CSV UTF-8” and try again.`)
  if (start.startsWith('\xff\xfe')) return 'utf-16le'
  if (start.startsWith('\xfe\xff')) return 'utf-16be'
  const found = await readLines(file)
  if (found.other === undefined) return 'utf-8'
  if (found.utf8 !== undefined)
    throw new StartError(
      `${file} is written in two encodings: line ${found.utf8} is UTF-8, line ${found.other} is not. Correct the line and save the file as “CSV UTF-8”, or set its encoding with --encoding.`,
    )
  return guess(file, found.sample)
}

export async function firstBytes(file: string): Promise<string> {
  const handle = await open(file)
  const { buffer, bytesRead } = await handle
    .read(Buffer.alloc(4), 0, 4, 0)
    .finally(() => handle.close())
  return buffer.toString('latin1', 0, bytesRead)
}

/** Chinese, Japanese and Korean characters take three bytes in UTF-8; two-byte sequences may also be valid GB18030. */
const surelyUtf8 = /[\u{2e80}-\u{10ffff}]/u

/** The first line that is certainly UTF-8, the first that is not, and a sample of the latter. */
async function readLines(file: string) {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const sample: Buffer[] = []
  let size = 0
  let row = 0
  let utf8: number | undefined
  let other: number | undefined
  const look = (line: Buffer) => {
    row++
    if ((utf8 !== undefined && other !== undefined) || line.every((byte) => byte < 0x80)) return
    try {
      if (surelyUtf8.test(decoder.decode(line))) utf8 ??= row
    } catch {
      other ??= row
    }
    if (size < maxSample) {
      sample.push(line, Buffer.from('\n'))
      size += line.length
    }
  }
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) {
    const bytes = Buffer.concat([rest, chunk as Buffer])
    let from = 0
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      look(bytes.subarray(from, end))
      from = end + 1
    }
    rest = bytes.subarray(from)
    if (rest.length > 2_000_000)
      throw new StartError(`${file} has a line of more than 2 MB, so it is not a table.`)
  }
  if (rest.length > 0) look(rest)
  return { utf8, other, sample: Buffer.concat(sample).subarray(0, maxSample) }
}

async function guess(file: string, sample: Buffer): Promise<string> {
  // Loaded on demand: 7 MB of tables, for the few files that are not UTF-8.
  const { default: jschardet } = await import('jschardet')
  const found = jschardet.detectAll(sample)
  const confidence = (...names: string[]) =>
    Math.max(
      0,
      ...found.filter((one) => names.includes(one.encoding ?? '')).map((one) => one.confidence),
    )
  const [gb18030, big5] = [confidence('GB18030', 'GB2312'), confidence('Big5')]
  const [encoding, better, worse] =
    gb18030 >= big5 ? ['gb18030', gb18030, big5] : ['big5', big5, gb18030]
  // jschardet is unreliable on short texts: only strong results count against our encodings.
  const another = found[0]?.confidence ?? 0
  const sure = better >= 2 * worse && another < Math.max(strongDoubt, 3 * better)
  if (better > 0 && sure && charactersOf(sample) >= leastCharacters && decodes(sample, encoding))
    return encoding
  const readings = ['gb18030', 'big5'].filter((name) => decodes(sample, name))
  if (readings.length === 0)
    throw new StartError(
      `${file} is not a text in UTF-8, GB18030 or Big5. Save it as “CSV UTF-8” and try again.`,
    )
  const shown = readings.map((name) => `${name} (${excerpt(sample, name)})`).join(' or ')
  throw new StartError(
    `${file} is not UTF-8, and its encoding cannot be detected with certainty: ${shown}? Set it with --encoding, or save the file as “CSV UTF-8”.`,
  )
}

function decodes(sample: Buffer, encoding: string): boolean {
  try {
    // The sample may end within a character.
    new TextDecoder(encoding, { fatal: true }).decode(sample, { stream: true })
    return !sample.includes(0)
  } catch {
    return false
  }
}

const excerpt = (sample: Buffer, encoding: string) =>
  [
    ...new TextDecoder(encoding)
      .decode(sample.subarray(0, 2000))
      .replaceAll(/[\0-\x7f]+/g, ' ')
      .trim(),
  ]
    .slice(0, 12)
    .join('')

const charactersOf = (sample: Buffer) =>
  [...new TextDecoder('gb18030').decode(sample)].filter((character) => character > '\x7f').length
