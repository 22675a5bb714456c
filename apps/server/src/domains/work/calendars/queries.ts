import type { Calendar, CalendarDetail, CalendarShare } from '@atrium/contract/work/calendars'
import type { calendarColors } from '@atrium/contract/work/schedule'
import { sql } from 'kysely'
import { type EditRole, mayChange, mayWrite, seesCalendar } from '#domains/work/schedule/queries.ts'
import { visibleTo } from '#platform/audience.ts'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'

/** The `source` of the default calendar of every member, keyed by account id and created with the first event. */
export const firstSource = 'own'
/** The `source` of calendars created by members, keyed by account id and the caller's key. */
export const memberSource = 'member'
const maxListed = 500

type Row = {
  id: string
  name: string
  nameEn: string
  color: string
  kind: string
  mine: boolean
  owner: string
  access: string
  optional: boolean
  subscribed: boolean
  shown: boolean
  isDefault: boolean
  source: string
}
const toCalendar = ({ source, ...row }: Row): Calendar => ({
  ...row,
  color: row.color as (typeof calendarColors)[number],
  kind: row.kind as Calendar['kind'],
  access: row.access as Calendar['access'],
  removable: row.mine
    ? source === memberSource && !row.isDefault
    : row.kind === 'personal' && row.owner !== '',
})

/**
 * Calendars the member sees, and public ones they may subscribe to.
 * @param which additional SQL condition
 */
export async function listCalendars(
  db: Db,
  viewer: Pick<Member, 'accountId' | 'audiences'>,
  which = sql<boolean>`true`,
): Promise<Calendar[]> {
  const { accountId } = viewer
  const open = sql`(${visibleTo(viewer, 'calendar.audience_id')})`
  const { rows } = await sql<Row>`
    select calendar.id, calendar.name, calendar.name_en as "nameEn", calendar.color, calendar.kind, calendar.source,
      calendar.owner_account_id is not distinct from ${accountId}::bigint as mine,
      case when calendar.owner_account_id <> ${accountId} then owner.name else '' end as owner,
      case when calendar.owner_account_id = ${accountId} then 'own' else coalesce(share.access, 'read') end as access,
      calendar.audience_id is not null and not calendar.shown_to_all as optional,
      coalesce(${seesCalendar(viewer)}, false) as subscribed,
      not exists (select from calendar_hidden hidden
        where hidden.calendar_id = calendar.id and hidden.account_id = ${accountId}) as shown,
      coalesce(setting.default_calendar_id = calendar.id,
        calendar.source = ${firstSource} and calendar.owner_account_id = ${accountId}, false) as "isDefault"
    from calendar
    left join calendar_share share on share.calendar_id = calendar.id and share.account_id = ${accountId}
    left join account owner_account on owner_account.id = calendar.owner_account_id
    left join person owner on owner.id = owner_account.person_id
    left join schedule_setting setting on setting.account_id = ${accountId}
      and exists (select from calendar where calendar.id = setting.default_calendar_id and ${mayWrite(accountId)})
    left join calendar_position place on place.account_id = ${accountId} and place.calendar_id = calendar.id
    where (${seesCalendar(viewer)} or ${open}) and ${which}
    order by place.position nulls last, calendar.kind = 'course', calendar.owner_account_id is distinct from ${accountId}::bigint, calendar.id
    limit ${maxListed}`.execute(db)
  return rows.map(toCalendar)
}

/** Stores the order of calendars; those the member does not see are ignored. Call in a transaction. */
export async function arrangeCalendars(db: Db, viewer: Member, ids: readonly string[]) {
  await db.deleteFrom('calendar_position').where('account_id', '=', viewer.accountId).execute()
  await sql`
    insert into calendar_position (account_id, calendar_id, position)
    select ${viewer.accountId}::bigint, calendar.id, given.place
    from unnest(${ids as string[]}::bigint[]) with ordinality as given (id, place)
    join calendar on calendar.id = given.id
    where ${seesCalendar(viewer)} or ${visibleTo(viewer, 'calendar.audience_id')}`.execute(db)
}

/** @throws calendar.not_found */
export async function getCalendar(db: Db, viewer: Member, id: string): Promise<Calendar> {
  const [found] = await listCalendars(db, viewer, sql<boolean>`calendar.id = ${id}`)
  return found ?? fail('calendar.not_found')
}

export const listWritable = (db: Db, viewer: Member) =>
  listCalendars(db, viewer, mayWrite(viewer.accountId))

/** @throws calendar.not_found */
export async function readCalendar(db: Db, viewer: Member, id: string): Promise<CalendarDetail> {
  const calendar = await getCalendar(db, viewer, id)
  const events = await countEvents(db, id)
  return { calendar, events, shares: calendar.mine ? await listShares(db, id) : [] }
}

/** Number of events and series in a calendar. */
export async function countEvents(db: Db, calendarId: string): Promise<number> {
  const { count } = await db
    .selectFrom('event')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('calendar_id', '=', calendarId)
    .executeTakeFirstOrThrow()
  return count
}

async function listShares(db: Db, calendarId: string): Promise<CalendarShare[]> {
  const rows = await db
    .selectFrom('calendar_share as share')
    .innerJoin('account', 'account.id', 'share.account_id')
    .innerJoin('person', 'person.id', 'account.person_id')
    .select([
      'account.username as accountName',
      'person.name',
      'person.name_en as nameEn',
      'access',
    ])
    .where('share.calendar_id', '=', calendarId)
    .orderBy('person.name')
    .execute()
  return rows.map((row) => ({ ...row, access: row.access as CalendarShare['access'] }))
}

/**
 * The calendar for new events, locked until the transaction ends. Without an id it is the chosen default; if none was
 * chosen, or the member may no longer write to it, the member's own calendar, created if necessary.
 * @param id the requested calendar
 * @throws calendar.not_found if the member may not write to it
 */
export async function lockCalendar(db: Db, accountId: string, id?: string): Promise<string> {
  const chosen = db.selectFrom('schedule_setting').select('default_calendar_id')
  const found = await db
    .selectFrom('calendar')
    .select('id')
    .where('id', '=', id ?? chosen.where('account_id', '=', accountId))
    .where(mayWrite(accountId))
    .forUpdate()
    .executeTakeFirst()
  if (found) return found.id
  return id === undefined ? lockDefaultCalendar(db, accountId) : fail('calendar.not_found')
}

/** Like `lockCalendar`; for a department, one of its calendars, which must be given. @throws calendar.not_found */
export async function lockCalendarAs(
  db: Db,
  viewer: Member,
  role: EditRole,
  id: string | undefined,
): Promise<string> {
  if (role === 'member') return lockCalendar(db, viewer.accountId, id)
  const found = await db
    .selectFrom('calendar')
    .select('id')
    .where('id', '=', id ?? null)
    .where(mayChange(viewer, role))
    .forUpdate()
    .executeTakeFirst()
  return found?.id ?? fail('calendar.not_found')
}

async function lockDefaultCalendar(db: Db, accountId: string): Promise<string> {
  const { id } = await db
    .insertInto('calendar')
    .values({
      kind: 'personal',
      source: firstSource,
      source_key: accountId,
      name: '我的日程',
      name_en: 'My events',
      color: 'violet',
      owner_account_id: accountId,
    })
    .onConflict((conflict) =>
      conflict.columns(['source', 'source_key']).doUpdateSet({ source: firstSource }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
