import ICAL from 'ical.js'
import { oneLine } from '#domains/work/calendar-exchange/write-calendar.ts'
import { type Named, readAddress } from './addresses.ts'

/** Characters of a name that are kept, as of one given in the portal. */
const maxName = 100
const maxLine = 1000

export type Attendee = {
  /** as it is written */
  address: string
  named: Named | undefined
  name: string
  /** whether whoever wrote it leaves the invitation to us (RFC 6638 §7.1) */
  isOurs: boolean
  /** its line, without what is said of it by us; nothing where it is too long to be kept */
  line: string | null
}
export type GivenPeople = {
  organizer: { address: string; named: Named | undefined } | undefined
  attendees: Attendee[]
}

/** The parts of an iCalendar text that are events, the series before the changes of its occurrences. */
export function readParts(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text) as never)
  const parts = calendar.getAllSubcomponents('vevent')
  const master = parts.find((part) => !part.hasProperty('recurrence-id'))
  return { calendar, parts, master }
}

/** Whom an event invites, each once: the people of the series. @param text of one event, which was read before */
export function readPeople(text: string, origin: string): GivenPeople {
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
        name: [...oneLine(String(property.getFirstParameter('cn') ?? ''))]
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

/** What we say, and what is to be done once. */
const ofTheServer = ['partstat', 'schedule-status', 'schedule-force-send', 'schedule-agent']

function lineOf(property: ICAL.Property): string | null {
  const copy = new ICAL.Property(structuredClone(property.toJSON()) as never)
  for (const name of ofTheServer) copy.removeParameter(name)
  const line = copy.toICALString().replaceAll('\r\n ', '')
  return line.length <= maxLine ? line : null
}
