import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

export type Cell = string | number
export type Table = { title: string; head: string[]; rows: Cell[][]; note?: string }
/** A promised figure and the measured one. */
export type Target = { what: string; wanted: string; measured: string; ok: boolean }

/** The machine of a measurement, without which its figures mean nothing. */
export const machine = (postgres?: string) => ({
  cpu: os.cpus()[0]?.model ?? 'unknown',
  cores: os.availableParallelism(),
  memoryGb: Math.round(os.totalmem() / 2 ** 30),
  system: `${os.type()} ${os.release()} ${os.arch()}`,
  node: process.version,
  ...(postgres && { postgres }),
})

/** Prints the results and, unless disabled, saves them: everything as JSON, the tables in docs/bench.md. */
export function report(
  name: string,
  measured: { machine: ReturnType<typeof machine>; tables: Table[]; targets: Target[] },
  settings: { save: boolean; [key: string]: unknown },
  raw: unknown,
) {
  const { machine, tables, targets } = measured
  const { cpu, cores, memoryGb, node, postgres } = machine
  const versions = [`Node ${node.slice(1)}`, ...(postgres ? [`PostgreSQL ${postgres}`] : [])]
  const date = new Date().toISOString().slice(0, 10)
  const promised = {
    title: 'Targets',
    head: ['target', 'wanted', 'measured', ''],
    rows: targets.map(({ what, wanted, measured, ok }) => [
      what,
      wanted,
      measured,
      ok ? 'ok' : 'SHORT',
    ]),
  }
  const text = [
    `Measured on ${cores} cores of ${cpu}, ${memoryGb} GB, ${versions.join(', ')}, ${date}.`,
    ...[...tables, promised].map(asText),
  ].join('\n\n')
  console.log(`\n${text}`)
  if (!settings.save) return
  const results = path.join(import.meta.dirname, 'results')
  const file = path.join(results, `${name}-${date}.json`)
  mkdirSync(results, { recursive: true })
  // The results are tracked: the address of a database server, and the password in it, are not saved.
  const { database: _, ...kept } = settings
  writeFileSync(file, `${JSON.stringify({ date, settings: kept, ...measured, raw }, null, 2)}\n`)
  const document = path.join(import.meta.dirname, '../docs/bench.md')
  const section = new RegExp(`(?<=<!-- ${name} -->\n)[^]*(?=<!-- /${name} -->)`)
  writeFileSync(
    document,
    readFileSync(document, 'utf8').replace(section, () => `\n${text}\n\n`),
  )
  for (const kept of [file, document]) console.log(`saved to ${path.relative(process.cwd(), kept)}`)
}

/** A Markdown table whose columns also align in a terminal. */
function asText({ title, head, rows, note }: Table): string {
  const lines = [head, ...rows].map((row) => row.map(String))
  const widths = head.map((_, column) =>
    Math.max(3, ...lines.map((line) => line[column]?.length ?? 0)),
  )
  const right = head.map(
    (_, column) => column > 0 && rows.every((row) => /^[\d.,–-]/.test(String(row[column] ?? ''))),
  )
  const line = (cells: string[]) =>
    `| ${cells.map((cell, column) => (right[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0))).join(' | ')} |`
  const rule = widths.map((width, column) =>
    right[column] ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width),
  )
  return [
    `### ${title}`,
    '',
    line(lines[0] ?? []),
    line(rule),
    ...lines.slice(1).map(line),
    ...(note ? ['', note] : []),
  ].join('\n')
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2
}

export const count = (value: number) => Math.round(value).toLocaleString('en')
export const percent = (value: number) => `${(value * 100).toFixed(0)} %`
export const fixed = (value: number, digits = 0) => value.toFixed(digits)
