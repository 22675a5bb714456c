import ICAL from 'ical.js'
import { StartError } from '#platform/environment.ts'
import { short } from '#platform/ingest/cells.ts'

/** A VEVENT that is none: a rule without meaning, a date that is no number. */
type Broken = { line: number; title: string; message: string }

/**
 * The calendars of an iCalendar text. ical.js refuses all of it for one bad value; then it is read without the events at fault.
 * @returns `lines`: where each VEVENT that was read begins
 * @throws StartError when it is none
 */
export function parseCalendar(
  text: string,
  from: string,
): { calendars: ICAL.Component[]; lines: number[]; broken: Broken[] } {
  const rows = text.split(/\r\n|\r|\n/)
  let broken: Broken[] = []
  let calendars: ICAL.Component[]
  try {
    calendars = parse(text)
  } catch (error) {
    try {
      broken = takeBroken(rows)
      if (broken.length === 0) throw error
      calendars = parse(rows.join('\r\n'))
    } catch {
      throw new StartError(`${from} is not an iCalendar file: ${(error as Error).message}.`)
    }
  }
  if (!calendars.some((calendar) => calendar.name === 'vcalendar'))
    throw new StartError(`${from} is not an iCalendar file: it has no VCALENDAR.`)
  const lines = rows.flatMap((row, at) => (/^BEGIN:VEVENT\s*$/i.test(row) ? [at + 1] : []))
  return { calendars, lines, broken }
}

function parse(text: string): ICAL.Component[] {
  const parsed = ICAL.parse(text) as unknown[]
  return (Array.isArray(parsed[0]) ? (parsed as unknown[][]) : [parsed]).map(
    (part) => new ICAL.Component(part as never),
  )
}

/** Empties the rows of events that cannot be parsed, so that the others keep their lines. */
function takeBroken(rows: string[]): Broken[] {
  const broken: Broken[] = []
  let start = -1
  for (const [at, row] of rows.entries()) {
    if (/^BEGIN:VEVENT\s*$/i.test(row)) start = at
    if (start < 0 || !/^END:VEVENT\s*$/i.test(row)) continue
    const event = rows.slice(start, at + 1)
    try {
      parse(event.join('\r\n'))
    } catch (error) {
      const title = event.find((line) => /^SUMMARY[:;]/i.test(line))?.replace(/^.*?:/, '') ?? ''
      broken.push({ line: start + 1, title: short(title), message: (error as Error).message })
      rows.fill('', start, at + 1)
    }
    start = -1
  }
  return broken
}
