import { type RawBuilder, sql } from 'kysely'
import { setNextReminders } from '#domains/work/schedule/write-occurrences.ts'
import type { Db } from '#platform/database/db.ts'

/*
 * Projects lessons to calendar events. Timetable rows stay unchanged; days off, swapped days, seasonal class periods
 * and changes of single lessons are applied here. Everything is set-based SQL on `touched_lesson`, the lessons
 * processed in this transaction.
 */

export const markTouched = (db: Db, lessons: RawBuilder<unknown>) =>
  sql`insert into touched_lesson ${lessons} on conflict do nothing`.execute(db)

/** Starts a projection with an empty `touched_lesson`. */
export async function openProjection(db: Db) {
  await sql`create temp table if not exists touched_lesson (id bigint primary key) on commit drop`.execute(
    db,
  )
  await sql`truncate touched_lesson`.execute(db)
}

/** The occurrences of the touched lessons with their teaching week, which is 0 for lessons that are not weekly. */
const occurrencesNow = sql`
  select le.lesson_id, o.original_local::date as day, case when lesson.kind = 'weekly' then ${weekOf('o.original_local::date')} else 0 end as week,
    lesson.course_id, course.calendar_id, o.event_id, o.starts_at, o.ends_at, coalesce(changed.location, event.location) as location,
    event.title, event.title_en, event.person
  from touched_lesson touched
  join lesson on lesson.id = touched.id
  join lesson_event le on le.lesson_id = lesson.id
  join event on event.id = le.event_id
  join event_occurrence o on o.event_id = event.id
  join course on course.id = lesson.course_id
  join academic_term term on term.id = course.term_id
  left join event_override changed on changed.event_id = o.event_id and changed.original_local = o.original_local`

function weekOf(day: string) {
  return sql`(${sql.raw(day)} - (term.starts_on - (extract(isodow from term.starts_on)::integer - 1))) / 7 + 1`
}

/** Saves the current state of the touched lessons in `lesson_before`. */
export async function snapshotLessons(db: Db) {
  await sql`drop table if exists lesson_before`.execute(db)
  await sql`create temp table lesson_before on commit drop as ${occurrencesNow}`.execute(db)
}

/**
 * Writes the events of the touched lessons. @returns the number of lessons without a time, because their class period
 * is not defined
 */
export async function projectLessons(db: Db, timeZone: string): Promise<number> {
  await planLessons(db)
  await writeEvents(db, timeZone)
  await writeOverrides(db)
  await writeOccurrences(db, timeZone)
  const { rows } = await sql<{ without: number; ids: string[] }>`
    select (select count(*)::integer from planned_lesson where starts is null) as without,
      coalesce((select array_agg(distinct le.event_id) from lesson_event le join touched_lesson t on t.id = le.lesson_id
        join event_reminder reminder on reminder.event_id = le.event_id), '{}') as ids`.execute(db)
  if (rows[0]?.ids.length) await setNextReminders(db, rows[0].ids)
  return rows[0]?.without ?? 0
}

/** Fills `planned_lesson`: every regular lesson, and when and where it actually takes place. */
export async function planLessons(db: Db) {
  await sql`analyze touched_lesson`.execute(db)
  await sql`drop table if exists planned_lesson, dated_lesson, period_time`.execute(db)
  await sql`
    create temp table dated_lesson on commit drop as
    select day.*, change.id is not null as has_change, change.location as new_location,
      case when coalesce(change.cancelled, false) then null
           when change.new_day is not null then change.new_day
           when swap.day is not null then swap.day
           when off.off or off.taught_as is not null then null
           else day.day end as on_day,
      case when change.starts_at is not null then null else coalesce(change.first_period, day.first_period) end as on_first,
      case when change.starts_at is not null then null else coalesce(change.last_period, day.last_period) end as on_last,
      case when change.first_period is not null then null else coalesce(change.starts_at, day.starts_at) end as on_starts,
      case when change.first_period is not null then null else coalesce(change.ends_at, day.ends_at) end as on_ends
    from (
      select lesson.id as lesson_id, lesson.course_id, lesson.kind, lesson.campus, lesson.first_period, lesson.last_period,
        lesson.starts_at, lesson.ends_at, w.week,
        case when lesson.kind = 'weekly'
          then term.starts_on - (extract(isodow from term.starts_on)::integer - 1) + (w.week - 1) * 7 + lesson.weekday - 1
          else lesson.day end as day
      from touched_lesson touched
      join lesson on lesson.id = touched.id
      join course on course.id = lesson.course_id
      join academic_term term on term.id = course.term_id
      cross join lateral unnest(case when lesson.kind = 'weekly' then lesson.weeks else '{0}' end) as w (week)
    ) day
    left join holiday swap on swap.taught_as = day.day and day.kind = 'weekly'
    left join holiday off on off.day = day.day and day.kind = 'weekly'
    left join lesson_change change on change.lesson_id = day.lesson_id and change.day = day.day`.execute(
    db,
  )
  // Look up each class period once per day instead of once per lesson.
  await sql`
    create temp table period_time on commit drop as
    select asked.campus, asked.number, asked.day, found.starts_at, found.ends_at
    from (
      select campus, first_period as number, day from dated_lesson where first_period is not null
      union select campus, last_period, day from dated_lesson where last_period is not null
      union select campus, on_first, on_day from dated_lesson where on_first is not null and on_day is not null
      union select campus, on_last, on_day from dated_lesson where on_last is not null and on_day is not null
    ) asked
    cross join lateral (
      select period.starts_at, period.ends_at from class_period period
      where period.number = asked.number and period.campus in (asked.campus, '')
        and case when period.season_from = '' then true
                 when period.season_from <= period.season_to
                   then to_char(asked.day, 'MM-DD') between period.season_from and period.season_to
                 else to_char(asked.day, 'MM-DD') >= period.season_from or to_char(asked.day, 'MM-DD') <= period.season_to end
      order by period.campus = '', period.season_from = '' limit 1
    ) found`.execute(db)
  await sql`analyze dated_lesson`.execute(db)
  await sql`analyze period_time`.execute(db)
  await sql`
    create temp table planned_lesson on commit drop as
    select day.lesson_id, day.course_id, day.kind, day.week, day.day, day.on_day, day.new_location,
      coalesce(day.starts_at, first.starts_at) as starts,
      (extract(epoch from coalesce(day.ends_at, last.ends_at) - coalesce(day.starts_at, first.starts_at)) / 60)::integer as minutes,
      coalesce(day.on_starts, on_first.starts_at) as on_starts,
      (extract(epoch from coalesce(day.on_ends, on_last.ends_at) - coalesce(day.on_starts, on_first.starts_at)) / 60)::integer as on_minutes
    from dated_lesson day
    left join period_time first on (first.campus, first.number, first.day) = (day.campus, day.first_period, day.day)
    left join period_time last on (last.campus, last.number, last.day) = (day.campus, day.last_period, day.day)
    left join period_time on_first on (on_first.campus, on_first.number, on_first.day) = (day.campus, day.on_first, day.on_day)
    left join period_time on_last on (on_last.campus, on_last.number, on_last.day) = (day.campus, day.on_last, day.on_day)`.execute(
    db,
  )
  // Lessons without a time are left out, as are lessons changed to an undefined class period.
  await sql`update planned_lesson set on_day = null where starts is null or on_starts is null or minutes <= 0 or on_minutes <= 0`.execute(
    db,
  )
}

/**
 * Writes one series per time of day of a lesson. Seasonal class periods become separate series, so that only real
 * changes of single lessons are exceptions.
 */
async function writeEvents(db: Db, timeZone: string) {
  await sql`analyze planned_lesson`.execute(db)
  await sql`drop table if exists wanted_series`.execute(db)
  await sql`
    create temp table wanted_series on commit drop as
    select series.*, course.calendar_id,
      'lesson-' || lesson_id || '-' || to_char(starts, 'HH24MI') || '-' || minutes as uid,
      case when first_week = last_week then '' else 'FREQ=WEEKLY' || case when step = 2 then ';INTERVAL=2' else '' end
        || ';COUNT=' || ((last_week - first_week) / step + 1) end as rrule,
      array(select (first_day + (week - first_week) * 7 + starts)::timestamp from generate_series(first_week, last_week, step) week
            where week <> all(weeks) order by week) as excluded
    from (
      select lesson_id, course_id, starts, minutes, min(week) as first_week, max(week) as last_week, min(day) as first_day,
        array_agg(week) as weeks, case when count(*) > 1 and count(distinct week % 2) = 1 then 2 else 1 end as step
      from planned_lesson where on_day is not null
      group by lesson_id, course_id, starts, minutes
    ) series
    join course on course.id = series.course_id`.execute(db)
  await sql`analyze wanted_series`.execute(db)
  await sql`
    delete from event using lesson_event le join touched_lesson touched on touched.id = le.lesson_id
    where event.id = le.event_id
      and not exists (select from wanted_series w where w.calendar_id = event.calendar_id and w.uid = event.uid)`.execute(
    db,
  )
  await sql`
    with written as (
      insert into event (calendar_id, uid, kind, title, title_en, location, person, description, starts_local, minutes, time_zone,
        rrule, excluded_local)
      select w.calendar_id, w.uid, case when lesson.kind = 'exam' then 'event' else 'course' end,
        case when lesson.kind = 'exam' then '考试：' || course.name else course.name end,
        case when course.name_en = '' then '' when lesson.kind = 'exam' then 'Examination: ' || course.name_en else course.name_en end,
        lesson.location, lesson.person, lesson.note, w.first_day + w.starts, w.minutes, ${timeZone}, w.rrule, w.excluded
      from wanted_series w
      join lesson on lesson.id = w.lesson_id
      join course on course.id = w.course_id
      on conflict (calendar_id, uid) do update set kind = excluded.kind, title = excluded.title, title_en = excluded.title_en,
        location = excluded.location, person = excluded.person, description = excluded.description,
        starts_local = excluded.starts_local, time_zone = excluded.time_zone, rrule = excluded.rrule,
        excluded_local = excluded.excluded_local, version = event.version + 1, updated_at = now()
      where (event.kind, event.title, event.title_en, event.location, event.person, event.description, event.starts_local,
             event.time_zone, event.rrule, event.excluded_local)
        is distinct from (excluded.kind, excluded.title, excluded.title_en, excluded.location, excluded.person,
             excluded.description, excluded.starts_local, excluded.time_zone, excluded.rrule, excluded.excluded_local)
      returning id, calendar_id, uid
    )
    insert into lesson_event (event_id, lesson_id)
    select written.id, w.lesson_id from written join wanted_series w using (calendar_id, uid)
    on conflict do nothing`.execute(db)
  await sql`drop table if exists placed_lesson`.execute(db)
  await sql`
    create temp table placed_lesson on commit drop as
    select event.id as event_id, event.calendar_id, planned.day + planned.starts as original, planned.on_day + planned.on_starts as local,
      planned.on_minutes as minutes, planned.new_location as location,
      (planned.on_day + planned.on_starts, planned.on_minutes) is distinct from (planned.day + planned.starts, planned.minutes)
        or planned.new_location is not null as differs
    from planned_lesson planned
    join wanted_series w on (w.lesson_id, w.starts, w.minutes) = (planned.lesson_id, planned.starts, planned.minutes)
    cross join lateral (
      select id, calendar_id from event where event.calendar_id = w.calendar_id and event.uid = w.uid limit 1) event
    where planned.on_day is not null`.execute(db)
  await sql`analyze placed_lesson`.execute(db)
}

async function writeOverrides(db: Db) {
  await sql`
    delete from event_override changed using lesson_event le join touched_lesson touched on touched.id = le.lesson_id
    where changed.event_id = le.event_id and not exists (
      select from placed_lesson placed where placed.event_id = changed.event_id and placed.original = changed.original_local and placed.differs)`.execute(
    db,
  )
  await sql`
    insert into event_override as stored (event_id, original_local, starts_local, minutes, location)
    select event_id, original, local, minutes, location from placed_lesson where differs
    on conflict (event_id, original_local) do update
      set starts_local = excluded.starts_local, minutes = excluded.minutes, location = excluded.location
      where (stored.starts_local, stored.minutes, stored.location)
        is distinct from (excluded.starts_local, excluded.minutes, excluded.location)`.execute(db)
}

async function writeOccurrences(db: Db, timeZone: string) {
  await sql`
    delete from event_occurrence o using lesson_event le join touched_lesson touched on touched.id = le.lesson_id
    where o.event_id = le.event_id and not exists (
      select from placed_lesson placed where placed.event_id = o.event_id and placed.original = o.original_local)`.execute(
    db,
  )
  await sql`
    insert into event_occurrence as stored (event_id, calendar_id, original_local, starts_at, ends_at)
    select event_id, calendar_id, original, local at time zone ${timeZone},
      (local at time zone ${timeZone}) + make_interval(mins => minutes)
    from placed_lesson
    on conflict (event_id, original_local) do update set starts_at = excluded.starts_at, ends_at = excluded.ends_at
      where (stored.starts_at, stored.ends_at) is distinct from (excluded.starts_at, excluded.ends_at)`.execute(
    db,
  )
}

/**
 * Fills `lesson_difference` with the changes since `snapshotLessons` of lessons that have not ended. A lesson removed
 * and one added in the same course and week count as one that was moved.
 */
export async function computeDifference(db: Db): Promise<{ cancelled: number; differing: number }> {
  await sql`drop table if exists lesson_after, lesson_difference`.execute(db)
  await sql`create temp table lesson_after on commit drop as ${occurrencesNow}`.execute(db)
  await sql`
    create temp table lesson_difference on commit drop as
    with compared as (
      select coalesce(after.lesson_id, before.lesson_id) as lesson_id, coalesce(before.day, after.day) as day,
        coalesce(after.course_id, before.course_id) as course_id, coalesce(after.calendar_id, before.calendar_id) as calendar_id,
        coalesce(after.event_id, before.event_id) as event_id, coalesce(after.title, before.title) as title,
        coalesce(after.title_en, before.title_en) as title_en, coalesce(after.person, before.person) as person,
        before.starts_at, before.ends_at, coalesce(before.location, '') as location,
        after.starts_at as now_starts_at, after.ends_at as now_ends_at, coalesce(after.location, '') as now_location
      from lesson_before before
      full join lesson_after after on (after.lesson_id, after.week) = (before.lesson_id, before.week)
      where (before.starts_at, before.ends_at, before.location) is distinct from (after.starts_at, after.ends_at, after.location)
        and greatest(before.ends_at, after.ends_at) > now()
    ), numbered as (
      select *, row_number() over (partition by course_id, date_trunc('week', coalesce(starts_at, now_starts_at)), starts_at is null,
        now_starts_at is null order by coalesce(starts_at, now_starts_at)) as place
      from compared
    ), paired as (
      select come.lesson_id, come.day, gone.course_id, gone.calendar_id, come.event_id, come.title, come.title_en, come.person, gone.starts_at, gone.ends_at,
        gone.location, come.now_starts_at, come.now_ends_at, come.now_location, gone.place, come.place as come_place
      from numbered gone join numbered come on come.course_id = gone.course_id and gone.place = come.place
        and date_trunc('week', gone.starts_at) = date_trunc('week', come.now_starts_at)
      where gone.now_starts_at is null and come.starts_at is null
    ), whole as (
      select lesson_id, day, course_id, calendar_id, event_id, title, title_en, person, starts_at, ends_at, location, now_starts_at, now_ends_at, now_location
      from numbered where (starts_at is null) = (now_starts_at is null)
      union all
      select lesson_id, day, course_id, calendar_id, event_id, title, title_en, person, starts_at, ends_at, location, now_starts_at, now_ends_at, now_location
      from paired
      union all
      select lesson_id, day, course_id, calendar_id, event_id, title, title_en, person, starts_at, ends_at, location, now_starts_at, now_ends_at, now_location
      from numbered one where (starts_at is null) <> (now_starts_at is null) and not exists (
        select from paired where paired.course_id = one.course_id and paired.place = one.place
          and date_trunc('week', coalesce(one.starts_at, one.now_starts_at)) = date_trunc('week', paired.starts_at))
    )
    select *, case when now_starts_at is null then 'cancelled' when starts_at is null then 'added'
                   when (starts_at, ends_at) is distinct from (now_starts_at, now_ends_at) then 'moved' else 'place' end as kind
    from whole
    where (starts_at, ends_at, location) is distinct from (now_starts_at, now_ends_at, now_location)`.execute(
    db,
  )
  const { rows } = await sql<{ cancelled: number; differing: number }>`
    select count(*) filter (where kind = 'cancelled')::integer as cancelled, count(*)::integer as differing
    from lesson_difference`.execute(db)
  return rows[0] ?? { cancelled: 0, differing: 0 }
}
