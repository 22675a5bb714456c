import ICAL from 'ical.js'
import { toSingleLine } from '#domains/work/calendar-exchange/write-calendar.ts'
import { type CalendarAddress, readAddress } from './addresses.ts'

/** Maximum characters of a name, the same as in the portal. */
const maxName = 100
const maxLine = 1000

export type Attendee = {
  /** unchanged, as written by the client */
  address: string
  named: CalendarAddress | undefined
  name: string
  /** whether the client leaves the invitation to the server (RFC 6638 §7.1) */
  isOurs: boolean
  /** the property without parameters set by the server; null if too long to store */
  line: string | null
}
export type EventPeople = {
  organizer: { address: string; named: CalendarAddress | undefined } | undefined
  attendees: Attendee[]
}

/** The VEVENTs of an iCalendar text, with the series itself as `master`. */
export function readParts(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text) as never)
  const parts = calendar.getAllSubcomponents('vevent')
  const master = parts.find((part) => !part.hasProperty('recurrence-id'))
  return { calendar, parts, master }
}

/** The people an event invites, without duplicates; read from the series. @param text one event, already validated */
export function readPeople(text: string, origin: string): EventPeople {
  const { master } = readParts(text)
  const organizer = master?.getFirstProperty('organizer')
  const organizerIsOurs = organizer === null || organizer === undefined || isOurs(organizer)
  const byAddress = new Map<string, Attendee>()
  for (const property of master?.getAllProperties('attendee') ?? []) {
    const address = addressIn(property)
    if (!byAddress.has(address.toLowerCase()))
      byAddress.set(address.toLowerCase(), {
        address,
        named: readAddress(address, origin),
        name: [...toSingleLine(String(property.getFirstParameter('cn') ?? ''))]
          .slice(0, maxName)
          .join(''),
        isOurs: organizerIsOurs && isOurs(property),
        line: lineOf(property),
      })
  }
  return {
    organizer: organizer
      ? { address: addressIn(organizer), named: readAddress(addressIn(organizer), origin) }
      : undefined,
    attendees: [...byAddress.values()],
  }
}

export const addressIn = (property: ICAL.Property) => String(property.getFirstValue() ?? '').trim()

const isOurs = (property: ICAL.Property) =>
  !['CLIENT', 'NONE'].includes(
    String(property.getFirstParameter('schedule-agent') ?? '').toUpperCase(),
  )

/** Parameters set by the server, or that apply only once. */
const serverParameters = ['partstat', 'schedule-status', 'schedule-force-send', 'schedule-agent']

function lineOf(property: ICAL.Property): string | null {
  const copy = new ICAL.Property(structuredClone(property.toJSON()) as never)
  for (const name of serverParameters) copy.removeParameter(name)
  const line = copy.toICALString().replaceAll('\r\n ', '')
  return line.length <= maxLine ? line : null
}
