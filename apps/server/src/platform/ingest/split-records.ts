import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { StartError } from '#platform/environment.ts'

/** A JSON array is read into memory whole; longer lists must be CSV or one object per line. */
export const maxArray = 50_000_000
const maxRecord = 1_000_000

export async function* linesOf(chunks: AsyncIterable<string>) {
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest) yield rest
}

export async function* recordsOf(file: string, chunks: AsyncGenerator<string>) {
  // Spreadsheets export with a locale-dependent separator: use the one found in the first line.
  let start = ''
  while (!start.includes('\n')) {
    const next = await chunks.next()
    if (next.done) break
    start += next.value
  }
  const line = start.split('\n')[0] ?? ''
  const delimiter = [',', ';', '\t'].find((candidate) => line.includes(candidate)) ?? ','
  let last = 0
  const remember = (read: { info: { lines: number } }) => {
    last = read.info.lines
    return read
  }
  const parser = parse({
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    delimiter,
    record_delimiter: '\n',
    max_record_size: maxRecord,
    on_record: remember as never,
  })
  async function* all() {
    yield start
    yield* chunks
  }
  const source = Readable.from(all())
  source.on('error', (error) => parser.destroy(error))
  source.pipe(parser)
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[]
      info: { lines: number }
    }>) {
      const inside = record.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0)
      yield { record, row: info.lines - inside }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    // After an unclosed quotation mark the rest cannot be parsed reliably: reject the whole file.
    throw new StartError(
      error.code === 'CSV_QUOTE_NOT_CLOSED' || error.code === 'CSV_MAX_RECORD_SIZE'
        ? `${file}:${last + 1}: a cell begins here with a quotation mark that is never closed. Nothing was imported; write the mark twice ("") where it is part of the text.`
        : `${file}:${last + 1}: ${error.message}. Nothing was imported.`,
    )
  } finally {
    source.destroy()
  }
}
