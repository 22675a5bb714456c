import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { StartError } from '#platform/environment.ts'
import {
  type Counts,
  type ImportBySql,
  type RowSource,
  readRows,
  type Values,
} from '#platform/ingest/import.ts'
import { RowIssue } from '#platform/ingest/row-issue.ts'
import { applyChanges } from './apply-changes.ts'
import { timetableFields } from './fields.ts'
import { listReportedChanges, notifyChanges, storeDifference } from './notify-changes.ts'
import { computeDifference, openProjection, projectLessons } from './project.ts'
import { readWeeks, weeksOf } from './rules.ts'
import { stageRows } from './stage-rows.ts'
import { loadTerms, type Term, type Terms } from './terms.ts'
import { writeCourses, writeLessons, writeTeachers } from './write-lessons.ts'

export type TimetableSettings = {
  /** the institution's time zone, in which lessons take place */
  timeZone: string
  /** code of the term for rows without one; by default the current or next term */
  term?: string | undefined
  /** also remove lessons of courses that are not in the file */
  prune?: boolean | undefined
  /** allow cancelling more than a fifth of the future lessons */
  force?: boolean | undefined
  dryRun?: boolean | undefined
}
type Row = Values<typeof timetableFields>

/** Maximum share of future lessons that may be cancelled without `force`. */
const maxCancelledShare = 0.2
const analyzeThreshold = 1000

/**
 * Imports a timetable: courses with their lessons and examinations, and changes of single lessons. Lessons of a course
 * in the file that the file does not contain are cancelled; other courses are unchanged. Members of a course are
 * notified of changes to lessons they knew of.
 * @throws StartError
 */
export async function importTimetable(
  baseRun: ImportBySql,
  source: RowSource,
  settings: TimetableSettings,
): Promise<Counts> {
  const { db, note } = baseRun
  let issues = 0
  const run: ImportBySql = {
    ...baseRun,
    issue(row, sentence) {
      issues++
      baseRun.issue(row, sentence)
    },
  }
  await stage(run, source, await loadTerms(db, settings.term))
  await openProjection(db)
  await writeCourses(run)
  await writeTeachers(run)
  const lessons = await writeLessons(run, { complete: issues === 0, prune: settings.prune })
  const withoutTime = await projectLessons(db, settings.timeZone)
  const first = await computeDifference(db)
  await storeDifference(db, { newCourses: false })
  const courseChanges = await listReportedChanges(db)

  const changes = await applyChanges(run)
  await projectLessons(db, settings.timeZone)
  const second = await computeDifference(db)
  await storeDifference(db, { newCourses: true })
  courseChanges.push(...(await listReportedChanges(db)))

  const cancelled = first.cancelled + second.cancelled
  if (cancelled > lessons.toCome * maxCancelledShare && lessons.toCome > 0 && !settings.force) {
    const sentence = `This cancels ${cancelled} of ${lessons.toCome} future lessons.`
    if (!settings.dryRun)
      throw new StartError(
        `${sentence} Nothing was written. If that is intended, run it again with --force.`,
      )
    note(`${sentence} This needs --force.`)
  }
  // Otherwise the planner would use outdated statistics.
  if (lessons.added + changes.added > analyzeThreshold)
    await sql`analyze course, lesson, lesson_event, calendar, event, event_occurrence`.execute(db)
  const notifiedCount = await notifyChanges(db, courseChanges, settings.timeZone)
  for (const [words, count] of [
    ['lessons removed, because they are no longer in the file', lessons.removed],
    [
      'lessons kept although not in the file, because some of its lines could not be read',
      lessons.kept,
    ],
    ['dates without a time, because no period of the day is set for them', withoutTime],
    ['dates cancelled', cancelled],
    ['dates moved, added or in another room', first.differing + second.differing - cancelled],
    ['people notified', notifiedCount],
  ] as const)
    if (count > 0) note(`${words}: ${count}`)
  return {
    added: lessons.added + changes.added,
    changed: lessons.changed + changes.changed,
    unchanged: lessons.unchanged + changes.unchanged,
  }
}

type StagedRow = { term_id: string } & Record<string, unknown>

/** Loads the valid rows of the file into `staged_row`. */
async function stage(run: ImportBySql, source: RowSource, terms: Terms) {
  const { db } = run
  await sql`
    create temp table staged_row (
      row integer primary key, term_id bigint not null, course_code text not null, course_id bigint, name text not null,
      name_en text not null, kind text not null, key text not null, weekday integer, weeks integer[] not null, day date,
      first_period integer, last_period integer, starts_at time, ends_at time, new_day date, new_first integer, new_last integer,
      new_starts time, new_ends time, new_location text, campus text not null, location text not null, person text not null,
      teachers text[] not null, note text not null
    ) on commit drop`.execute(db)
  const periods = await listPeriods(db)
  const keys = new Set<string>()
  async function* rows(): AsyncGenerator<StagedRow> {
    for await (const { row, values } of readRows(run, source, timetableFields, identity)) {
      try {
        const cells = cellsOf(row, values, terms, periods)
        if (values.key) {
          const key = `${cells.term_id} ${values.course} ${values.key}`
          if (keys.has(key))
            throw new RowIssue(`key ${values.key} occurs twice in the course ${values.course}`)
          keys.add(key)
        }
        yield cells
      } catch (error) {
        if (!(error instanceof RowIssue)) throw error
        run.issue(row, error.message)
      }
    }
  }
  await stageRows(db, 'staged_row', rows())
  await sql`create index on staged_row (term_id, course_code)`.execute(db)
}

/** The columns that identify a row; two rows must not be equal in all of them. */
const identity = [
  'course',
  'term',
  'type',
  'key',
  'weeks',
  'weekday',
  'periods',
  'startTime',
  'date',
  'campus',
  'location',
] as const

type Periods = ReadonlySet<string>

/** @throws RowIssue */
function cellsOf(row: number, values: Row, terms: Terms, periods: Periods): StagedRow {
  const term = terms.find(values.term)
  const { type = 'lesson', campus = '' } = values
  const kind = type === 'lesson' ? 'weekly' : type
  const regular = timesOf(values.periods, values.startTime, values.endTime, campus, periods)
  const changed = timesOf(
    values.newPeriods,
    values.newStartTime,
    values.newEndTime,
    campus,
    periods,
  )
  const hasTime = regular.first !== null || regular.starts !== null
  let weeks: number[] = []
  let day: string | null = values.date ?? null
  if (kind === 'weekly') {
    if (!values.weeks) throw new RowIssue('weeks is empty')
    weeks = withColumn('weeks', () => weeksOf(readWeeks(values.weeks ?? ''), term.weeks))
    if (values.weekday === undefined) throw new RowIssue('weekday is empty')
    if (!hasTime) throw new RowIssue('periods is empty, and there is no startTime')
    day = null
  } else if (kind !== 'course') {
    day ??= dayByWeek(values, term)
    if (kind === 'exam' || kind === 'extra') {
      if (!hasTime) throw new RowIssue('periods is empty, and there is no startTime')
      assertNear(day, term)
    }
    if (kind === 'moved') {
      if (
        !values.newDate &&
        changed.first === null &&
        changed.starts === null &&
        !values.newLocation
      )
        throw new RowIssue('gives neither a new time nor a new place for the lesson')
      if (values.newDate) assertNear(values.newDate, term)
    }
  }
  return {
    row,
    term_id: term.id,
    course_code: values.course,
    name: values.name ?? '',
    name_en: values.nameEn ?? '',
    kind,
    key: values.key ?? '',
    weekday: kind === 'weekly' ? values.weekday : null,
    weeks,
    day,
    first_period: regular.first,
    last_period: regular.last,
    starts_at: regular.starts,
    ends_at: regular.ends,
    new_day: values.newDate ?? null,
    new_first: changed.first,
    new_last: changed.last,
    new_starts: changed.starts,
    new_ends: changed.ends,
    new_location: values.newLocation ?? null,
    campus,
    location: values.location ?? '',
    person: values.teacher ?? '',
    teachers: values.teachers ?? [],
    note: values.note ?? '',
  }
}

/** Prefixes the message of an issue with its column. */
function withColumn<T>(column: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof RowIssue ? new RowIssue(`${column} ${error.message}`) : error
  }
}

function dayByWeek({ weeks, weekday }: Row, term: Term): string {
  if (!weeks || weekday === undefined)
    throw new RowIssue('date is empty, and there is no week with a weekday')
  const [week, ...furtherWeeks] = withColumn('weeks', () => weeksOf(readWeeks(weeks), term.weeks))
  if (week === undefined || furtherWeeks.length > 0)
    throw new RowIssue('weeks must be one week for a change of a single lesson')
  return term.monday.add({ days: (week - 1) * 7 + weekday - 1 }).toString()
}

/** Examinations may take place after the last week of teaching. */
const toleranceDays = 60

function assertNear(day: string, term: Term) {
  const offset = term.monday.until(Temporal.PlainDate.from(day), { largestUnit: 'days' }).days
  if (offset < -toleranceDays || offset > term.weeks * 7 + toleranceDays)
    throw new RowIssue(`${day} is not in the term ${term.code}, nor near it`)
}

type Times = {
  first: number | null
  last: number | null
  starts: string | null
  ends: string | null
}

/** @throws RowIssue */
function timesOf(
  pair: [number, number] | undefined,
  starts: string | undefined,
  ends: string | undefined,
  campus: string,
  periods: Periods,
): Times {
  const none = { first: null, last: null, starts: null, ends: null }
  if (starts || ends) {
    if (!starts || !ends) throw new RowIssue('has only one of startTime and endTime')
    if (ends <= starts) throw new RowIssue(`ends at ${ends}, before it starts at ${starts}`)
    return { ...none, starts, ends }
  }
  if (!pair) return none
  for (const number of pair)
    if (!periods.has(`${campus} ${number}`) && !periods.has(` ${number}`))
      throw new RowIssue(
        `period ${number}${campus ? ` of ${campus}` : ''} is not known; import periods first`,
      )
  return { ...none, first: pair[0], last: pair[1] }
}

async function listPeriods(db: Db): Promise<Periods> {
  const rows = await db.selectFrom('class_period').select(['campus', 'number']).execute()
  return new Set(rows.map(({ campus, number }) => `${campus} ${number}`))
}
