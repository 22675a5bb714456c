import { calendarColors } from '@atrium/contract/work/schedule'
import { type RawBuilder, sql } from 'kysely'
import type { ImportBySql } from '#platform/ingest/import.ts'
import { markTouched, snapshotLessons } from './project.ts'

export type WrittenLessons = {
  added: number
  changed: number
  unchanged: number
  removed: number
  /** not in the file, but kept because some of its lines could not be read */
  kept: number
  /** future lessons before the import, of all courses in these terms */
  toCome: number
}
type How = {
  /** every line could be read, so lessons not in the file may be removed */
  complete: boolean
  prune?: boolean | undefined
}

const facts = [
  'kind',
  'weekday',
  'weeks',
  'day',
  'first_period',
  'last_period',
  'starts_at',
  'ends_at',
  'campus',
  'location',
  'person',
  'note',
] as const
const columns = (of: string, names: readonly string[] = facts) =>
  sql.join(names.map((name) => sql.ref(`${of}.${name}`)))

/** Writes the courses of the staged rows, each with a calendar; `known_course` holds those that already had lessons. */
export async function writeCourses({ db, issue }: ImportBySql) {
  await sql`
    update staged_row staged set course_id = course.id from course
    where course.term_id = staged.term_id and course.code = staged.course_code`.execute(db)
  const { rows: nameless } = await sql<{ row: number; code: string }>`
    delete from staged_row staged where course_id is null and not exists (
      select from staged_row named where (named.term_id, named.course_code) = (staged.term_id, staged.course_code) and named.name <> '')
    returning row, course_code as code`.execute(db)
  for (const { row, code } of nameless.sort((a, b) => a.row - b.row))
    issue(row, `course ${code} is new and has no name`)
  await sql`
    create temp table known_course on commit drop as
    select distinct course_id as id from lesson join course on course.id = lesson.course_id
    where course.term_id in (select term_id from staged_row)`.execute(db)
  await sql`
    create temp table named_course on commit drop as
    select distinct on (term_id, course_code) term_id, course_code as code, name, name_en, course_id
    from staged_row where name <> '' order by term_id, course_code, row desc`.execute(db)
  await sql`
    with made as (
      insert into calendar (kind, source, source_key, name, name_en, color)
      select 'course', 'timetable', term_id || ' ' || code, name, name_en,
        (${[...calendarColors]}::text[])[1 + abs(hashtext(code)) % ${calendarColors.length}]
      from named_course where course_id is null
      on conflict (source, source_key) do update set name = excluded.name, name_en = excluded.name_en
      returning id, source_key
    )
    insert into course (term_id, code, name, name_en, calendar_id)
    select named.term_id, named.code, named.name, named.name_en, made.id
    from made join named_course named on named.term_id || ' ' || named.code = made.source_key`.execute(
    db,
  )
  await sql`
    update staged_row staged set course_id = course.id from course
    where staged.course_id is null and course.term_id = staged.term_id and course.code = staged.course_code`.execute(
    db,
  )
  const { rows: renamed } = await sql<{ id: string }>`
    with renamed as (
      update course set name = named.name, name_en = named.name_en from named_course named
      where course.id = named.course_id and (course.name, course.name_en) is distinct from (named.name, named.name_en)
      returning course.id, course.calendar_id, course.name, course.name_en
    ), shown as (
      update calendar set name = renamed.name, name_en = renamed.name_en from renamed where calendar.id = renamed.calendar_id
    )
    select id from renamed`.execute(db)
  await markTouched(
    db,
    sql`select id from lesson where course_id = any(${renamed.map(({ id }) => id)}::bigint[])`,
  )
}

/** Writes the teachers of courses for which the file names any. */
export async function writeTeachers({ db, note }: ImportBySql) {
  await sql`
    create temp table staged_teacher on commit drop as
    select distinct staged.course_id, course.calendar_id, lower(teacher) as username, account.id as account_id
    from staged_row staged
    join course on course.id = staged.course_id
    cross join lateral unnest(staged.teachers) teacher
    left join account on account.username = lower(teacher)`.execute(db)
  await sql`
    delete from calendar_member member using (select distinct calendar_id from staged_teacher) said
    where member.calendar_id = said.calendar_id and member.role = 'teaches' and not exists (
      select from staged_teacher teacher where teacher.calendar_id = member.calendar_id and teacher.account_id = member.account_id)`.execute(
    db,
  )
  await sql`
    insert into calendar_member as stored (calendar_id, account_id, role)
    select calendar_id, account_id, 'teaches' from staged_teacher where account_id is not null
    on conflict (account_id, calendar_id) do update set role = 'teaches' where stored.role <> 'teaches'`.execute(
    db,
  )
  const { rows } = await sql<{ count: number; names: string[] }>`
    select count(*)::integer as count, (array_agg(username order by username))[1:20] as names
    from (select distinct username from staged_teacher where account_id is null) unknown`.execute(
    db,
  )
  if (rows[0]?.count)
    note(
      `teachers who are not members and do not see the lessons: ${rows[0].count} (${rows[0].names.join(', ')}${rows[0].count > 20 ? ', …' : ''})`,
    )
}

/**
 * Updates the lessons of the file's courses to the state of the file. Rows are matched by key; without one by all their
 * facts, then by time, then by order, so that a moved lesson remains the same lesson. Lessons that differ are touched,
 * and their previous state is saved.
 */
export async function writeLessons(
  run: ImportBySql,
  { complete, prune }: How,
): Promise<WrittenLessons> {
  const { db } = run
  await sql`
    create temp table staged_lesson on commit drop as
    select row, course_id, key, ${sql.join(facts.map((name) => sql.ref(name)))} from staged_row
    where kind in ('weekly', 'extra', 'exam')`.execute(db)
  await sql`create temp table lesson_pair (row integer primary key, lesson_id bigint not null unique) on commit drop`.execute(
    db,
  )
  await sql`analyze staged_lesson`.execute(db)
  await pair(run, sql`key`, sql`key <> ''`)
  await pair(run, sql`(${sql.join(facts.map((name) => sql.ref(name)))})::text`)
  await pair(run, sql`(kind, weekday, day, first_period, starts_at)::text`)
  await pair(run, sql`kind`)
  await sql`
    create temp table removed_lesson on commit drop as
    select lesson.id from lesson join course on course.id = lesson.course_id
    where lesson.kind in (select distinct kind from staged_lesson)
      and not exists (select from lesson_pair where lesson_id = lesson.id)
      and (course.id in (select course_id from staged_lesson)
        or (${prune ?? false} and course.term_id in (select term_id from staged_row)))`.execute(db)
  const { rows: counts } = await sql<{ removed: number; toCome: number }>`
    select (select count(*)::integer from removed_lesson) as removed,
      (select count(*)::integer from course join event_occurrence o on o.calendar_id = course.calendar_id
       where course.term_id in (select term_id from staged_row) and o.starts_at > now()) as "toCome"`.execute(
    db,
  )
  const { removed = 0, toCome = 0 } = counts[0] ?? {}
  if (!complete) await sql`truncate removed_lesson`.execute(db)
  await markTouched(
    db,
    sql`select pair.lesson_id from lesson_pair pair join staged_lesson staged on staged.row = pair.row
      join lesson on lesson.id = pair.lesson_id
      where (${columns('staged')}) is distinct from (${columns('lesson')})
      union select id from removed_lesson`,
  )
  await snapshotLessons(db)
  const { rows: changed } = await sql<{ id: string }>`
    update lesson set key = staged.key, ${sql.join(
      facts.map((name) => sql`${sql.ref(name)} = ${sql.ref(`staged.${name}`)}`),
    )}
    from lesson_pair pair join staged_lesson staged on staged.row = pair.row
    where lesson.id = pair.lesson_id
      and (lesson.key, ${columns('lesson')}) is distinct from (staged.key, ${columns('staged')})
    returning lesson.id`.execute(db)
  await sql`
    delete from event using lesson_event le join removed_lesson gone on gone.id = le.lesson_id where event.id = le.event_id`.execute(
    db,
  )
  await sql`delete from lesson using removed_lesson gone where lesson.id = gone.id`.execute(db)
  const { rows: added } = await sql<{ count: number }>`
    with added as (
      insert into lesson (course_id, key, ${sql.join(facts.map((name) => sql.ref(name)))})
      select course_id, key, ${sql.join(facts.map((name) => sql.ref(name)))} from staged_lesson staged
      where not exists (select from lesson_pair where row = staged.row)
      order by row
      returning id
    ), touched as (insert into touched_lesson select id from added on conflict do nothing)
    select count(*)::integer as count from added`.execute(db)
  const { rows: staged } = await sql<{ count: number }>`
    select count(*)::integer as count from staged_lesson`.execute(db)
  const addedCount = added[0]?.count ?? 0
  return {
    added: addedCount,
    changed: changed.length,
    unchanged: (staged[0]?.count ?? 0) - addedCount - changed.length,
    removed: complete ? removed : 0,
    kept: complete ? 0 : removed,
    toCome,
  }
}

/** Pairs rows and lessons of a course with equal values, one to one. */
const pair = (
  { db }: Pick<ImportBySql, 'db'>,
  says: RawBuilder<unknown>,
  where: RawBuilder<boolean> | RawBuilder<unknown> = sql`true`,
) =>
  sql`
  with left_row as (
    select row, course_id, says, row_number() over (partition by course_id, says order by row) as place
    from (select row, course_id, ${says} as says from staged_lesson staged
          where ${where} and not exists (select from lesson_pair where lesson_pair.row = staged.row)) one
  ), left_lesson as (
    select id, course_id, says, row_number() over (partition by course_id, says order by id) as place
    from (select id, course_id, ${says} as says from lesson
          where ${where} and course_id in (select course_id from staged_lesson)
            and not exists (select from lesson_pair where lesson_id = lesson.id)) one
  )
  insert into lesson_pair select row, id from left_row join left_lesson using (course_id, says, place)`.execute(
    db,
  )
