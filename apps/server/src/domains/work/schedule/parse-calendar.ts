import ICAL from 'ical.js'
import { StartError } from '#platform/environment.ts'
import { shortenCell } from '#platform/ingest/cells.ts'

/** A VEVENT that cannot be parsed, for example because of an invalid rule or a malformed date. */
type Broken = { line: number; title: string; message: string }

/**
 * Parses the calendars of an iCalendar text. ical.js rejects the whole text for one bad value; the faulty events are
 * then removed and the rest is parsed.
 * @returns `lines`: the line on which each parsed VEVENT begins
 * @throws StartError if the text is not iCalendar
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
      broken = blankBroken(rows)
      if (broken.length === 0) throw error
      calendars = parse(rows.join('\r\n'))
    } catch {
      throw new StartError(`${from} is not an iCalendar file: ${(error as Error).message}.`)
    }
  }
  if (!calendars.some((calendar) => calendar.name === 'vcalendar'))
    throw new StartError(`${from} is not an iCalendar file: it has no VCALENDAR.`)
  const lines = rows.flatMap((row, index) => (/^BEGIN:VEVENT\s*$/i.test(row) ? [index + 1] : []))
  return { calendars, lines, broken }
}

function parse(text: string): ICAL.Component[] {
  const parsed = ICAL.parse(text) as unknown[]
  return (Array.isArray(parsed[0]) ? (parsed as unknown[][]) : [parsed]).map(
    (part) => new ICAL.Component(part as never),
  )
}

/** Blanks the lines of events that cannot be parsed, so that line numbers of the others stay the same. */
function blankBroken(rows: string[]): Broken[] {
  const broken: Broken[] = []
  let start = -1
  for (const [index, row] of rows.entries()) {
    if (/^BEGIN:VEVENT\s*$/i.test(row)) start = index
    if (start < 0 || !/^END:VEVENT\s*$/i.test(row)) continue
    const event = rows.slice(start, index + 1)
    try {
      parse(event.join('\r\n'))
    } catch (error) {
      const title = event.find((line) => /^SUMMARY[:;]/i.test(line))?.replace(/^.*?:/, '') ?? ''
      broken.push({ line: start + 1, title: shortenCell(title), message: (error as Error).message })
      rows.fill('', start, index + 1)
    }
    start = -1
  }
  return broken
}
