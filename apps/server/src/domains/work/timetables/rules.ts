import { shortenCell } from '#platform/ingest/cells.ts'
import { RowIssue } from '#platform/ingest/row-issue.ts'

/** A range of weeks in a timetable; without numbers, all weeks of the term. */
export type WeekPart = {
  first: number | undefined
  last: number | undefined
  parity: 'odd' | 'even' | undefined
}

const parities: Record<string, WeekPart['parity']> = {
  单: 'odd',
  單: 'odd',
  odd: 'odd',
  双: 'even',
  雙: 'even',
  even: 'even',
}
const separators = /[,，、;；\s]+/

/**
 * Parses the weeks of a cell: `1-16`, `odd`, `3,5,7-9`, `1-16(单)`, `第2-8周（双）`. A parity after the last of several parts
 * and outside brackets applies to all of them: `1-8,10-16单周`.
 * @throws RowIssue
 */
export function readWeeks(cell: string): WeekPart[] {
  if (/^(全部|全|all|every week|每周)$/i.test(cell))
    return [{ first: undefined, last: undefined, parity: undefined }]
  const bracketed = cell
    .replaceAll(/[第周週{}]|weeks?/gi, '')
    .replaceAll(/[（[]/g, '(')
    .replaceAll(/[）\]]/g, ')')
    .replaceAll(/\s*\(\s*/g, '(')
    .replaceAll(/\s*\)/g, ')')
  const parts = bracketed.split(separators).filter(Boolean)
  if (parts.length === 0) throw unreadable(cell)
  let shared: WeekPart['parity']
  const read = parts.map((part, index): WeekPart => {
    const [, first, last, brackets, word] =
      /^(\d{1,2})?(?:[-–—~～至到](\d{1,2}))?(?:\((单|單|双|雙|odd|even)\)|(单|單|双|雙|odd|even))?$/i.exec(
        part,
      ) ?? []
    const parity = parities[(brackets ?? word ?? '').toLowerCase()]
    if (first === undefined && (last !== undefined || parity === undefined)) throw unreadable(cell)
    if (word && parts.length > 1 && index === parts.length - 1) shared = parity
    const from = first === undefined ? undefined : Number(first)
    const to = last === undefined ? from : Number(last)
    if (from !== undefined && to !== undefined && to < from)
      throw new RowIssue(`is “${shortenCell(cell)}”: week ${from} comes after week ${to}`)
    if (from === 0) throw new RowIssue(`is “${shortenCell(cell)}”: the first week is 1`)
    return { first: from, last: to, parity }
  })
  return shared ? read.map((part) => ({ ...part, parity: part.parity ?? shared })) : read
}

const unreadable = (cell: string) =>
  new RowIssue(
    `is “${shortenCell(cell)}” and must be weeks such as 1-16, odd, even, 3,5,7-9 or 1-16(odd) (单、双)`,
  )

/** The week numbers. @throws RowIssue if a week is beyond the term, or none is left */
export function weeksOf(parts: readonly WeekPart[], termWeeks: number): number[] {
  const weeks = new Set<number>()
  for (const { first = 1, last = termWeeks, parity } of parts) {
    if (last > termWeeks)
      throw new RowIssue(`contains week ${last}, but the term has ${termWeeks} weeks`)
    for (let week = first; week <= last; week++)
      if (!parity || (week % 2 === 1) === (parity === 'odd')) weeks.add(week)
  }
  if (weeks.size === 0) throw new RowIssue('contains no week')
  return [...weeks].sort((a, b) => a - b)
}

const dayNames: readonly (readonly string[])[] = [
  ['1', '一', 'mon', 'monday'],
  ['2', '二', 'tue', 'tuesday'],
  ['3', '三', 'wed', 'wednesday'],
  ['4', '四', 'thu', 'thursday'],
  ['5', '五', 'fri', 'friday'],
  ['6', '六', 'sat', 'saturday'],
  ['7', '日', '天', 'sun', 'sunday', '0'],
]

/** 1 is Monday. @throws RowIssue */
export function readWeekday(cell: string): number {
  const word = cell.toLowerCase().replace(/^(星期|周|週|礼拜)/, '')
  const found = dayNames.findIndex((names) => names.includes(word))
  if (found < 0)
    throw new RowIssue(`is “${shortenCell(cell)}” and must be a day of the week, 1 to 7`)
  return found + 1
}

/** `1-2`, `3`, `1,2`, `第5-6节`, `0102`. @returns the first and the last @throws RowIssue */
export function readPeriods(cell: string): [first: number, last: number] {
  const normalized = cell.replaceAll(/[第节節\s]/g, '')
  const numbers = /^(\d\d){2,}$/.test(normalized)
    ? (normalized.match(/\d\d/g) ?? []).map(Number)
    : /^\d{1,2}([-–—~～至到,，、;；]\d{1,2})*$/.test(normalized)
      ? normalized.split(/\D/).map(Number)
      : []
  const [first, last] = [numbers[0], numbers.at(-1)]
  if (first === undefined || last === undefined || first < 1)
    throw new RowIssue(`is “${shortenCell(cell)}” and must be periods such as 1-2`)
  if (last < first)
    throw new RowIssue(`is “${shortenCell(cell)}”: period ${first} comes after period ${last}`)
  if (numbers.length > 2 && last - first + 1 !== numbers.length)
    throw new RowIssue(
      `is “${shortenCell(cell)}”; periods that do not follow each other are two rows`,
    )
  return [first, last]
}

/** HH:MM. @throws RowIssue */
export function readTime(cell: string): string {
  const [, hour, minute] = /^(\d{1,2})[:：](\d{2})(?:[:：]\d{2})?$/.exec(cell) ?? []
  if (hour === undefined || Number(hour) > 23 || Number(minute) > 59)
    throw new RowIssue(`is “${shortenCell(cell)}” and must be a time such as 08:00`)
  return `${hour.padStart(2, '0')}:${minute}`
}

/** YYYY-MM-DD; also accepts 2026/9/7 and 2026年9月7日. @throws RowIssue */
export function readDay(cell: string): string {
  const [, year, month, day] = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?$/.exec(cell) ?? []
  const text = year && `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`
  try {
    if (text) return Temporal.PlainDate.from(text, { overflow: 'reject' }).toString()
  } catch {
    // no such day: refused below
  }
  throw new RowIssue(`is “${shortenCell(cell)}” and must be a day such as 2026-09-07`)
}

/** MM-DD. @throws RowIssue */
export function readMonthDay(cell: string): string {
  const [, month, day] = /^(\d{1,2})[-/.月](\d{1,2})日?$/.exec(cell) ?? []
  if (!month || !day)
    throw new RowIssue(`is “${shortenCell(cell)}” and must be a day such as 05-01`)
  return readDay(`2024-${month}-${day}`).slice(5)
}
