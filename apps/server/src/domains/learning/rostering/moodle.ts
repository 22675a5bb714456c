import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { requestJson, SourceError } from './source-client.ts'
import type { Source } from './sources.ts'

/*
 * Moodle's web services, as REST with JSON: https://docs.moodle.org/dev/Web_service_API_functions
 * The token's account sees the courses it is enrolled in; those whose idnumber or short name equals one of our course
 * codes are read.
 */

const maxCourses = 500
const coursesPerRequest = 50

type Entry = Record<string, unknown>
const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''
/** What an answer does not list is deleted here, so a missing list is an error. @throws SourceError */
function listOf(value: unknown, name: string): Entry[] {
  if (!Array.isArray(value)) throw new SourceError(`Moodle's answer has no list of ${name}.`)
  return value as Entry[]
}
const plainText = (html: unknown, maxLength: number) =>
  [
    ...textOf(html)
      .replaceAll(/<br\s*\/?>|<\/p>/gi, '\n')
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll('&nbsp;', ' ')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&')
      .trim(),
  ]
    .slice(0, maxLength)
    .join('')
const toTime = (seconds: unknown) =>
  Number(seconds) > 0 ? new Date(Number(seconds) * 1000).toISOString() : null

/** A client for one Moodle. @throws SourceError with Moodle's message */
function clientOf(source: Source, token: string, allow: string | undefined) {
  return async (wsfunction: string, params: Record<string, string> = {}) => {
    const { body } = await requestJson(`${source.address}/webservice/rest/server.php`, {
      allow,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      // In the body, because addresses are logged.
      body: new URLSearchParams({
        wstoken: token,
        wsfunction,
        moodlewsrestformat: 'json',
        ...params,
      }).toString(),
    })
    const { exception, errorcode, message } = (body ?? {}) as Entry
    if (exception)
      throw new SourceError(`Moodle refuses ${wsfunction}: ${textOf(errorcode)} ${textOf(message)}`)
    return body
  }
}
type Call = ReturnType<typeof clientOf>

export type MoodleUnit = {
  key: string
  course_id: string
  position: number
  title: string
  text: string
}
export type MoodleMaterial = {
  key: string
  unit: string
  course_id: string
  position: number
  title: string
  url: string
}
export type MoodleItem = {
  row: number
  key: string
  course_id: string
  kind: string
  title: string
  text: string
  due_at: string | null
  points: number | null
  url: string
}
export type MoodleResult = {
  row: number
  key: string
  username: string
  score: number | null
  grade: string
  feedback: string
  handed: boolean
  published: boolean
  at: string | null
}
export type MoodleContent = {
  courses: string[]
  /** courses whose assignments and grades the account may not read */
  withheld: { courseId: string; code: string }[]
  units: MoodleUnit[]
  materials: MoodleMaterial[]
  items: MoodleItem[]
  results: MoodleResult[]
  /** whose grades were read, in which courses */
  covered: { course_id: string; username: string }[]
}

/** Reads all content of our courses from a Moodle. @throws SourceError, OutboundError */
export async function readMoodle(
  db: Db,
  source: Source,
  token: string,
  allow: string | undefined,
): Promise<MoodleContent> {
  const call = clientOf(source, token, allow)
  const site = (await call('core_webservice_get_site_info')) as Entry | null
  const moodleCourses = listOf(
    await call('core_enrol_get_users_courses', { userid: textOf(site?.userid) }),
    'courses',
  )
  const idsByCode = await coursesByCode(db)
  const pairs = moodleCourses
    .flatMap((one) => {
      const codes = [textOf(one.idnumber), textOf(one.shortname)]
      const code = codes.find((text) => idsByCode.has(text)) ?? ''
      const courseId = idsByCode.get(code)
      return courseId ? [{ moodleId: textOf(one.id), courseId, code }] : []
    })
    .slice(0, maxCourses)
  const content: MoodleContent = {
    courses: pairs.map(({ courseId }) => courseId),
    withheld: [],
    units: [],
    materials: [],
    items: [],
    results: [],
    covered: [],
  }
  const readable = await readAssignments(call, source, pairs, content)
  for (const course of pairs) {
    await readContents(call, source, course, content)
    if (readable.has(course.moodleId)) await readGrades(call, course, content)
    else content.withheld.push(course)
  }
  return content
}
type CoursePair = { moodleId: string; courseId: string; code: string }

/** Course ids by code, of current and future terms; of equal codes, the one that starts first. */
async function coursesByCode(db: Db): Promise<Map<string, string>> {
  const { rows } = await sql<{ code: string; id: string }>`
    select distinct on (course.code) course.code, course.id from course join academic_term term on term.id = course.term_id
    where term.starts_on + term.weeks * 7 >= current_date order by course.code, term.starts_on`.execute(
    db,
  )
  return new Map(rows.map(({ code, id }) => [code, id]))
}

/** @returns the Moodle ids of the courses that the account may read */
async function readAssignments(
  call: Call,
  source: Source,
  pairs: readonly CoursePair[],
  { items }: MoodleContent,
): Promise<Set<string>> {
  const readable = new Set<string>()
  const idsByMoodleId = new Map(pairs.map(({ moodleId, courseId }) => [moodleId, courseId]))
  for (let offset = 0; offset < pairs.length; offset += coursesPerRequest) {
    const ids = pairs.slice(offset, offset + coursesPerRequest)
    const answer = (await call(
      'mod_assign_get_assignments',
      Object.fromEntries(ids.map(({ moodleId }, index) => [`courseids[${index}]`, moodleId])),
    )) as Entry | null
    // Courses without access are named only in `warnings`, with status 200.
    for (const course of listOf(answer?.courses, 'courses with assignments')) {
      const id = idsByMoodleId.get(textOf(course.id))
      if (!id) continue
      readable.add(textOf(course.id))
      for (const assignment of listOf(course.assignments, 'assignments'))
        items.push({
          row: items.length + 1,
          key: `assign ${textOf(assignment.id)}`,
          course_id: id,
          kind: 'work',
          title: plainText(assignment.name, 200),
          text: plainText(assignment.intro, 4000),
          due_at: toTime(assignment.duedate),
          // A negative number is the id of a scale.
          points: Number(assignment.grade) > 0 ? Number(assignment.grade) : null,
          url: `${source.address}/mod/assign/view.php?id=${encodeURIComponent(textOf(assignment.cmid))}`,
        })
    }
  }
  return readable
}

async function readContents(
  call: Call,
  source: Source,
  { moodleId, courseId }: CoursePair,
  { units, materials }: MoodleContent,
) {
  const sections = listOf(
    await call('core_course_get_contents', { courseid: moodleId }),
    'sections',
  )
  for (const [position, section] of sections.entries()) {
    const modules = listOf(section.modules, 'modules').filter(
      // Assignments are imported separately; labels have no page of their own.
      ({ modname, url, uservisible }) =>
        modname !== 'assign' && textOf(url) !== '' && uservisible !== false,
    )
    const key = `section ${textOf(section.id)}`
    units.push({
      key,
      course_id: courseId,
      position,
      title: plainText(section.name, 200) || `${position}`,
      text: plainText(section.summary, 1000),
    })
    for (const [index, module] of modules.entries()) {
      const url = textOf(module.url)
      if (!URL.canParse(url) || new URL(url).origin !== new URL(source.address).origin) continue
      materials.push({
        key: `module ${textOf(module.id)}`,
        unit: key,
        course_id: courseId,
        position: position * 1000 + index,
        title: plainText(module.name, 200),
        url,
      })
    }
  }
}

async function readGrades(
  call: Call,
  { moodleId, courseId }: CoursePair,
  { items, results, covered }: MoodleContent,
) {
  const people = new Map(
    listOf(
      await call('core_enrol_get_enrolled_users', { courseid: moodleId }),
      'enrolled users',
    ).map((user) => [textOf(user.id), textOf(user.username).toLowerCase()]),
  )
  const report = (await call('gradereport_user_get_grade_items', {
    courseid: moodleId,
  })) as Entry | null
  const knownKeys = new Set(items.map(({ key }) => key))
  for (const user of listOf(report?.usergrades, 'grades')) {
    const username = people.get(textOf(user.userid))
    if (!username) continue
    covered.push({ course_id: courseId, username })
    for (const item of listOf(user.gradeitems, 'grade items')) {
      const isWork = item.itemtype === 'mod' && item.itemmodule === 'assign'
      const key = isWork ? `assign ${textOf(item.iteminstance)}` : `grade ${textOf(item.id)}`
      if (!knownKeys.has(key)) {
        if (isWork) continue
        knownKeys.add(key)
        items.push({
          row: items.length + 1,
          key,
          course_id: courseId,
          kind: item.itemtype === 'course' ? 'total' : 'mark',
          title: item.itemtype === 'course' ? '总评' : plainText(item.itemname, 200) || '成绩',
          text: '',
          due_at: null,
          points: Number(item.grademax) > 0 ? Number(item.grademax) : null,
          url: '',
        })
      }
      const score = typeof item.graderaw === 'number' ? item.graderaw : null
      const submittedAt = toTime(item.gradedatesubmitted)
      if (score === null && submittedAt === null) continue
      results.push({
        row: results.length + 1,
        key,
        username,
        score: score === null ? null : Math.round(score * 100) / 100,
        grade: '',
        feedback: plainText(item.feedback, 2000),
        handed: isWork && submittedAt !== null,
        published: score !== null && item.gradeishidden !== true,
        at: toTime(item.gradedategraded) ?? submittedAt,
      })
    }
  }
}
