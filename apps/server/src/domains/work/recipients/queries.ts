import type {
  RecipientCourse,
  RecipientEvent,
  RecipientList,
} from '@atrium/contract/work/sending/recipients'
import { type RawBuilder, sql } from 'kysely'
import { isGroupUsable } from '#domains/member/address-book/contact-groups.ts'
import { selectPeople } from '#domains/work/sending/choices.ts'
import {
  isWithin,
  peopleOfCourses,
  peopleOfEvents,
  peopleOfLists,
  type SendingScope,
} from '#domains/work/sending/recipients.ts'
import { isCourseUsable, isEventUsable } from '#domains/work/sending/senders.ts'
import type { Db } from '#platform/database/db.ts'
import type { Member } from '#platform/http/guard.ts'
import { pattern } from '#platform/http/paging.ts'

const maxListed = 100

const toResult = <Row>(rows: Row[]) => ({
  list: rows.slice(0, maxListed),
  more: rows.length > maxListed,
})

/** SQL count of those people the sender may reach. */
const reachable = (within: SendingScope, people: RawBuilder<unknown>) => sql<number>`(
  select count(*)::integer from account join organization on organization.id = account.organization_id
  where account.id in (${people}) and account.status <> 'disabled' and ${isWithin(within)})`

const matchesName = (keyWords: string | undefined, ...columns: string[]) =>
  keyWords?.trim()
    ? sql<boolean>`(${sql.join(
        columns.map((column) => sql`lower(${sql.ref(column)}) like ${pattern(keyWords)}`),
        sql` or `,
      )})`
    : sql<boolean>`true`

type ListRow = Omit<RecipientList, 'sharedWith'> & {
  code: string | null
  place: string | null
  placeEn: string | null
}

const toList = ({ code, place, placeEn, ...row }: ListRow): RecipientList => ({
  ...row,
  sharedWith: code === null ? null : { ins_code: code, name: place ?? '', nameEn: placeEn ?? '' },
})

const selectLists = (
  viewer: Member,
  within: SendingScope,
  which: RawBuilder<boolean>,
) => sql<ListRow>`
  select g.id::text as "listId", g.name, g.account_id = ${viewer.accountId} as own,
    person.name as keeper, person.name_en as "keeperEn",
    place.code, place.name as place, place.name_en as "placeEn",
    ${reachable(within, peopleOfLists(sql`array[g.id]`))} as members
  from address_book_group g
  join account owner on owner.id = g.account_id
  join person on person.id = owner.person_id
  left join organization place on place.id = g.shared_organization_id
  where ${isGroupUsable(viewer)} and ${which}
  order by own desc, g.name collate "zh-x-icu", g.id limit ${maxListed + 1}`

/** The sender's own lists, then those shared with one of their departments. */
export async function listLists(
  db: Db,
  viewer: Member,
  within: SendingScope,
  keyWords: string | undefined,
) {
  const { rows } = await selectLists(viewer, within, matchesName(keyWords, 'g.name')).execute(db)
  return toResult(rows.map(toList))
}

export async function findList(db: Db, viewer: Member, within: SendingScope, id: string) {
  const { rows } = await selectLists(viewer, within, sql<boolean>`g.id = ${id}`).execute(db)
  return rows[0] && toList(rows[0])
}

/** The people in a list the sender may reach. Not paged, because lists are short. */
export const listPeople = (db: Db, within: SendingScope, id: string) =>
  selectPeople(db, within)
    .where(sql<boolean>`account.id in (${peopleOfLists(sql`array[${id}::bigint]`)})`)
    .orderBy('person.name')
    .orderBy('account.username')
    .execute()

/** The accounts with these usernames the sender may reach. */
export async function findAccounts(db: Db, within: SendingScope, accountNames: readonly string[]) {
  const rows = await db
    .selectFrom('account')
    .innerJoin('organization', 'organization.id', 'account.organization_id')
    .select('account.id')
    .where(
      'account.username',
      '=',
      sql<string>`any(${accountNames.map((one) => one.trim().toLowerCase())}::text[])`,
    )
    .where('account.status', '<>', 'disabled')
    .where(isWithin(within))
    .execute()
  return rows.map(({ id }) => id)
}

/** Organisations a member may share with: their own and those above it, nearest first. */
export const listSharingOrganizations = (db: Db, viewer: Member) =>
  db
    .selectFrom('organization as place')
    .innerJoin('organization as own', (join) => join.on('own.id', '=', viewer.organizationId))
    .select(['place.code as ins_code', 'place.name', 'place.name_en as nameEn', 'place.id'])
    .where(sql<boolean>`place.code = any(own.path)`)
    .orderBy(sql`cardinality(place.path)`, 'desc')
    .execute()

export const setShared = (db: Db, id: string, organizationId: string | null) =>
  db
    .updateTable('address_book_group')
    .set({ shared_organization_id: organizationId })
    .where('id', '=', id)
    .execute()

export async function listCourses(
  db: Db,
  viewer: Member,
  within: SendingScope,
  keyWords: string | undefined,
) {
  const { rows } = await sql<RecipientCourse>`
    select course.id::text as "courseId", course.name, course.name_en as "nameEn", course.code,
      term.name as term, term.name_en as "termEn", teachers.list as teachers,
      ${reachable(within, peopleOfCourses(sql`array[course.id]`))} as members
    from (
      select course.*, term.starts_on from course join academic_term term on term.id = course.term_id
      where ${isCourseUsable(viewer, within)} and ${matchesName(keyWords, 'course.name', 'course.name_en', 'course.code')}
      order by term.starts_on desc, course.name, course.id limit ${maxListed + 1}
    ) course
    join academic_term term on term.id = course.term_id
    cross join lateral (
      select coalesce(jsonb_agg(jsonb_build_object('name', person.name, 'nameEn', person.name_en) order by teacher.account_id), '[]') as list
      from (select account_id from calendar_member where calendar_id = course.calendar_id and role = 'teaches'
        order by account_id limit 3) teacher
      join account on account.id = teacher.account_id join person on person.id = account.person_id) teachers
    order by course.starts_on desc, course.name, course.id`.execute(db)
  return toResult(rows)
}

/** Upcoming and recent events with participants, the next one first. */
export async function listEvents(
  db: Db,
  viewer: Member,
  within: SendingScope,
  keyWords: string | undefined,
) {
  const { rows } = await sql<RecipientEvent>`
    select open.id::text as "eventId", open.title, open.title_en as "titleEn", open.starts_at as "startsAt",
      ${reachable(within, peopleOfEvents(sql`array[open.id]`))} as members,
      (select count(*)::integer from event_participant part
        where part.event_id = open.id and part.account_id is null and part.answer <> 'no') as external
    from (
      select event.id, event.title, event.title_en, next.starts_at
      from event join calendar on calendar.id = event.calendar_id
      cross join lateral (
        select starts_at from event_occurrence occurrence where occurrence.event_id = event.id
        order by starts_at < now(), abs(extract(epoch from starts_at - now())) limit 1) next
      where ${isEventUsable(viewer)} and ${matchesName(keyWords, 'event.title', 'event.title_en')}
        and next.starts_at > now() - interval '60 days'
        and exists (select from event_participant part where part.event_id = event.id)
      order by next.starts_at < now(), abs(extract(epoch from next.starts_at - now())), event.id limit ${maxListed + 1}
    ) open
    order by open.starts_at < now(), abs(extract(epoch from open.starts_at - now())), open.id`.execute(
    db,
  )
  return toResult(rows)
}
