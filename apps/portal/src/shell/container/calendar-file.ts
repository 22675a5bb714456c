import type { CalendarEntry } from './events.ts'

/** One event as an iCalendar file (RFC 5545). */
export function calendarFile({ title, startsAt, endsAt, place, note }: CalendarEntry) {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Atrium//Portal//EN',
    'BEGIN:VEVENT',
    `UID:${crypto.getRandomValues(new Uint32Array(4)).join('-')}@atrium`,
    `DTSTAMP:${moment(new Date().toISOString())}`,
    `DTSTART${time(startsAt)}`,
    `DTEND${time(isDay(endsAt) ? dayAfter(endsAt) : endsAt)}`,
    `SUMMARY:${escapeText(title)}`,
    place && `LOCATION:${escapeText(place)}`,
    note && `DESCRIPTION:${escapeText(note)}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return `${lines
    .filter((line) => line)
    .map((line) => fold(String(line)))
    .join('\r\n')}\r\n`
}

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text)
const moment = (iso: string) =>
  new Date(iso).toISOString().replace(/\.\d+/, '').replace(/[-:]/g, '')
const time = (text: string) =>
  isDay(text) ? `;VALUE=DATE:${text.replace(/-/g, '')}` : `:${moment(text)}`

/** DTEND of an all-day event is exclusive: the day after the last one. */
function dayAfter(day: string) {
  const next = new Date(`${day}T12:00:00Z`)
  next.setUTCDate(next.getUTCDate() + 1)
  return next.toISOString().slice(0, 10)
}

const escapeText = (text: string) =>
  text
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n|\r|\n/g, '\\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they end a line or a file for some readers
    .replace(/[\u0000-\u001f\u007f]/g, '')

/** Lines are at most 75 bytes; continuation lines begin with a space. Characters are not split. */
function fold(line: string) {
  const encoder = new TextEncoder()
  let folded = ''
  let bytes = 0
  for (const letter of line) {
    const size = encoder.encode(letter).length
    if (bytes + size > 75) {
      folded += '\r\n '
      bytes = 1
    }
    folded += letter
    bytes += size
  }
  return folded
}
