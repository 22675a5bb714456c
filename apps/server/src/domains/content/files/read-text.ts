import { parse } from 'csv-parse/sync'
import type { Files } from '#platform/storage/files.ts'

/** Limits of a text preview: enough to recognise the file without slowing down a phone. */
const maxBytes = 256 * 1024
const maxRows = 300
const maxColumns = 40
const maxCell = 300

/** The beginning of a text file, decoded. */
export async function readText(
  files: Files,
  file: { sha256: string; byte_size: number },
): Promise<{ text: string; truncated: boolean }> {
  const truncated = file.byte_size > maxBytes
  const chunks: Buffer[] = []
  const end = Math.min(file.byte_size, maxBytes) - 1
  for await (const chunk of files.read(file.sha256, { start: 0, end })) chunks.push(chunk as Buffer)
  return { text: decode(Buffer.concat(chunks)).replaceAll('\r\n', '\n'), truncated }
}

/** The last character may be cut off, which must not count against the encoding. */
function decode(bytes: Buffer): string {
  const byteOrderMark = bytes.toString('latin1', 0, 2)
  if (byteOrderMark === '\xff\xfe') return new TextDecoder('utf-16le').decode(bytes)
  if (byteOrderMark === '\xfe\xff') return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return new TextDecoder('gb18030').decode(bytes, { stream: true })
  }
}

/** The first rows of a table. The delimiter is the most frequent of comma, semicolon and tab in the first line. */
export function readRows(
  text: string,
  isTruncated: boolean,
): { rows: string[][]; truncated: boolean } {
  const first = text.slice(0, text.indexOf('\n') + 1 || undefined)
  const counts = [',', ';', '\t'].map((one) => [one, first.split(one).length] as const)
  const [delimiter] = counts.reduce((best, next) => (next[1] > best[1] ? next : best))
  // The last line may be incomplete.
  const whole = isTruncated ? text.slice(0, text.lastIndexOf('\n') + 1) : text
  const records = parse(whole, {
    delimiter,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    to: maxRows + 1,
  }) as string[][]
  const isWide = records.some((row) => row.length > maxColumns)
  return {
    rows: records
      .slice(0, maxRows)
      .map((row) => row.slice(0, maxColumns).map((cell) => cell.slice(0, maxCell))),
    truncated: isTruncated || isWide || records.length > maxRows,
  }
}
