import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { askJson, SourceError } from './ask-source.ts'
import type { Source } from './sources.ts'

/*
 * Moodle's web services, as REST with JSON: https://docs.moodle.org/dev/Web_service_API_functions
 * The token's account sees the courses it is enrolled in; those whose idnumber or short name equals one of our course
 * codes are read.
 */

const maxCourses = 500
const coursesAtOnce = 50

type Entry = Record<string, unknown>
const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''
const listOf = (value: unknown) => (Array.isArray(value) ? (value as Entry[]) : [])
const plain = (html: unknown, maxLength: number) =>
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
const timeOf = (seconds: unknown) =>
  Number(seconds) > 0 ? new Date(Number(seconds) * 1000).toISOString() : null

/** A client for one Moodle. @throws SourceError with Moodle's message */
function clientOf(source: Source, token: string, allow: string | undefined) {
  return async (wsfunction: string, params: Record<string, string> = {}) => {
    const { body } = await askJson(`${source.address}/webservice/rest/server.php`, {
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
  const site = (await call('core_webservice_get_site_info')) as Entry
  const theirs = listOf(await call('core_enrol_get_users_courses', { userid: textOf(site.userid) }))
  const ours = await coursesByCode(db)
  const matched = theirs
    .flatMap((one) => {
      const id = ours.get(textOf(one.idnumber)) ?? ours.get(textOf(one.shortname))
      return id ? [{ theirs: textOf(one.id), ours: id }] : []
    })
    .slice(0, maxCourses)
  const content: MoodleContent = {
    courses: matched.map(({ ours }) => ours),
    units: [],
    materials: [],
    items: [],
    results: [],
    covered: [],
  }
  await readAssignments(call, source, matched, content)
  for (const course of matched) {
    await readContents(call, source, course, content)
    await readGrades(call, course, content)
  }
  return content
}
type Matched = { theirs: string; ours: string }

/** Course ids by code, of current and future terms; of equal codes, the one that starts first. */
async function coursesByCode(db: Db): Promise<Map<string, string>> {
  const { rows } = await sql<{ code: string; id: string }>`
    select distinct on (course.code) course.code, course.id from course join academic_term term on term.id = course.term_id
    where term.starts_on + term.weeks * 7 >= current_date order by course.code, term.starts_on`.execute(
    db,
  )
  return new Map(rows.map(({ code, id }) => [code, id]))
}

async function readAssignments(
  call: Call,
  source: Source,
  matched: readonly Matched[],
  { items }: MoodleContent,
) {
  const ours = new Map(matched.map((one) => [one.theirs, one.ours]))
  for (let at = 0; at < matched.length; at += coursesAtOnce) {
    const ids = matched.slice(at, at + coursesAtOnce)
    const answer = (await call(
      'mod_assign_get_assignments',
      Object.fromEntries(ids.map(({ theirs }, index) => [`courseids[${index}]`, theirs])),
    )) as Entry
    for (const course of listOf(answer.courses))
      for (const one of listOf(course.assignments)) {
        const id = ours.get(textOf(course.id))
        if (!id) continue
        items.push({
          row: items.length + 1,
          key: `assign ${textOf(one.id)}`,
          course_id: id,
          kind: 'work',
          title: plain(one.name, 200),
          text: plain(one.intro, 4000),
          due_at: timeOf(one.duedate),
          // A negative number is the id of a scale.
          points: Number(one.grade) > 0 ? Number(one.grade) : null,
          url: `${source.address}/mod/assign/view.php?id=${encodeURIComponent(textOf(one.cmid))}`,
        })
      }
  }
}

async function readContents(
  call: Call,
  source: Source,
  { theirs, ours }: Matched,
  { units, materials }: MoodleContent,
) {
  const sections = listOf(await call('core_course_get_contents', { courseid: theirs }))
  for (const [position, section] of sections.entries()) {
    const modules = listOf(section.modules).filter(
      // Assignments are imported separately; labels have no page of their own.
      ({ modname, url, uservisible }) =>
        modname !== 'assign' && textOf(url) !== '' && uservisible !== false,
    )
    const key = `section ${textOf(section.id)}`
    units.push({
      key,
      course_id: ours,
      position,
      title: plain(section.name, 200) || `${position}`,
      text: plain(section.summary, 1000),
    })
    for (const [at, one] of modules.entries()) {
      const url = textOf(one.url)
      if (!URL.canParse(url) || new URL(url).origin !== new URL(source.address).origin) continue
      materials.push({
        key: `module ${textOf(one.id)}`,
        unit: key,
        course_id: ours,
        position: position * 1000 + at,
        title: plain(one.name, 200),
        url,
      })
    }
  }
}

async function readGrades(
  call: Call,
  { theirs, ours }: Matched,
  { items, results, covered }: MoodleContent,
) {
  const people = new Map(
    listOf(await call('core_enrol_get_enrolled_users', { courseid: theirs })).map((one) => [
      textOf(one.id),
      textOf(one.username).toLowerCase(),
    ]),
  )
  const report = (await call('gradereport_user_get_grade_items', { courseid: theirs })) as Entry
  const known = new Set(items.map(({ key }) => key))
  for (const user of listOf(report.usergrades)) {
    const username = people.get(textOf(user.userid))
    if (!username) continue
    covered.push({ course_id: ours, username })
    for (const one of listOf(user.gradeitems)) {
      const isWork = one.itemtype === 'mod' && one.itemmodule === 'assign'
      const key = isWork ? `assign ${textOf(one.iteminstance)}` : `grade ${textOf(one.id)}`
      if (!known.has(key)) {
        if (isWork) continue
        known.add(key)
        items.push({
          row: items.length + 1,
          key,
          course_id: ours,
          kind: one.itemtype === 'course' ? 'total' : 'mark',
          title: one.itemtype === 'course' ? '总评' : plain(one.itemname, 200) || '成绩',
          text: '',
          due_at: null,
          points: Number(one.grademax) > 0 ? Number(one.grademax) : null,
          url: '',
        })
      }
      const score = typeof one.graderaw === 'number' ? one.graderaw : null
      const handed = timeOf(one.gradedatesubmitted)
      if (score === null && handed === null) continue
      results.push({
        row: results.length + 1,
        key,
        username,
        score: score === null ? null : Math.round(score * 100) / 100,
        grade: '',
        feedback: plain(one.feedback, 2000),
        handed: isWork && handed !== null,
        published: score !== null && one.gradeishidden !== true,
        at: timeOf(one.gradedategraded) ?? handed,
      })
    }
  }
}
