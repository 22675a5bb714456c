import ICAL from 'ical.js'
import { sql } from 'kysely'
import { toSingleLine } from '#domains/work/calendar-exchange/write-calendar.ts'
import type { Db } from '#platform/database/db.ts'
import { addressesOf, principalPath } from './addresses.ts'
import { addressIn } from './read-people.ts'

const states = {
  none: 'NEEDS-ACTION',
  yes: 'ACCEPTED',
  maybe: 'TENTATIVE',
  no: 'DECLINED',
} as const
export const answersByState: Record<string, 'yes' | 'maybe' | 'no'> = {
  ACCEPTED: 'yes',
  TENTATIVE: 'maybe',
  DECLINED: 'no',
}

type Person = {
  line: string | null
  name: string
  address: string
  answer: keyof typeof states
  /** delivery status of the invitation; not shown to invitees */
  status?: string
}
export type VisiblePeople = { organizer: { name: string; address: string }; people: Person[] }
type Reader = { accountId: string; username: string; email: string }

/**
 * Participants by event: all of them for writers; invitees only see themselves.
 * @param sendsMail whether outside participants get mail
 */
export async function listVisiblePeople(
  db: Db,
  reader: Reader,
  eventIds: readonly string[],
  { onlyOwn, sendsMail, origin }: { onlyOwn: boolean; sendsMail: boolean; origin: string },
): Promise<Map<string, VisiblePeople>> {
  if (eventIds.length === 0) return new Map()
  const { rows } = await sql<{
    eventId: string
    line: string | null
    answer: keyof typeof states
    accountId: string | null
    username: string | null
    email: string
    name: string
    organizerId: string | null
    organizerUsername: string | null
    organizer: string | null
  }>`
    select part.event_id::text as "eventId", part.attendee as line, part.answer, part.account_id::text as "accountId",
      account.username, part.email, coalesce(person.name, part.name) as name, event.account_id::text as "organizerId",
      organiser.username as "organizerUsername", organising.name as organizer
    from event_participant part
    join event on event.id = part.event_id
    left join account on account.id = part.account_id left join person on person.id = account.person_id
    left join account organiser on organiser.id = event.account_id
    left join person organising on organising.id = organiser.person_id
    where part.event_id = any(${eventIds as string[]}::bigint[])
      and (not ${onlyOwn}::boolean or part.account_id = ${reader.accountId})
    order by part.event_id, part.id`.execute(db)
  const absolute = (username: string) => `${origin}${principalPath(username)}`
  const ownMailAddress = addressesOf(reader).find((address) => address.startsWith('mailto:'))
  const addressOf = (accountId: string | null, username: string | null) =>
    (accountId === reader.accountId ? ownMailAddress : undefined) ?? absolute(username ?? '')
  return new Map(
    [...Map.groupBy(rows, ({ eventId }) => eventId)].map(([eventId, [first, ...more]]) => [
      eventId,
      {
        organizer: {
          name: first?.organizer ?? '',
          address: first?.organizerUsername
            ? addressOf(first.organizerId, first.organizerUsername)
            : 'invalid:nomail',
        },
        people: (first ? [first, ...more] : []).map(
          ({ line, answer, accountId, username, email, name }) => ({
            line: onlyOwn ? null : line,
            name,
            address: accountId ? addressOf(accountId, username) : `mailto:${email}`,
            answer,
            ...(!onlyOwn && { status: accountId ? '1.2' : sendsMail ? '1.0' : '5.3' }),
          }),
        ),
      },
    ]),
  )
}

/**
 * Writes the participants into an event and its changed occurrences, in addition to those the client invites itself.
 */
export function writePeople(
  parts: readonly ICAL.Component[],
  { organizer, people }: VisiblePeople,
) {
  for (const part of parts) {
    part.removeAllProperties('organizer')
    part.addProperty(propertyOf('organizer', organizer))
    const attendees = people.map((person) => attendeeOf(person))
    const addresses = new Set(attendees.map((property) => addressIn(property).toLowerCase()))
    for (const property of part.getAllProperties('attendee'))
      if (addresses.has(addressIn(property).toLowerCase())) part.removeProperty(property)
    for (const property of attendees) part.addProperty(property)
  }
}

function attendeeOf({ line, answer, status, ...person }: Person) {
  const property = line === null ? propertyOf('attendee', person) : ICAL.Property.fromString(line)
  if (line === null) {
    property.setParameter('cutype', 'INDIVIDUAL')
    property.setParameter('role', 'REQ-PARTICIPANT')
    property.setParameter('rsvp', 'TRUE')
  }
  property.setParameter('partstat', states[answer])
  if (status) property.setParameter('schedule-status', status)
  return property
}

function propertyOf(kind: string, { name, address }: { name: string; address: string }) {
  const property = new ICAL.Property(kind)
  const displayName = toSingleLine(name).replaceAll('"', '')
  if (displayName) property.setParameter('cn', displayName)
  property.setValue(address)
  return property
}
