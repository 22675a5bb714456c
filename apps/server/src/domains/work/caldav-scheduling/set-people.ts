import { sql } from 'kysely'
import { setParticipants } from '#domains/work/appointments/participants.ts'
import { foldLines } from '#domains/work/calendar-exchange/write-calendar.ts'
import type { Db } from '#platform/database/db.ts'
import { addressKey, isAddressOf, readAddress } from './addresses.ts'
import { type Attendee, addressIn, type EventPeople, readParts } from './read-people.ts'
import type { ResolvedPeople, ResolvedPerson, Writer } from './resolve-people.ts'

type Existing = { accountId: string | null; email: string; attendee: string | null }
type Outcome =
  /** by its ORGANIZER, the event belongs to somebody else, but it has participants here */
  | 'other-organizer'
  /** the text to store, and whether anybody is invited */
  | { text: string; invites: boolean }

/**
 * Sets the participants to those the client wrote, as the portal does. Call in a transaction, after the event is
 * written.
 * @param before the text the client wrote last
 * @param sawAll whether the client's text is based on the current version; only then are missing people removed
 */
export async function setPeople(
  db: Db,
  writer: Writer,
  eventId: string,
  input: {
    text: string
    people: EventPeople
    known: ResolvedPeople
    before: string | null
    sawAll: boolean
    origin: string
  },
): Promise<Outcome> {
  const { text, people, known, before, sawAll, origin } = input
  const existing = await listExisting(db, eventId)
  const organizer = (await findOrganizer(db, eventId)) ?? writer
  const isOwn =
    people.organizer === undefined ||
    isAddressOf(people.organizer.named, organizer) ||
    isAddressOf(people.organizer.named, writer) ||
    (before !== null && organizerIn(before) === people.organizer.address)
  if (!isOwn) return existing.length > 0 ? 'other-organizer' : { text, invites: false }

  const resolve = (named: Attendee['named']): ResolvedPerson | undefined =>
    named ? (known.get(addressKey(named)) ?? undefined) : { status: '3.7' }
  const accounts = new Map<string, Attendee>()
  const external = new Map<string, Attendee>()
  const refused = new Map<string, string>()
  for (const attendee of people.attendees) {
    const resolved = resolve(attendee.named)
    if (!resolved || ('accountId' in resolved && resolved.accountId === organizer.accountId))
      continue
    if ('status' in resolved) refused.set(attendee.address.toLowerCase(), resolved.status)
    else if (attendee.isOurs || existing.some((row) => isOf(row, resolved)))
      if ('accountId' in resolved) accounts.set(resolved.accountId, attendee)
      else external.set(resolved.email, attendee)
  }
  // A client without support for participants has not removed any.
  const knowsPeople = people.organizer !== undefined || people.attendees.length > 0
  const isRetained = (row: Existing) => !sawAll || (!knowsPeople && row.attendee === null)
  const retained = existing.filter(isRetained)
  await setParticipants(db, writer, eventId, {
    accounts: [
      ...new Set([...accounts.keys(), ...retained.flatMap(({ accountId }) => accountId ?? [])]),
    ],
    external: [
      ...[...external].map(([email, { name }]) => ({ email, name })),
      ...retained
        .filter(({ accountId, email }) => accountId === null && !external.has(email))
        .map(({ email }) => ({ email, name: '' })),
    ],
  })
  await storeLines(db, eventId, accounts, external)
  const invited = new Set(
    [...accounts.values(), ...external.values()].map(({ address }) => address.toLowerCase()),
  )
  return {
    text: invited.size + refused.size === 0 ? text : rewrite(text, invited, refused, origin),
    invites: invited.size + refused.size + retained.length > 0,
  }
}

const isOf = (row: Existing, whom: Exclude<ResolvedPerson, { status: string }>) =>
  'accountId' in whom
    ? row.accountId === whom.accountId
    : row.accountId === null && row.email === whom.email

const listExisting = (db: Db, eventId: string): Promise<Existing[]> =>
  db
    .selectFrom('event_participant')
    .select(['account_id as accountId', 'email', 'attendee'])
    .where('event_id', '=', eventId)
    .execute()

const findOrganizer = (db: Db, eventId: string) =>
  db
    .selectFrom('event')
    .innerJoin('account', 'account.id', 'event.account_id')
    .innerJoin('person', 'person.id', 'account.person_id')
    .select(['account.id as accountId', 'account.username', 'person.email'])
    .where('event.id', '=', eventId)
    .executeTakeFirst()

const organizerIn = (text: string) => {
  const property = readParts(text).master?.getFirstProperty('organizer')
  return property ? addressIn(property) : undefined
}

async function storeLines(
  db: Db,
  eventId: string,
  accounts: ReadonlyMap<string, Attendee>,
  external: ReadonlyMap<string, Attendee>,
) {
  const rows = [
    ...[...accounts].map(([accountId, { line }]) => ({ accountId, email: '', line })),
    ...[...external].map(([email, { line }]) => ({ accountId: null, email, line })),
  ]
  if (rows.length === 0) return
  await sql`
    update event_participant part set attendee = given.line
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given ("accountId" bigint, email text, line text)
    where part.event_id = ${eventId} and part.account_id is not distinct from given."accountId"
      and part.email = given.email and part.attendee is distinct from given.line`.execute(db)
}

/**
 * Removes people invited here from the text, because they are written from the table. Sets SCHEDULE-STATUS for those
 * refused.
 */
function rewrite(
  text: string,
  invited: ReadonlySet<string>,
  refused: ReadonlyMap<string, string>,
  origin: string,
): string {
  const { calendar, parts } = readParts(text)
  for (const part of parts)
    for (const property of part.getAllProperties('attendee')) {
      const address = addressIn(property).toLowerCase()
      const status = readAddress(address, origin) ? refused.get(address) : '3.7'
      if (invited.has(address)) part.removeProperty(property)
      else if (status) property.setParameter('schedule-status', status)
    }
  return `${foldLines(calendar.toString())}\r\n`
}
