import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { type Db, sqlState } from '#platform/database/db.ts'
import { isOutage } from '#platform/database/outage.ts'
import { withOwnTransaction } from '#platform/database/own-transaction.ts'
import { StartError } from '#platform/environment.ts'
import { readXlsx } from './read-xlsx.ts'
import { RowIssue } from './row-issue.ts'
import { linesOf, maxArray, recordsOf } from './split-records.ts'
import { firstBytes } from './text-encoding.ts'
import { assertSize, openTextFile, sizeOf, type TextFile } from './text-file.ts'

export type ImportSettings = {
  /** Validate and try everything, but write nothing. */
  dryRun?: boolean
  /** Write nothing if any row has an issue. */
  strict?: boolean
  /** Encoding of the file, and its column titles mapped to ours. */
  encoding?: string | undefined
  columns?: ReadonlyMap<string, string>
  /** Wait for a running import, after calling this; without it a running import is an error. */
  onWait?: () => void
  onIssue?: (row: number, sentence: string) => void
  onProgress?: (progress: Progress) => void
}
/** `share`: how much of the file was read, 0 to 1 */
export type Progress = { rows: number; share: number }
export type Counts = { added: number; changed: number; unchanged: number }
export type ImportReport = Counts & {
  read: number
  /** Rows with an issue, which were not imported. */
  skipped: number
  notes: string[]
  written: boolean
}
/** The context of an importer. */
export type Import = ImportBySql & { client: PoolClient }
/** The context of an importer that does not need COPY, so that any transaction will do. */
export type ImportBySql = {
  db: Db
  encoding?: string | undefined
  columns?: ReadonlyMap<string, string> | undefined
  issue: (row: number, sentence: string) => void
  note: (sentence: string) => void
  read: (row: Progress) => void
}

/**
 * Runs one import in one transaction. Rows with an issue are skipped and counted; any other error writes nothing.
 * @throws StartError if nothing could be imported
 */
export async function runImport(
  url: string,
  settings: ImportSettings,
  work: (run: Import) => Promise<Counts>,
): Promise<ImportReport> {
  const faulty = new Set<number>()
  const notes: string[] = []
  let read = 0
  const answer = (counts: Counts, written: boolean): ImportReport => ({
    ...counts,
    read,
    skipped: faulty.size,
    notes,
    written,
  })
  try {
    return await withOwnTransaction(url, async ({ db, client, undo }) => {
      const { rows } = await sql<{
        taken: boolean
      }>`select pg_try_advisory_xact_lock(7301, 2) as taken`.execute(db)
      if (!rows[0]?.taken) {
        if (!settings.onWait)
          throw new StartError(
            'Another import is running on this database. Try again when it is done, or let this one wait with --wait.',
          )
        settings.onWait()
        await sql`select pg_advisory_xact_lock(7301, 2)`.execute(db)
      }
      const counts = await work({
        db,
        client,
        encoding: settings.encoding,
        columns: settings.columns,
        issue(row, sentence) {
          faulty.add(row)
          settings.onIssue?.(row, sentence)
        },
        note: (sentence) => void notes.push(sentence),
        read(progress) {
          read = progress.rows
          settings.onProgress?.(progress)
        },
      })
      if (settings.dryRun || (settings.strict && faulty.size > 0))
        return undo(answer(counts, false))
      return answer(counts, true)
    })
  } catch (error) {
    throw explain(error)
  }
}

/** Turns a database error into a sentence an operator can act on. */
function explain(error: unknown): unknown {
  if (sqlState(error) === '53100')
    return new StartError(
      'The disk of the database is full. Nothing was written; free some space there and run this again.',
    )
  if (sqlState(error) === '40P01' || sqlState(error) === '40001')
    return new StartError(
      'Members changed the same rows at the same moment. Nothing was written; run this again.',
    )
  if (isOutage(error))
    return new StartError(
      `The connection to the database was lost (${(error as Error).message}). Nothing was written; run this again when it is back.`,
    )
  return error
}

// ---- rows of a file ----

/** One column of a file: the accepted header names (the documentation uses the first), and how to parse a cell. */
export type Field<T> = {
  headers: readonly [string, ...string[]]
  required?: true
  /** Parses the trimmed cell. @throws RowIssue */
  read: (cell: string) => T
}
// biome-ignore lint/suspicious/noExplicitAny: a table of fields of every kind
export type Fields = Record<string, Field<any>>
/** If a column is missing, its field is undefined and the stored value stays unchanged. */
export type Values<F extends Fields> = {
  [K in keyof F]: F[K]['required'] extends true
    ? ReturnType<F[K]['read']>
    : ReturnType<F[K]['read']> | undefined
}
export type Row<F extends Fields> = { row: number; values: Values<F> }

/** Cells by field name; a missing one leaves the stored value unchanged. */
type Cells = Record<string, string | undefined>
/** A file path, or rows from another source. */
export type RowSource = string | AsyncIterable<{ row: number; cells: Cells }>

/**
 * Yields the valid rows of a CSV, JSON, NDJSON or .xlsx file, or of another source; reports issues of the others to
 * `run`. Row numbers are line numbers; entries of a JSON array are counted from 1.
 * @param key the field or fields that must be unique together; empty if rows have no key
 * @throws StartError if the file as a whole cannot be read
 */
export async function* readRows<F extends Fields>(
  run: ImportBySql,
  source: RowSource,
  fields: F,
  key: (keyof F & string) | readonly (keyof F & string)[],
): AsyncGenerator<Row<F>> {
  const keys = [key].flat()
  const seen = new Map<string, number>()
  const noted = new Set<string>()
  const records = typeof source === 'string' ? readRecords(run, source, noted, fields) : source
  for await (const { row, cells } of records) {
    const values: Record<string, unknown> = {}
    let good = true
    for (const [name, field] of Object.entries(fields)) {
      const cell = cells[name]
      try {
        if (cell?.includes('\0')) throw new RowIssue('contains a NUL character')
        const text = cell?.trim().normalize('NFC')
        if (field.required && !text) throw new RowIssue('is empty')
        values[name] = text === undefined ? undefined : field.read(text)
      } catch (error) {
        if (!(error instanceof RowIssue)) throw error
        run.issue(row, `${field.headers[0]} ${error.message}`)
        good = false
      }
    }
    const own = keys.map((name) => String(values[name])).join(' · ')
    const first = keys.length > 0 ? seen.get(own) : undefined
    if (good && first !== undefined) {
      const names = keys.map((name) => fields[name]?.headers[0]).join(' and ')
      run.issue(row, `${names} ${own} is in row ${first} already`)
      good = false
    }
    if (!good) continue
    seen.set(own, row)
    yield { row, values: values as Values<F> }
  }
}

async function* readRecords(
  run: ImportBySql,
  file: string,
  noted: Set<string>,
  fields: Fields,
): AsyncGenerator<{ row: number; cells: Cells }> {
  await sizeOf(file)
  if ((await firstBytes(file)).startsWith('PK\x03\x04')) {
    yield* readWorkbook(run, file, fields)
    return
  }
  const text = await openTextFile(file, run.encoding)
  let bytes = 0
  let rows = 0
  const chunks = text.chunks((read) => {
    bytes = read
  })
  const tell = () => run.read({ rows, share: text.bytes === 0 ? 1 : bytes / text.bytes })
  const count = () => {
    rows++
    if (rows % 500 === 0) tell()
  }
  const start = (await firstCharacter(text)) ?? ''
  const columns = columnsOf(run, fields)
  if (start === '[') {
    assertSize(text, maxArray, 'Write one object a line (.ndjson) or CSV instead.')
    let whole = ''
    for await (const chunk of chunks) whole += chunk
    let entries: unknown[]
    try {
      entries = JSON.parse(whole) as unknown[]
    } catch (error) {
      throw new StartError(`${file} is not valid JSON: ${(error as Error).message}.`)
    }
    for (const [index, entry] of entries.entries()) {
      count()
      const cells = cellsOf(entry, { row: index + 1, run, noted, fields, columns })
      if (cells) yield { row: index + 1, cells }
    }
  } else if (start === '{') {
    let row = 0
    for await (const line of linesOf(chunks)) {
      row++
      if (line.trim() === '') continue
      count()
      let entry: unknown
      try {
        entry = JSON.parse(line)
      } catch {
        run.issue(row, 'is not a JSON object on one line')
        continue
      }
      const cells = cellsOf(entry, { row, run, noted, fields, columns })
      if (cells) yield { row, cells }
    }
  } else {
    for await (const cells of cellsByHeader(run, file, recordsOf(file, chunks), fields)) {
      count()
      if (cells.cells) yield { row: cells.row, cells: cells.cells }
    }
  }
  bytes = text.bytes
  tell()
}

/** The first sheet of a workbook, with Excel's row numbers. */
async function* readWorkbook(run: ImportBySql, file: string, fields: Fields) {
  const { rows, others } = await readXlsx(file)
  if (others.length > 0) run.note(`not read, only the first sheet is: ${others.join(', ')}`)
  async function* records() {
    for (const [at, record] of rows.entries()) yield { record, row: at + 1 }
  }
  let count = 0
  for await (const { row, cells } of cellsByHeader(run, file, records(), fields)) {
    count++
    if (cells) yield { row, cells }
  }
  run.read({ rows: count, share: 1 })
}

/** The rows of a table, keyed by its header row. A row with the wrong number of cells is reported and has no cells. */
async function* cellsByHeader(
  run: ImportBySql,
  file: string,
  records: AsyncIterable<{ record: string[]; row: number }>,
  fields: Fields,
): AsyncGenerator<{ row: number; cells: Cells | undefined }> {
  let header: (string | undefined)[] | undefined
  let width = 0
  for await (const { record, row } of records) {
    if (!header) {
      header = readHeader(file, record, run, fields)
      width = record.length
      continue
    }
    if (record.every((cell) => cell.trim() === '')) continue
    const fits =
      record.length > width
        ? record.slice(width).every((cell) => cell.trim() === '')
        : record.length === width
    if (!fits) run.issue(row, `has ${record.length} cells where the header has ${width}`)
    const named = header.flatMap((name, index): [string, string][] =>
      name ? [[name, plainText(record[index] ?? '')]] : [],
    )
    yield { row, cells: fits ? Object.fromEntries(named) : undefined }
  }
  if (!header) throw new StartError(`${file} is empty.`)
}

/** Removes the apostrophe that our export puts before text that looks like a formula. */
const plainText = (cell: string) => (/^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell)

async function firstCharacter(text: TextFile) {
  for await (const chunk of text.chunks()) {
    const found = /[^\s\uFEFF]/.exec(chunk)
    if (found) return found[0]
  }
  return undefined
}

const comparable = (header: string) => header.replaceAll(/[\s_\-\uFEFF*（）()]/g, '').toLowerCase()

/** Maps each column to its field. */
function readHeader(file: string, record: string[], run: ImportBySql, fields: Fields) {
  const columns = columnsOf(run, fields)
  const titles = new Set(record.map(comparable))
  const missing = [...(run.columns?.keys() ?? [])].find((theirs) => !titles.has(comparable(theirs)))
  if (missing !== undefined)
    throw new StartError(
      `--map names the column ${missing}, which ${file} does not have. It has: ${record.filter(Boolean).join(', ')}.`,
    )
  const header = record.map((title) => fieldFor(title, fields, columns))
  for (const [name, field] of Object.entries(fields)) {
    const titles = record.filter((_, index) => header[index] === name)
    if (titles.length > 1)
      throw new StartError(
        `${file}: the columns ${titles.join(' and ')} both mean ${field.headers[0]}. Keep one of them.`,
      )
    if (field.required && titles.length === 0) {
      throw new StartError(
        `${file}: there is no column ${field.headers[0]}. It may also be called ${field.headers.slice(1).join(', ')}. The first line must name the columns.`,
      )
    }
  }
  const unknown = record.filter((title, index) => !header[index] && title.trim() !== '')
  if (unknown.length > 0)
    run.note(`ignored, because these columns are unknown: ${unknown.join(', ')}`)
  return header
}

/** The `--map` option: normalised titles → our fields. @throws StartError */
function columnsOf(run: ImportBySql, fields: Fields): Map<string, string> {
  const columns = new Map<string, string>()
  for (const [theirs, ours] of run.columns ?? []) {
    const field = fieldFor(ours, fields)
    if (!field)
      throw new StartError(
        `--map ${theirs}=${ours}: there is no column ${ours} here. There are: ${Object.values(
          fields,
        )
          .map(({ headers }) => headers[0])
          .join(', ')}.`,
      )
    columns.set(comparable(theirs), field)
  }
  return columns
}

/** The field for a title. A field assigned with `--map` matches no other title. */
function fieldFor(title: string, fields: Fields, columns?: ReadonlyMap<string, string>) {
  const stated = columns?.get(comparable(title))
  if (stated) return stated
  const found = Object.keys(fields).find((name) =>
    fields[name]?.headers.some((header) => comparable(header) === comparable(title)),
  )
  return found && [...(columns?.values() ?? [])].includes(found) ? undefined : found
}

type JsonRow = {
  row: number
  run: ImportBySql
  noted: Set<string>
  fields: Fields
  columns: ReadonlyMap<string, string>
}
function cellsOf(entry: unknown, { row, run, noted, fields, columns }: JsonRow): Cells | undefined {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    run.issue(row, 'is not a JSON object')
    return undefined
  }
  const cells: Cells = {}
  for (const [title, value] of Object.entries(entry)) {
    const name = fieldFor(title, fields, columns)
    if (!name) {
      if (!noted.has(title)) run.note(`ignored, because this field is unknown: ${title}`)
      noted.add(title)
    } else if (value === null) cells[name] = ''
    else if (Array.isArray(value)) cells[name] = value.map(String).join(';')
    else if (typeof value === 'object') {
      run.issue(row, `${title} must be a text, a number or a list of texts`)
      return undefined
    } else cells[name] = String(value)
  }
  return cells
}
