import { sql } from 'kysely'
import type { Counts, ImportBySql } from '#platform/ingest/import.ts'
import { markTouched, openProjection, planLessons, snapshotLessons } from './project.ts'

/**
 * Applies rows that change a single lesson. The lesson is found by its course, its day (the regular one, or the one it
 * was moved to before) and its periods if given.
 */
export async function applyChanges({ db, issue }: ImportBySql): Promise<Counts> {
  await openProjection(db)
  await markTouched(
    db,
    sql`select lesson.id from lesson where course_id in (
      select course_id from staged_row where kind in ('cancelled', 'moved', 'restored'))`,
  )
  await planLessons(db)
  // For a lesson moved before, fields that are missing in the row keep the values of that move.
  await sql`
    create temp table asked_change on commit drop as
    select staged.row, staged.kind, staged.course_code, staged.day as asked_day, 
      found.lesson_id, found.day, found.lessons, staged.note,
      coalesce(staged.new_day, case when found.again then before.new_day end) as new_day,
      coalesce(staged.new_first, case when kept.time then before.first_period end) as new_first,
      coalesce(staged.new_last, case when kept.time then before.last_period end) as new_last,
      coalesce(staged.new_starts, case when kept.time then before.starts_at end) as new_starts,
      coalesce(staged.new_ends, case when kept.time then before.ends_at end) as new_ends,
      coalesce(staged.new_location, case when found.again then before.location end) as new_location,
      case when found.again then array(select distinct unnest(before.from_days || staged.day) order by 1)
           else coalesce(before.from_days, '{}') end as from_days
    from staged_row staged
    left join lateral (
      select planned.lesson_id, planned.day, planned.day <> staged.day as again,
        count(*) over (partition by planned.day = staged.day)::integer as lessons
      from planned_lesson planned
      join lesson on lesson.id = planned.lesson_id
      left join lesson_change stored on (stored.lesson_id, stored.day) = (planned.lesson_id, planned.day)
      where planned.course_id = staged.course_id
        and (planned.day = staged.day or planned.on_day = staged.day or staged.day = any(stored.from_days))
        and (planned.day <> staged.day or staged.first_period is null
          or (lesson.first_period, lesson.last_period) = (staged.first_period, staged.last_period))
        and (planned.day <> staged.day or staged.starts_at is null or planned.starts = staged.starts_at)
      order by planned.day = staged.day desc, planned.starts limit 1
    ) found on true
    left join lesson_change before on (before.lesson_id, before.day) = (found.lesson_id, found.day)
    left join lateral (select found.again and staged.new_first is null and staged.new_starts is null as time) kept on true
    where staged.kind in ('cancelled', 'moved', 'restored')`.execute(db)
  const { rows: bad } = await sql<{
    row: number
    course: string
    day: string
    lessons: number | null
  }>`
    delete from asked_change where lessons is null or lessons > 1
    returning row, course_code as course, asked_day as day, lessons`.execute(db)
  for (const { row, course, day, lessons } of bad.sort((a, b) => a.row - b.row))
    issue(
      row,
      lessons
        ? `course ${course} has ${lessons} lessons on ${day}; give the periods of the one that is meant`
        : `course ${course} has no lesson on ${day}`,
    )
  await openProjection(db)
  await markTouched(db, sql`select lesson_id from asked_change`)
  await snapshotLessons(db)
  const { rows } = await sql<Counts>`
    with asked as (
      select distinct on (lesson_id, day) * from asked_change order by lesson_id, day, row desc
    ), restored as (
      delete from lesson_change stored using asked
      where asked.kind = 'restored' and (stored.lesson_id, stored.day) = (asked.lesson_id, asked.day) returning 1
    ), written as (
      insert into lesson_change as stored (lesson_id, day, cancelled, new_day, first_period, last_period, starts_at, ends_at, location, note, from_days)
      select lesson_id, day, kind = 'cancelled', new_day, new_first, new_last, new_starts, new_ends, new_location, note, from_days
      from asked where kind <> 'restored'
      on conflict (lesson_id, day) do update set cancelled = excluded.cancelled, new_day = excluded.new_day,
        first_period = excluded.first_period, last_period = excluded.last_period, starts_at = excluded.starts_at,
        ends_at = excluded.ends_at, location = excluded.location, note = excluded.note, from_days = excluded.from_days
      where (stored.cancelled, stored.new_day, stored.first_period, stored.last_period, stored.starts_at, stored.ends_at,
             stored.location, stored.note)
        is distinct from (excluded.cancelled, excluded.new_day, excluded.first_period, excluded.last_period, excluded.starts_at,
             excluded.ends_at, excluded.location, excluded.note)
      returning xmax = 0 as added
    )
    select (select count(*)::integer from written where added) as added,
      (select count(*)::integer from written where not added) + (select count(*)::integer from restored) as changed,
      (select count(*)::integer from asked) - (select count(*)::integer from written) - (select count(*)::integer from restored) as unchanged`.execute(
    db,
  )
  return rows[0] ?? { added: 0, changed: 0, unchanged: 0 }
}
