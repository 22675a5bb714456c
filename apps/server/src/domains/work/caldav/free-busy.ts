import ICAL from 'ical.js'
import { sql } from 'kysely'
import {
  maxPeople,
  maxDays as maxRequestDays,
  readBusy,
} from '#domains/work/appointments/free-busy.ts'
import { addressKey, isAddressOf, readAddress } from '#domains/work/caldav-scheduling/addresses.ts'
import { addressIn } from '#domains/work/caldav-scheduling/read-people.ts'
import { resolvePeople } from '#domains/work/caldav-scheduling/resolve-people.ts'
import { foldLines } from '#domains/work/calendar-exchange/write-calendar.ts'
import type { Db } from '#platform/database/db.ts'
import type { Platform } from '#platform/platform.ts'
import { type Collection, isInCollection } from './collections.ts'
import { DavError } from './dav-error.ts'
import type { DavMember } from './passwords.ts'
import { spanOf } from './reports.ts'
import { cal, childOf, element, escapeXml, href, type Markup, type XmlNode } from './xml.ts'

const maxDays = 400
/** More spans than anybody has in this period. */
const maxSpans = 20_000

type Span = { startsAt: number; endsAt: number; tentative: boolean }

/** The busy times of a calendar, without details (RFC 4791 §7.10). @throws DavError 403 */
export async function freeBusyReport(
  db: Db,
  member: DavMember,
  collection: Collection,
  body: XmlNode,
): Promise<string> {
  const range = childOf(body, cal, 'time-range')
  const { from, to } = range ? spanOf(range) : { from: null, to: null }
  const [start, end] = [Date.parse(from ?? ''), Date.parse(to ?? '')]
  if (!(start < end) || end - start > maxDays * 86_400_000)
    throw new DavError(403, `The time range needs an end and can be at most ${maxDays} days long.`)
  const spans = await listSpans(db, member, collection, { start, end })
  return write(spans, { start, end })
}

async function listSpans(
  db: Db,
  member: DavMember,
  collection: Collection,
  { start, end }: { start: number; end: number },
): Promise<Span[]> {
  const { rows } = await sql<{ startsAt: string; endsAt: string; tentative: boolean }>`
    select o.starts_at as "startsAt", o.ends_at as "endsAt",
      coalesce(part.answer in ('none', 'maybe'), false) as tentative
    from event join event_occurrence o on o.event_id = event.id and o.calendar_id = event.calendar_id
      and o.starts_at < ${new Date(end).toISOString()} and o.ends_at > ${new Date(start).toISOString()}
    left join event_participant part on part.event_id = event.id and part.account_id = ${member.accountId}
    where ${isInCollection(db, member, collection)} and event.busy and part.answer is distinct from 'no'
    order by o.starts_at limit ${maxSpans}`.execute(db)
  return rows.map(({ startsAt, endsAt, tentative }) => ({
    startsAt: Math.max(start, Date.parse(startsAt)),
    endsAt: Math.min(end, Date.parse(endsAt)),
    tentative,
  }))
}

/**
 * Answers a VFREEBUSY request (RFC 6638 §5). As in the portal, no times are returned for people who do not share them
 * or are unknown.
 * @returns the parts of a schedule-response
 * @throws DavError 403
 */
export async function answerFreeBusy(
  platform: Platform,
  member: DavMember,
  text: string,
): Promise<Markup[]> {
  const origin = platform.origin()
  const { uid, organizer, addresses, start, end } = readRequest(text)
  if (!isAddressOf(readAddress(organizer, origin), member))
    throw refused('organizer-allowed', 'The request must be made in your own name.')
  if (!(start < end) || end - start > maxRequestDays * 86_400_000 || addresses.length > maxPeople)
    throw refused(
      'valid-scheduling-message',
      `A request can ask about at most ${maxPeople} people and ${maxRequestDays} days.`,
    )
  const people = addresses.map((address) => readAddress(address, origin))
  const resolved = await resolvePeople(platform, member, people)
  const accountOf = (one: (typeof people)[number]) => {
    const person = one && resolved.get(addressKey(one))
    return person && 'accountId' in person ? person.accountId : undefined
  }
  const accounts = people.flatMap((one) => accountOf(one) ?? [])
  const busy = await readBusy(platform, member, accounts, {
    from: new Date(start).toISOString(),
    to: new Date(end).toISOString(),
  })
  return addresses.map((attendee, index) => {
    const account = accountOf(people[index])
    const spans = account === undefined ? undefined : busy.get(account)
    const status = spans
      ? '2.0;Success'
      : account === undefined
        ? '3.7;Invalid calendar user'
        : '3.8;No authority'
    const clipped = spans?.map(({ startsAt, endsAt }) => ({
      startsAt: Math.max(start, Date.parse(startsAt)),
      endsAt: Math.min(end, Date.parse(endsAt)),
      tentative: false,
    }))
    return element(cal, 'response', [
      element(cal, 'recipient', href(attendee)),
      element(cal, 'request-status', escapeXml(status)),
      ...(clipped
        ? [
            element(
              cal,
              'calendar-data',
              escapeXml(write(clipped, { start, end }, { uid, organizer, attendee })),
            ),
          ]
        : []),
    ])
  })
}

function readRequest(text: string) {
  try {
    const calendar = new ICAL.Component(ICAL.parse(text) as never)
    const part = calendar.getFirstSubcomponent('vfreebusy')
    const timeIn = (name: string) => {
      const value = part?.getFirstPropertyValue(name)
      return value instanceof ICAL.Time ? value.toUnixTime() * 1000 : Number.NaN
    }
    const organizer = part?.getFirstProperty('organizer')
    if (part && organizer)
      return {
        uid: String(part.getFirstPropertyValue('uid') ?? ''),
        organizer: addressIn(organizer),
        addresses: part.getAllProperties('attendee').map(addressIn),
        start: timeIn('dtstart'),
        end: timeIn('dtend'),
      }
  } catch {
    // refused below
  }
  throw refused('valid-scheduling-message', 'Only VFREEBUSY requests are supported here.')
}

const refused = (condition: string, message: string) =>
  new DavError(403, message, { condition: element(cal, condition) })

/** Merges touching spans. */
function mergeSpans(spans: readonly Span[]): Span[] {
  const merged: Span[] = []
  for (const span of [...spans].sort((a, b) => a.startsAt - b.startsAt)) {
    const last = merged.at(-1)
    if (last && span.startsAt <= last.endsAt) last.endsAt = Math.max(last.endsAt, span.endsAt)
    else merged.push({ ...span })
  }
  return merged
}

function write(
  spans: readonly Span[],
  { start, end }: { start: number; end: number },
  request?: { uid: string; organizer: string; attendee: string },
): string {
  const calendar = new ICAL.Component('vcalendar')
  calendar.addPropertyWithValue('version', '2.0')
  calendar.addPropertyWithValue('prodid', '-//Atrium//Calendar//EN')
  const part = new ICAL.Component('vfreebusy')
  part.addPropertyWithValue('dtstamp', timeOf(Date.now()))
  if (request) {
    calendar.addPropertyWithValue('method', 'REPLY')
    for (const [name, value] of Object.entries(request)) part.addPropertyWithValue(name, value)
  }
  part.addPropertyWithValue('dtstart', timeOf(start))
  part.addPropertyWithValue('dtend', timeOf(end))
  for (const [type, tentative] of [
    ['BUSY', false],
    ['BUSY-TENTATIVE', true],
  ] as const)
    for (const { startsAt, endsAt } of mergeSpans(
      spans.filter((span) => span.tentative === tentative),
    )) {
      const property = new ICAL.Property('freebusy')
      property.setParameter('fbtype', type)
      property.setValue(new ICAL.Period({ start: timeOf(startsAt), end: timeOf(endsAt) }))
      part.addProperty(property)
    }
  calendar.addSubcomponent(part)
  return `${foldLines(calendar.toString())}\r\n`
}

const timeOf = (milliseconds: number) =>
  ICAL.Time.fromDateTimeString(`${new Date(milliseconds).toISOString().slice(0, 19)}Z`)
