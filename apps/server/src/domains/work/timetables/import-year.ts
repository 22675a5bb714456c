import { type RawBuilder, sql } from 'kysely'
import { invalidate } from '#platform/database/topics.ts'
import {
  type Counts,
  type Import,
  type Row,
  type RowSource,
  readRows,
} from '#platform/ingest/import.ts'
import { upsertRows } from '#platform/ingest/write-rows.ts'
import { holidayFields, periodFields, termFields } from './fields.ts'
import {
  computeDifference,
  markTouched,
  openProjection,
  projectLessons,
  snapshotLessons,
} from './project.ts'

/*
 * Imports of terms, holidays with their replacement days, and class periods. Lessons are recalculated in the same
 * transaction. Members are not notified, because these changes affect everybody.
 */

/** Imports terms by code. A stored term without a code that begins on the same day gets the code. */
export async function importTerms(
  run: Import,
  source: RowSource,
  timeZone: string,
): Promise<Counts> {
  const { db } = run
  const rows: Row<typeof termFields>[] = []
  for await (const row of readRows(run, source, termFields, 'code')) rows.push(row)
  const stored = await db.selectFrom('academic_term').selectAll().execute()
  const codes = new Set(stored.map(({ code }) => code))
  const good = rows.filter(({ row, values }) => {
    const same = stored.find(({ starts_on }) => starts_on === values.startsOn)
    if (same?.code && same.code !== values.code) {
      run.issue(row, `the term ${same.code} begins on ${values.startsOn} already`)
      return false
    }
    return true
  })
  for (const { values } of good)
    if (!codes.has(values.code))
      await db
        .updateTable('academic_term')
        .set({ code: values.code })
        .where('starts_on', '=', values.startsOn)
        .where('code', 'is', null)
        .execute()
  const names = new Map(stored.map((row) => [row.code ?? row.starts_on, row.name_en]))
  const counts = await upsertRows(
    run,
    {
      table: 'academic_term',
      key: ['code'],
      columns: ['code', 'name', 'name_en', 'starts_on', 'weeks'],
    },
    good,
    ({ values }) => [
      values.code,
      values.name,
      values.nameEn ?? names.get(values.code) ?? '',
      values.startsOn,
      values.weeks,
    ],
  )
  await invalidate(db, 'schedule')
  await follow(
    run,
    timeZone,
    sql`select lesson.id from lesson join course on course.id = lesson.course_id
        where course.term_id = any(${counts.ids.map(({ id }) => id)}::bigint[])`,
  )
  return counts
}

/** Maximum distance between a replacement day and the day off it replaces, if only a weekday is given. */
const daysApart = 21

type Holiday = {
  day: string
  name: string
  nameEn: string
  off: boolean
  taughtAs: string | null
}

/**
 * Imports days off, the working days that replace them, and which day's lessons are taught on those. Days not in the
 * file are unchanged.
 */
export async function importHolidays(
  run: Import,
  source: RowSource,
  timeZone: string,
): Promise<Counts> {
  const { db } = run
  const rows: Row<typeof holidayFields>[] = []
  for await (const row of readRows(run, source, holidayFields, 'day')) rows.push(row)
  const stored = await db
    .selectFrom('holiday')
    .select(['day', 'name', 'name_en as nameEn', 'off', 'taught_as as taughtAs'])
    .execute()
  const days = new Map<string, Holiday>(stored.map((row) => [row.day, row]))
  const normal = rows.flatMap(({ values }) => (values.kind === 'normal' ? values.day : []))
  const gone = normal.filter((day) => days.delete(day))
  const named = rows.filter(({ values }) => values.kind !== 'normal')
  for (const { values } of named)
    days.set(values.day, {
      day: values.day,
      name: values.name,
      nameEn: values.nameEn ?? days.get(values.day)?.nameEn ?? '',
      off: (values.kind ?? 'off') === 'off' && !values.taughtAs,
      taughtAs: null,
    })
  const good: Holiday[] = []
  for (const { row, values } of named) {
    const holiday = days.get(values.day)
    if (!holiday) continue
    const { taughtAs } = values
    if (taughtAs) {
      const replaced =
        'day' in taughtAs ? taughtAs.day : replacedBy(values.day, taughtAs.weekday, days)
      if (!replaced) {
        run.issue(
          row,
          `taughtAs names a weekday, but no day off on that weekday is within ${daysApart} days: write the date`,
        )
        continue
      }
      const other = [...days.values()].find(({ taughtAs }) => taughtAs === replaced)
      if (other || replaced === values.day) {
        run.issue(row, `taughtAs ${replaced} is taught on ${other?.day ?? replaced} already`)
        continue
      }
      holiday.taughtAs = replaced
    }
    good.push(holiday)
  }
  await db.deleteFrom('holiday').where('day', '=', sql<string>`any(${gone}::date[])`).execute()
  // Clear changed values first, because two days may swap theirs.
  await db
    .updateTable('holiday')
    .set({ taught_as: null })
    .where('day', '=', sql<string>`any(${good.map(({ day }) => day)}::date[])`)
    .where('taught_as', 'is not', null)
    .where(
      sql<boolean>`(day, taught_as) not in (select * from unnest(${good.map(({ day }) => day)}::date[],
        ${good.map(({ taughtAs }) => taughtAs ?? 'infinity')}::date[]))`,
    )
    .execute()
  const counts = await upsertRows(
    run,
    {
      table: 'holiday',
      key: ['day'],
      columns: ['day', 'name', 'name_en', 'off', 'taught_as'],
      id: 'day',
    },
    good,
    ({ day, name, nameEn, off, taughtAs }) => [day, name, nameEn, off, taughtAs],
  )
  const touched = [...gone, ...good.map(({ day }) => day)].sort()
  if (counts.added + counts.changed + gone.length > 0) {
    await invalidate(db, 'schedule')
    await follow(
      run,
      timeZone,
      sql`select lesson.id from lesson join course on course.id = lesson.course_id
          join academic_term term on term.id = course.term_id
          where lesson.kind = 'weekly' and term.starts_on <= ${touched.at(-1)}::date + ${daysApart}::integer
            and term.starts_on + term.weeks * 7 >= ${touched[0]}::date - ${daysApart}::integer`,
    )
  }
  return {
    ...counts,
    changed: counts.changed + gone.length,
    unchanged: counts.unchanged + normal.length - gone.length,
  }
}

/** The nearest day off on this weekday that has no replacement yet. */
function replacedBy(day: string, weekday: number, days: ReadonlyMap<string, Holiday>) {
  const from = Temporal.PlainDate.from(day)
  const away = (holiday: Holiday) =>
    Math.abs(from.until(Temporal.PlainDate.from(holiday.day), { largestUnit: 'days' }).days)
  const taken = new Set([...days.values()].map(({ taughtAs }) => taughtAs))
  return [...days.values()]
    .filter((holiday) => holiday.off && !taken.has(holiday.day) && away(holiday) <= daysApart)
    .filter((holiday) => Temporal.PlainDate.from(holiday.day).dayOfWeek === weekday)
    .sort((a, b) => away(a) - away(b) || (a.day < b.day ? -1 : 1))[0]?.day
}

/** Imports class periods by campus and season. */
export async function importPeriods(
  run: Import,
  source: RowSource,
  timeZone: string,
): Promise<Counts> {
  const rows: Row<typeof periodFields>[] = []
  for await (const row of readRows(run, source, periodFields, ['campus', 'number', 'seasonFrom'])) {
    const { startsAt, endsAt, seasonFrom = '', seasonTo = '' } = row.values
    if (endsAt <= startsAt) run.issue(row.row, `ends at ${endsAt}, before it starts at ${startsAt}`)
    else if ((seasonFrom === '') !== (seasonTo === ''))
      run.issue(row.row, 'has only one of seasonFrom and seasonTo')
    else rows.push(row)
  }
  const counts = await upsertRows(
    run,
    {
      table: 'class_period',
      key: ['campus', 'number', 'season_from'],
      columns: ['campus', 'number', 'season_from', 'season_to', 'starts_at', 'ends_at'],
    },
    rows,
    ({ values }) => [
      values.campus ?? '',
      values.number,
      values.seasonFrom ?? '',
      values.seasonTo ?? '',
      values.startsAt,
      values.endsAt,
    ],
  )
  if (counts.added + counts.changed > 0)
    await follow(
      run,
      timeZone,
      sql`select lesson.id from lesson join course on course.id = lesson.course_id
          join academic_term term on term.id = course.term_id
          where lesson.first_period is not null and term.starts_on + term.weeks * 7 > current_date`,
    )
  return counts
}

/** Recalculates these lessons. */
async function follow(
  { db, note }: Pick<Import, 'db' | 'note'>,
  timeZone: string,
  lessons: RawBuilder<unknown>,
): Promise<void> {
  await openProjection(db)
  await markTouched(db, lessons)
  await snapshotLessons(db)
  await projectLessons(db, timeZone)
  const { differing } = await computeDifference(db)
  if (differing > 0) note(`dates of lessons changed as a result: ${differing}`)
}
