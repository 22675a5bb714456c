import type { calendarColors } from '@atrium/contract/work/schedule'
import { type RawBuilder, sql } from 'kysely'
import { externalSource } from '#domains/work/calendar-exchange/queries.ts'
import { lockCalendar, memberSource } from '#domains/work/calendars/queries.ts'
import { mayWrite, visibleCalendars } from '#domains/work/schedule/queries.ts'
import type { Database, Db } from '#platform/database/db.ts'
import { notFound } from './dav-error.ts'
import type { DavMember } from './passwords.ts'

/** A calendar as CalDAV clients see it. */
export type Collection = {
  /** the calendar's id; null for the collection of invitations, which belong to other people's calendars */
  id: string | null
  /** its path segment */
  segment: string
  name: string
  color: string
  mine: boolean
  editable: boolean
  /** changes whenever one of its events does */
  stamp: string
  /** sync token; null if clients must compare all ETags */
  token: string | null
}

/** Path segment of the invitations. */
const invitationsSegment = 'invitations'
/** Segments that clients may choose for new calendars; purely numeric ones are reserved. */
export const isSegment = (segment: string) =>
  /^(?!\d+$)[\w.~-]{8,60}$/.test(segment) && segment !== invitationsSegment
const tokenPrefix = 'urn:atrium:sync:'
const maxListed = 500

/** RGB values of the calendar colours, as in the light theme. */
const colors = {
  blue: '#2C63B8',
  green: '#2A8A5E',
  orange: '#ED663F',
  violet: '#6E56C0',
  amber: '#B7791F',
  teal: '#1F8A94',
} satisfies Record<(typeof calendarColors)[number], string>

/** The calendar colour closest to a given one. */
export function nearestColor(hex: string): (typeof calendarColors)[number] | undefined {
  const rgbOf = (text: string) =>
    /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i
      .exec(text)
      ?.slice(1)
      .map((part) => Number.parseInt(part, 16))
  const target = rgbOf(hex.trim())
  if (!target) return undefined
  const distance = (text: string) =>
    (rgbOf(text) ?? []).reduce((sum, part, index) => sum + (part - (target[index] ?? 0)) ** 2, 0)
  const entries = Object.entries(colors) as [keyof typeof colors, string][]
  return entries.sort(([, a], [, b]) => distance(a) - distance(b))[0]?.[0]
}

/**
 * Calendars the member may read, except subscriptions to outside calendars: clients can subscribe to those directly.
 */
async function listCollections(
  db: Db,
  member: DavMember,
  which: RawBuilder<boolean> = sql<boolean>`true`,
): Promise<Collection[]> {
  const rows = await visibleCalendars(db, member)
    .select([
      'calendar.id',
      'calendar.name',
      'calendar.name_en',
      'calendar.color',
      'calendar.source',
      'calendar.source_key',
      sql<boolean>`calendar.owner_account_id is not distinct from ${member.accountId}::bigint`.as(
        'mine',
      ),
      mayWrite(member.accountId).as('editable'),
      // Never beyond the oldest running transaction, whose changes are not visible yet.
      sql<string>`least(coalesce((select revision.changed_in::text::bigint from event_revision revision
        where revision.calendar_id = calendar.id order by revision.changed_in desc limit 1), 0) + 1,
        pg_snapshot_xmin(pg_current_snapshot())::text::bigint)::text`.as('reached'),
      sql<string>`(select oid::text from pg_database where datname = current_database())`.as(
        'database',
      ),
    ])
    .where('calendar.source', '<>', externalSource)
    .where(which)
    // Clients use the first calendar as default, so writable ones come first.
    .orderBy(sql`not ${mayWrite(member.accountId)}`)
    .orderBy(sql`calendar.owner_account_id is distinct from ${member.accountId}::bigint`)
    .orderBy(sql`calendar.kind = 'course'`)
    .orderBy('calendar.id')
    .limit(maxListed)
    .execute()
  return rows.map((row) => {
    const token = `${tokenPrefix}${row.database}-${row.reached}`
    return {
      id: row.id,
      segment: segmentOf(row, member),
      name: (member.language === 'en' && row.name_en) || row.name,
      color: colors[row.color as keyof typeof colors] ?? colors.blue,
      mine: row.mine && row.editable,
      editable: row.editable,
      stamp: token,
      token,
    }
  })
}

/** A calendar created by a client keeps the path it was created at. */
function segmentOf(
  {
    id,
    source,
    source_key,
    mine,
  }: Record<'id' | 'source', string> & { source_key: string | null; mine: boolean },
  { accountId }: DavMember,
) {
  const prefix = `${accountId} `
  if (!mine || source !== memberSource || !source_key?.startsWith(prefix)) return id
  const key = source_key.slice(prefix.length)
  return isSegment(key) ? key : id
}

/** How far a client has synchronised. */
export type Position = {
  /** from where to report changes; null for all events */
  since: string | null
  /** if the previous answer was truncated, the smallest event id in it */
  below: string | null
  /** the token to continue with once everything was reported */
  next: string
}

/**
 * Reads a token of this collection; an empty one begins anew. The token of a truncated answer holds, after the position
 * at which its listing began, the position it lists changes from (0 for all events) and the last event id.
 * @returns undefined for a token of another database
 */
export function readToken(token: string, given: string): Position | undefined {
  if (given === '') return { since: null, below: null, next: token }
  const [, start, reached, since, below] =
    /^(urn:atrium:sync:\d{1,10}-)(\d{1,18})(?:-(\d{1,18})-(\d{1,18}))?$/.exec(given) ?? []
  if (!start || !reached || !token.startsWith(start)) return undefined
  // A token from the future was issued before a backup was restored.
  if (BigInt(reached) > BigInt(token.slice(start.length))) return undefined
  if (!since || !below) return { since: reached, below: null, next: token }
  return { since: since === '0' ? null : since, below, next: `${start}${reached}` }
}

/** The token of a truncated answer. @param last the smallest event id in it */
export const truncatedToken = ({ next, since }: Position, last: string) =>
  `${next}-${since ?? '0'}-${last}`

/** All collections of a member. The default calendar is created for the first device. */
export async function listHome(db: Database, member: DavMember): Promise<Collection[]> {
  let found = await listCollections(db, member)
  if (!found.some(({ editable }) => editable)) {
    await db.transaction().execute((db) => lockCalendar(db, member.accountId))
    found = await listCollections(db, member)
  }
  return [...found, await readInvitations(db, member)]
}

/** @throws DavError 404 */
export async function getCollection(
  db: Db,
  member: DavMember,
  segment: string,
): Promise<Collection> {
  if (segment === invitationsSegment) return readInvitations(db, member)
  const [found] = await listCollections(
    db,
    member,
    /^\d{1,18}$/.test(segment)
      ? sql<boolean>`calendar.id = ${segment}`
      : sql<boolean>`calendar.source = ${memberSource} and calendar.source_key = ${`${member.accountId} ${segment}`}`,
  )
  return found ?? Promise.reject(notFound())
}

async function readInvitations(db: Db, member: DavMember): Promise<Collection> {
  const { rows } = await sql<{ stamp: string }>`
    select coalesce(md5(string_agg(concat(event.id, ' ', revision.changed_in), ',' order by event.id)), '') as stamp
    from event left join event_revision revision
      on revision.calendar_id = event.calendar_id and revision.event_id = event.id
    where ${isInvited(db, member)}`.execute(db)
  return {
    id: null,
    segment: invitationsSegment,
    name: member.language === 'en' ? 'Invitations' : '日程邀请',
    color: colors.violet,
    mine: false,
    editable: false,
    stamp: rows[0]?.stamp || 'none',
    // Being invited does not count as a change of the event, so there is no sync token.
    token: null,
  }
}

/** SQL condition on `event`: the member is invited, has not declined, and does not see its calendar. */
const isInvited = (db: Db, member: DavMember) =>
  sql<boolean>`(event.id in (select part.event_id from event_participant part
      where part.account_id = ${member.accountId} and part.answer <> 'no')
    and event.calendar_id not in (${visibleCalendars(db, member).select('calendar.id')}))`

/** SQL condition on `event`: it is in the collection. */
export const isInCollection = (db: Db, member: DavMember, { id }: Collection) =>
  id === null ? isInvited(db, member) : sql<boolean>`event.calendar_id = ${id}`
