import type { DepartmentCalendar } from '@atrium/contract/work/department-calendars.operator'
import type { Occurrence } from '@atrium/contract/work/schedule'
import { dayIn } from '@atrium/rules/day-in'
import { roomInEnglish } from '@atrium/rules/places/room-in-english'
import { sql } from 'kysely'
import { listAllPlaces } from '#domains/shell/map/queries.ts'
import { operatesCalendar } from '#domains/work/schedule/queries.ts'
import type { Rule } from '#platform/audience.ts'
import type { Db } from '#platform/database/db.ts'
import type { Member } from '#platform/http/guard.ts'
import { pattern } from '#platform/http/paging.ts'
import type { Platform } from '#platform/platform.ts'

/** The `source` of department calendars, keyed by department and the caller's key. */
export const departmentSource = 'department'
const maxListed = 200
const maxOccurrences = 2000

/** Calendars of the departments the viewer manages. @param id only this one */
export async function listDepartmentCalendars(
  db: Db,
  viewer: Member,
  id?: string,
): Promise<DepartmentCalendar[]> {
  const rows = await db
    .selectFrom('calendar')
    .innerJoin('audience', 'audience.id', 'calendar.audience_id')
    .innerJoin('organization', 'organization.id', 'calendar.organization_id')
    .select([
      'calendar.id',
      'calendar.revision',
      'calendar.name',
      'calendar.name_en as nameEn',
      'calendar.color',
      'calendar.shown_to_all as shownToAll',
      'organization.code as organization',
      'organization.name as organizationName',
      'organization.name_en as organizationNameEn',
      'audience.rules',
    ])
    .select([
      sql<number>`(select count(*)::integer from event where calendar_id = calendar.id)`.as(
        'events',
      ),
      sql<number>`(select count(*)::integer from calendar_subscription where calendar_id = calendar.id)`.as(
        'subscribers',
      ),
      sql<
        DepartmentCalendar['editors']
      >`coalesce((select jsonb_agg(jsonb_build_object('accountName', account.username,
          'name', person.name, 'nameEn', person.name_en) order by person.name)
        from calendar_share share join account on account.id = share.account_id join person on person.id = account.person_id
        where share.calendar_id = calendar.id and share.access = 'write'), '[]')`.as('editors'),
    ])
    .where(operatesCalendar(viewer))
    .$if(id !== undefined, (query) => query.where('calendar.id', '=', id as string))
    .orderBy('organization.position')
    .orderBy('calendar.id')
    .limit(maxListed)
    .execute()
  return rows.map(({ rules, ...row }) => ({
    ...row,
    color: row.color as DepartmentCalendar['color'],
    audience: (rules as Rule[])
      // Rules for single accounts are not created here and cannot be edited here.
      .filter((rule) => rule.kind !== 'account')
      .map((rule) => ({ target: '', ...rule })) as DepartmentCalendar['audience'],
  }))
}

/** Number of a department's calendars, to enforce the maximum. */
export async function countOfDepartment(db: Db, organizationId: string): Promise<number> {
  const { count } = await db
    .selectFrom('calendar')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return count
}

type Span = { from: string; to: string; calendarId?: string | undefined }

const inSpan = (db: Db, viewer: Member, { from, to, calendarId }: Span) =>
  db
    .selectFrom('calendar')
    .innerJoin('event_occurrence as o', 'o.calendar_id', 'calendar.id')
    .innerJoin('event', 'event.id', 'o.event_id')
    .where(operatesCalendar(viewer))
    .$if(calendarId !== undefined, (query) => query.where('calendar.id', '=', calendarId as string))
    .where('o.starts_at', '<', to)
    .where('o.ends_at', '>', from)

export async function countOccurrences(db: Db, viewer: Member, span: Span): Promise<number> {
  const { count } = await inSpan(db, viewer, span)
    .select(sql<number>`count(*)::integer`.as('count'))
    .executeTakeFirstOrThrow()
  return Math.min(count, maxOccurrences)
}

/** Occurrences in the calendars the viewer manages, in time order, regardless of their audience. */
export async function listDepartmentOccurrences(
  platform: Platform,
  viewer: Member,
  span: Span,
  timeZone: string,
  limit = maxOccurrences,
): Promise<Occurrence[]> {
  const places = await listAllPlaces(platform)
  const rows = await inSpan(platform.db, viewer, span)
    .leftJoin('event_override as changed', (join) =>
      join
        .onRef('changed.event_id', '=', 'o.event_id')
        .onRef('changed.original_local', '=', 'o.original_local'),
    )
    .select([
      'event.id',
      'event.calendar_id as calendarId',
      'event.all_day',
      'event.time_zone',
      'event.busy',
      'event.version',
      'event.person',
      sql<string>`coalesce(event.category_color, calendar.color)`.as('color'),
      'o.starts_at',
      'o.ends_at',
    ])
    .select([
      sql<string>`coalesce(changed.title, event.title)`.as('title'),
      sql<string>`case when changed.title is null then event.title_en else '' end`.as('titleEn'),
      sql<string>`coalesce(changed.location, event.location)`.as('location'),
    ])
    .orderBy('o.starts_at')
    .orderBy('event.id')
    .limit(limit)
    .execute()
  return rows.map(({ all_day, time_zone, starts_at, ends_at, ...row }): Occurrence => {
    const zone = all_day ? time_zone : timeZone
    return {
      ...row,
      locationEn: roomInEnglish(row.location, places),
      kind: 'event',
      color: row.color as Occurrence['color'],
      startsAt: starts_at,
      endsAt: ends_at,
      allDay: all_day,
      firstDay: dayIn(Date.parse(starts_at), zone),
      // An end at midnight belongs to the previous day.
      lastDay: dayIn(Math.max(Date.parse(ends_at) - 1, Date.parse(starts_at)), zone),
      timeZone: time_zone,
      answer: null,
      editable: true,
      struck: false,
      change: null,
    }
  })
}

/** Events that contain these words, upcoming ones first. */
export const findDepartmentEvents = (db: Db, viewer: Member, words: string, limit: number) =>
  db
    .selectFrom('event')
    .innerJoin('calendar', 'calendar.id', 'event.calendar_id')
    .innerJoinLateral(
      (next) =>
        next
          .selectFrom('event_occurrence as o')
          .select('o.starts_at')
          .whereRef('o.event_id', '=', 'event.id')
          .orderBy(sql`o.ends_at < now()`)
          .orderBy(sql`abs(extract(epoch from o.starts_at - now()))`)
          .limit(1)
          .as('next'),
      (join) => join.onTrue(),
    )
    .select([
      'event.id',
      'event.title',
      'event.title_en as titleEn',
      'calendar.name as note',
      'calendar.name_en as noteEn',
      'next.starts_at as at',
    ])
    .where(operatesCalendar(viewer))
    .where(
      sql<boolean>`(event.title ilike ${pattern(words)} or event.title_en ilike ${pattern(words)}
        or event.location ilike ${pattern(words)})`,
    )
    .orderBy(sql`next.starts_at < now()`)
    .orderBy('next.starts_at')
    .limit(limit)
    .execute()

/** The department of an event the viewer may change, and who entered the event. */
export const findDepartmentOfEvent = (db: Db, viewer: Member, id: string) =>
  db
    .selectFrom('event')
    .innerJoin('calendar', 'calendar.id', 'event.calendar_id')
    .innerJoin('organization', 'organization.id', 'calendar.organization_id')
    .leftJoin('account', 'account.id', 'event.account_id')
    .leftJoin('person', 'person.id', 'account.person_id')
    .select(['organization.code', sql<string>`organization.name`.as('name')])
    .select(sql<string>`coalesce(person.name, '')`.as('writtenBy'))
    .where('event.id', '=', id)
    .where(operatesCalendar(viewer))
    .executeTakeFirst()

export const findDepartmentOfCalendar = (db: Db, viewer: Member, id: string) =>
  db
    .selectFrom('calendar')
    .innerJoin('organization', 'organization.id', 'calendar.organization_id')
    .select(['organization.code', sql<string>`organization.name`.as('name')])
    .where('calendar.id', '=', id)
    .where(operatesCalendar(viewer))
    .executeTakeFirst()
