import ICAL from 'ical.js'
import { reasonTexts } from '#domains/work/calendar-exchange/texts.ts'
import { readCalendarInSteps } from '#domains/work/schedule/read-calendar.ts'
import type { CalendarEvent } from '#domains/work/schedule/read-vevent.ts'
import { DavError } from './dav-error.ts'
import { cal, element } from './xml.ts'

/** Maximum size of an event, in bytes. */
export const maxBytes = 512_000

export type ClientEvent = { event: CalendarEvent; busy: boolean; url: string; category: string }

/**
 * The single event of a resource (RFC 4791 §4.1). Data that could only be stored in part is refused with a reason, so
 * that nothing is lost silently.
 * @throws DavError 403 with the precondition
 */
export function readObject(text: string, timeZone: string): ClientEvent {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: neither XML nor RFC 5545 has a place for them
  if (/[\0-\x08\x0b\x0c\x0e-\x1f]/.test(text))
    throw refused('valid-calendar-data', 'The event contains control characters.')
  const calendar = parse(text)
  const unsupported = calendar
    .getAllSubcomponents()
    .filter(({ name }) => name !== 'vevent' && name !== 'vtimezone' && !name.startsWith('x-'))
  if (unsupported.length > 0)
    throw refused('supported-calendar-component', 'Only events (VEVENT) can be stored here.')
  const parts = calendar.getAllSubcomponents('vevent')
  const uids = new Set(parts.map((part) => String(part.getFirstPropertyValue('uid') ?? '').trim()))
  const [uid = ''] = uids
  const masters = parts.filter((part) => !part.hasProperty('recurrence-id'))
  const [master] = masters
  if (!master || masters.length > 1 || uids.size > 1 || !uid || uid.length > 400)
    throw refused(
      'valid-calendar-object-resource',
      'A resource must be one event with the changes of its occurrences, and one UID of at most 400 characters.',
    )
  return {
    event: parseEvent(text, timeZone),
    busy: isBusy(master),
    url: addressOf(master),
    category: categoryOf(master),
  }
}

function parse(text: string): ICAL.Component {
  try {
    const calendar = new ICAL.Component(ICAL.parse(text) as never)
    if (calendar.name === 'vcalendar') return calendar
  } catch {
    // refused below
  }
  throw refused('valid-calendar-data', 'The body is not an iCalendar object.')
}

function parseEvent(text: string, timeZone: string): CalendarEvent {
  const remarks: string[] = []
  const note = (_: string, { reason }: { reason: 'older' | 'excluded' | 'frequent' }) => {
    if (reason !== 'frequent') remarks.push(reasonTexts.en[reason](''))
  }
  const events: CalendarEvent[] = []
  for (const step of readCalendarInSteps(text, { from: 'resource', timeZone }, note))
    for (const { event, why } of step)
      if (event) events.push(event)
      else remarks.push(why ? reasonTexts.en[why.reason](why.detail) : 'The event cannot be read.')
  const [event] = events
  if (remarks[0]) throw refused('valid-calendar-data', remarks[0])
  if (!event) throw refused('valid-calendar-data', 'The event is cancelled: delete it instead.')
  if (events.length > 1)
    throw refused(
      'valid-calendar-data',
      'The event has occurrences outside its rule (RDATE, or a change of one that the rule does not have), which are not supported.',
    )
  return event
}

const refused = (condition: string, message: string) =>
  new DavError(403, message, { condition: element(cal, condition) })

const isBusy = (part: ICAL.Component) =>
  String(part.getFirstPropertyValue('transp') ?? '').toUpperCase() !== 'TRANSPARENT'

/** The first category, truncated to the maximum length. */
const categoryOf = (part: ICAL.Component) =>
  [...String(part.getFirstPropertyValue('categories') ?? '').trim()].slice(0, 40).join('')

function addressOf(part: ICAL.Component): string {
  const text = String(part.getFirstPropertyValue('url') ?? '').trim()
  const url = URL.parse(text)
  const isUsable =
    url?.protocol === 'https:' && !url.username && !url.password && text.length <= 1000
  return isUsable ? text : ''
}
