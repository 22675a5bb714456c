import { importRosters } from '#domains/work/timetables/import-rosters.ts'
import {
  importTimetable,
  type TimetableSettings,
} from '#domains/work/timetables/import-timetable.ts'
import { importTerms } from '#domains/work/timetables/import-year.ts'
import { StartError } from '#platform/environment.ts'
import {
  type Counts,
  type Fields,
  type Import,
  type Row,
  readRows,
} from '#platform/ingest/import.ts'
import { idsOfCourses, writeCredits, writeGradebook } from './gradebook.ts'
import {
  categoryFields,
  classFields,
  courseFields,
  enrollmentFields,
  lineItemFields,
  type OneRosterFile,
  orgFields,
  resultFields,
  sessionFields,
  userFields,
} from './oneroster-fields.ts'
import { type Records, withExport } from './oneroster-folder.ts'

/* OneRoster contains rosters, terms and marks, but no weeks, weekdays or rooms; those are imported as a timetable. */

type Term = { row: number; code: string; name: string; startsOn: string; weeks: number }
type Class = { row: number; course: string; term: string; name: string; of: string | undefined }
type Reading = {
  run: Import
  settings: TimetableSettings
  records: Records
  /** the valid rows of a file; none if the source lacks it */
  read: <F extends Fields>(file: OneRosterFile, fields: F) => AsyncIterable<Row<F>>
  issue: (file: OneRosterFile) => (row: number, sentence: string) => void
  /** issues so far */
  count: () => number
}

/** Imports a OneRoster export: a folder or a ZIP. @throws StartError */
export const importOneRoster = (run: Import, source: string, settings: TimetableSettings) =>
  withExport(run, source, (records) => importRecords(run, 'oneroster', records, settings))

/**
 * Imports terms, courses, rosters, assignments and marks from a source's complete current state.
 * @param code identifies this source's assignments and marks
 * @throws StartError
 */
export async function importRecords(
  given: Import,
  code: string,
  records: Records,
  {
    onCourses,
    ...settings
  }: TimetableSettings & { onCourses?: (ids: readonly string[]) => Promise<void> },
): Promise<Counts> {
  let issues = 0
  const run: Import = {
    ...given,
    issue(row, sentence) {
      issues++
      given.issue(row, sentence)
    },
  }
  const issue: Reading['issue'] = (file) => (row, sentence) =>
    run.issue(row, `${file}.csv: ${sentence}`)
  const reading: Reading = {
    run,
    settings,
    records,
    issue,
    count: () => issues,
    async *read(file, fields) {
      const source = records.of(file)
      if (source !== undefined)
        yield* readRows({ ...run, issue: issue(file), note: () => {} }, source, fields, 'id')
    },
  }
  for (const file of ['academicSessions', 'classes', 'users', 'enrollments'] as const)
    if (records.of(file) === undefined)
      throw new StartError(`${records.name} has no ${file}${code === 'oneroster' ? '.csv' : ''}.`)
  const results: Counts[] = []
  const terms = await writeTerms(reading, results)
  const classes = await writeClasses(reading, terms, results)
  const users = await usersOf(reading)
  await writeRosters(reading, classes, users, results)
  const courses = await idsOfCourses(run.db)
  const idOf = (found: Class | undefined) => found && courses.get(`${found.term} ${found.course}`)
  results.push(await writeCourseCredits(reading, classes, idOf))
  await onCourses?.([...classes.values()].flatMap((one) => idOf(one) ?? []))
  if (records.of('lineItems') !== undefined)
    results.push(await importGradebook(reading, code, { classes, users, idOf }))
  const sum = (what: keyof Counts) => results.reduce((all, one) => all + one[what], 0)
  return { added: sum('added'), changed: sum('changed'), unchanged: sum('unchanged') }
}

async function writeTerms({ run, records, read, issue, settings }: Reading, results: Counts[]) {
  const terms = new Map<string, Term>()
  for await (const { row, values } of read('academicSessions', sessionFields)) {
    if (!['term', 'semester'].includes(values.type.toLowerCase()) || isDeleted(values)) continue
    const days = Temporal.PlainDate.from(values.startDate).until(values.endDate, {
      largestUnit: 'days',
    }).days
    terms.set(values.id, {
      row,
      code: codeOf(values.id),
      name: values.title,
      startsOn: values.startDate,
      weeks: Math.min(60, Math.max(1, Math.ceil((days + 1) / 7))),
    })
  }
  if (terms.size === 0)
    throw new StartError(`${records.name}: academicSessions.csv has no term and no semester.`)
  results.push(
    await importTerms(
      { ...run, issue: issue('academicSessions') },
      rowsOf(terms.values(), ({ code, name, startsOn, weeks }) => ({
        code,
        name,
        startsOn,
        weeks: String(weeks),
      })),
      settings.timeZone,
    ),
  )
  return terms
}

async function writeClasses(
  { run, records, read, issue, settings }: Reading,
  terms: ReadonlyMap<string, Term>,
  results: Counts[],
) {
  const schools = new Set<string>()
  for await (const { values } of read('orgs', orgFields))
    if (!isDeleted(values)) schools.add(values.id)
  const hasSchools = records.of('orgs') !== undefined
  const classes = new Map<string, Class>()
  const codes = new Set<string>()
  for await (const { row, values } of read('classes', classFields)) {
    if (isDeleted(values)) continue
    const term = values.terms.split(/[,;]/).flatMap((one) => terms.get(one.trim()) ?? [])[0]
    if (!term) {
      issue('classes')(row, `termSourcedIds ${values.terms} is not a term of this export`)
      continue
    }
    if (hasSchools && values.school && !schools.has(values.school)) {
      issue('classes')(row, `schoolSourcedId ${values.school} is not in orgs.csv`)
      continue
    }
    // Prefer the class code if it is unique in the term.
    const own = `${term.code} ${values.classCode}`
    const course = codeOf(values.classCode && !codes.has(own) ? values.classCode : values.id)
    codes.add(own)
    classes.set(values.id, { row, course, term: term.code, name: values.title, of: values.course })
  }
  results.push(
    await importTimetable(
      { ...run, issue: issue('classes') },
      rowsOf(classes.values(), ({ course, term, name }) => ({
        course,
        term,
        name,
        type: 'course',
      })),
      settings,
    ),
  )
  return classes
}

async function usersOf({ read }: Reading) {
  const users = new Map<string, string>()
  for await (const { values } of read('users', userFields))
    if (!isDeleted(values)) users.set(values.id, values.username.toLowerCase())
  return users
}

const roles: Record<string, string> = {
  student: 'attends',
  teacher: 'teaches',
  aide: 'teaches',
  proctor: 'teaches',
}

async function writeRosters(
  { run, read, issue, settings }: Reading,
  classes: ReadonlyMap<string, Class>,
  users: ReadonlyMap<string, string>,
  results: Counts[],
) {
  const others = new Set<string>()
  async function* enrollments() {
    for await (const { row, values } of read('enrollments', enrollmentFields)) {
      if (isDeleted(values)) continue
      const role = roles[values.role.toLowerCase()]
      const course = classes.get(values.class)
      const username = users.get(values.user)
      if (!role) others.add(values.role)
      else if (!course || !username)
        issue('enrollments')(
          row,
          course
            ? `userSourcedId ${values.user} is not in users.csv`
            : `classSourcedId ${values.class} is not in classes.csv`,
        )
      else yield { row, cells: { course: course.course, term: course.term, username, role } }
    }
  }
  results.push(
    await importRosters({ ...run, issue: issue('enrollments') }, enrollments(), settings),
  )
  if (others.size > 0)
    run.note(
      `left out because their role neither attends nor teaches: ${[...others].slice(0, 10).join(', ')}`,
    )
}

async function writeCourseCredits(
  { run, read }: Reading,
  classes: ReadonlyMap<string, Class>,
  idOf: (found: Class) => string | undefined,
) {
  const credits = new Map<string, number>()
  for await (const { values } of read('courses', courseFields))
    if (!isDeleted(values) && values.credits !== undefined) credits.set(values.id, values.credits)
  const known = [...classes.values()].flatMap((one) => {
    const value = one.of === undefined ? undefined : credits.get(one.of)
    const id = idOf(one)
    return value === undefined || id === undefined ? [] : [{ course_id: id, credits: value }]
  })
  return writeCredits(run.db, known)
}

/** Titles of the category whose column is the course's total mark. */
const isTotal = /^(总评|总成绩|final( (mark|grade))?|overall)$/i
const handed = [
  'submitted',
  'late',
  'partially graded',
  'fully graded',
  'fullygraded',
  'partiallygraded',
]
const marked = ['fully graded', 'fullygraded', 'exempt']

async function importGradebook(
  { run, records, read, issue, settings, count }: Reading,
  code: string,
  {
    classes,
    users,
    idOf,
  }: {
    classes: ReadonlyMap<string, Class>
    users: ReadonlyMap<string, string>
    idOf: (found: Class | undefined) => string | undefined
  },
) {
  const totals = new Set<string>()
  for await (const { values } of read('categories', categoryFields))
    if (!isDeleted(values) && isTotal.test(values.title)) totals.add(values.id)
  const known = new Set<string>()
  async function* items() {
    for await (const { row, values } of read('lineItems', lineItemFields)) {
      if (isDeleted(values)) continue
      const id = idOf(classes.get(values.class))
      if (id === undefined) {
        issue('lineItems')(row, `classSourcedId ${values.class} is not in classes.csv`)
        continue
      }
      known.add(values.id)
      const total = values.category !== undefined && totals.has(values.category)
      yield {
        row,
        key: values.id,
        course_id: id,
        kind: total ? 'total' : values.due === undefined ? 'mark' : 'work',
        title: values.title,
        text: values.description ?? '',
        due_at: values.due === undefined ? null : endOf(values.due, settings.timeZone),
        points: values.maxPoints !== undefined && values.maxPoints > 0 ? values.maxPoints : null,
        url: '',
      }
    }
  }
  async function* results() {
    for await (const { row, values } of read('results', resultFields)) {
      const username = users.get(values.student)
      if (isDeleted(values)) {
        if (username) yield { row, key: values.lineItem, username, withdrawn: true as const }
        continue
      }
      if (!known.has(values.lineItem) || !username) {
        issue('results')(
          row,
          username
            ? `lineItemSourcedId ${values.lineItem} is not in lineItems.csv`
            : `studentSourcedId ${values.student} is not in users.csv`,
        )
        continue
      }
      const state = (values.state ?? '').toLowerCase()
      const date = values.date === undefined ? null : endOf(values.date, settings.timeZone)
      yield {
        row,
        key: values.lineItem,
        username,
        score: values.score ?? null,
        grade: values.grade ?? '',
        feedback: values.comment ?? '',
        handed: handed.includes(state),
        published: marked.includes(state),
        at: date,
      }
    }
  }
  return writeGradebook(run.db, code, {
    courses: [...classes.values()].flatMap((one) => idOf(one) ?? []),
    items: items(),
    results: results(),
    complete: () => count() === 0,
    covered: records.of('results') === undefined ? [] : 'all',
    issue: issue('results'),
    timeZone: settings.timeZone,
  })
}

/** A date without a time means its last minute. */
const endOf = (moment: string, zone: string) =>
  moment.length > 10
    ? moment
    : Temporal.PlainDateTime.from(`${moment}T23:59`)
        .toZonedDateTime(zone)
        .toInstant()
        .toString({ smallestUnit: 'millisecond' })

const isDeleted = ({ status }: { status?: string | undefined }) => status === 'tobedeleted'

/** Removes characters of a sourcedId that codes do not allow. */
const codeOf = (sourcedId: string) => sourcedId.replaceAll(/[^\p{L}\p{N}._:-]/gu, '').slice(0, 64)

/** Rows that keep their numbers of the file, so that issues name the right ones. */
async function* rowsOf<T extends { row: number }>(
  list: Iterable<T>,
  cellsOf: (one: T) => Record<string, string>,
) {
  for (const one of list) yield { row: one.row, cells: cellsOf(one) }
}
