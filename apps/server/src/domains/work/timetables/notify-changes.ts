import type { Place } from '@atrium/contract/shell/map'
import { roomInEnglish } from '@atrium/rules/places/room-in-english'
import { sql } from 'kysely'
import { listPlaces } from '#domains/shell/map/queries.ts'
import { sendMessage, type Text } from '#domains/work/messages/send.ts'
import type { Db } from '#platform/database/db.ts'
import { escapeHtml } from '#platform/text/escape-html.ts'
import { timetableMessages } from './messages.ts'

/** Changes to lessons of a course, for a message. */
export type CourseChanges = {
  calendarId: string
  title: string
  titleEn: string
  count: number
  lines: ChangeLine[]
}
type ChangeLine = {
  kind: 'cancelled' | 'moved' | 'place' | 'added'
  startsAt: string | null
  nowStartsAt: string | null
  nowLocation: string
  note: string
}

/** Maximum lessons of a course listed in a message; further ones are counted. */
const maxLines = 4
/**
 * Every distinct set of courses needs its own message. Above this number, the remaining members get a message without
 * details.
 */
const maxMessages = 300
const accountsPerMessage = 5000
const schedulePage = '/pages/tab/schedule/schedule'

/**
 * Stores the changes in `occurrence_change` for display in the schedule. A lesson back at its original time is no
 * longer marked; earlier marks of a lesson moved again point to its new time.
 * @param settings.newCourses also for courses that had no lessons before
 */
export async function storeDifference(db: Db, { newCourses }: { newCourses: boolean }) {
  const courseFilter = newCourses ? sql`true` : sql`course_id in (select id from known_course)`
  await sql`
    update occurrence_change mark
    set now_starts_at = gone.now_starts_at, now_ends_at = gone.now_ends_at, now_location = gone.now_location,
      kind = case when gone.now_starts_at is null then 'cancelled' else mark.kind end
    from lesson_difference gone
    where mark.event_id = gone.event_id and mark.now_starts_at = gone.starts_at and mark.starts_at is not null`.execute(
    db,
  )
  await sql`
    insert into occurrence_change (calendar_id, event_id, kind, title, title_en, person, note, starts_at, ends_at, location,
      now_starts_at, now_ends_at, now_location)
    select difference.calendar_id, event.id, difference.kind, difference.title, difference.title_en, difference.person,
      coalesce(change.note, ''), difference.starts_at, difference.ends_at, difference.location, now_starts_at, now_ends_at, now_location
    from (select * from lesson_difference where ${courseFilter}) difference
    left join event on event.id = difference.event_id
    left join lesson_change change on (change.lesson_id, change.day) = (difference.lesson_id, difference.day)`.execute(
    db,
  )
  await sql`
    delete from occurrence_change mark using event_occurrence o, lesson_difference touched
    where mark.calendar_id = touched.calendar_id and mark.kind in ('cancelled', 'moved')
      and o.calendar_id = mark.calendar_id and o.starts_at = mark.starts_at and not o.long`.execute(
    db,
  )
}

/**
 * The changes to report to members of each course. Courses without earlier lessons are excluded, so that the first
 * import notifies nobody.
 */
export async function listReportedChanges(db: Db): Promise<CourseChanges[]> {
  const { rows } = await sql<
    ChangeLine & { calendarId: string; title: string; titleEn: string; count: number }
  >`
    select * from (
      select difference.calendar_id as "calendarId", course.name as title, course.name_en as "titleEn", difference.kind,
        difference.starts_at as "startsAt", now_starts_at as "nowStartsAt", now_location as "nowLocation",
        coalesce(change.note, '') as note, count(*) over (partition by difference.calendar_id)::integer as count,
        row_number() over (partition by difference.calendar_id order by coalesce(difference.starts_at, now_starts_at)) as place
      from lesson_difference difference
      join course on course.id = difference.course_id
      left join lesson_change change on (change.lesson_id, change.day) = (difference.lesson_id, difference.day)
      where difference.course_id in (select id from known_course)
    ) line where place <= ${maxLines} order by "calendarId", place`.execute(db)
  return [...Map.groupBy(rows, ({ calendarId }) => calendarId).values()].flatMap((lines) => {
    const [first] = lines
    return first
      ? [
          {
            calendarId: first.calendarId,
            title: first.title,
            titleEn: first.titleEn,
            count: first.count,
            lines,
          },
        ]
      : []
  })
}

/**
 * Sends one message to each member of these courses, however many lessons changed. @returns number of people notified
 */
export async function notifyChanges(
  db: Db,
  changes: readonly CourseChanges[],
  timeZone: string,
): Promise<number> {
  const courses = new Map<string, CourseChanges>()
  for (const course of changes) {
    const existing = courses.get(course.calendarId)
    courses.set(
      course.calendarId,
      existing
        ? {
            ...course,
            count: existing.count + course.count,
            lines: [...existing.lines, ...course.lines].slice(0, maxLines),
          }
        : course,
    )
  }
  const places = await listPlaces(db, '')
  return notifyGroups(
    db,
    sql`select member.account_id, member.calendar_id from calendar_member member
        where member.calendar_id = any(${[...courses.keys()]}::bigint[])`,
    async (accounts, calendars) => {
      const memberCourses = calendars?.flatMap((id) => courses.get(id) ?? [])
      await sendMessage(db, {
        kind: timetableMessages.kinds.changed,
        to: { accounts },
        ...(memberCourses ? textsOf(memberCourses, timeZone, places) : genericTexts),
        url: schedulePage,
      })
    },
  )
}

const genericTexts = {
  title: { zh: '你的课表有变动', en: 'Your timetable has changed' },
  summary: { zh: '请在日程中查看。', en: 'Please see your schedule.' },
}

/**
 * Groups people by the set of courses that concern them, largest groups first.
 * @param concerned account_id and calendar_id
 * @param send calendars: undefined if there are too many groups
 * @returns number of people notified
 */
export async function notifyGroups(
  db: Db,
  affected: ReturnType<typeof sql>,
  send: (accounts: readonly string[], calendars: readonly string[] | undefined) => Promise<void>,
): Promise<number> {
  await sql`drop table if exists told_account`.execute(db)
  await sql`
    create temp table told_account on commit drop as
    select c.account_id, array_agg(distinct c.calendar_id order by c.calendar_id) as calendars
    from (${affected}) c join account on account.id = c.account_id and account.status <> 'disabled'
    group by c.account_id`.execute(db)
  const { rows: groups } = await sql<{ calendars: string[]; accounts: string[] }>`
    select calendars, array_agg(account_id::text order by account_id) as accounts from told_account
    group by calendars order by count(*) desc, calendars limit ${maxMessages}`.execute(db)
  let people = 0
  for (const { calendars, accounts } of groups) {
    people += accounts.length
    for (let offset = 0; offset < accounts.length; offset += accountsPerMessage)
      await send(accounts.slice(offset, offset + accountsPerMessage), calendars.map(String))
  }
  if (groups.length < maxMessages) return people
  const { rows: remaining } = await sql<{ id: string }>`
    select account_id as id from told_account where calendars not in (
      select calendars from told_account group by calendars order by count(*) desc, calendars limit ${maxMessages})
    order by account_id`.execute(db)
  for (let offset = 0; offset < remaining.length; offset += accountsPerMessage)
    await send(
      remaining.slice(offset, offset + accountsPerMessage).map(({ id }) => id),
      undefined,
    )
  return people + remaining.length
}

function textsOf(courses: readonly CourseChanges[], timeZone: string, places: readonly Place[]) {
  const changes = courses.reduce((sum, { count }) => sum + count, 0)
  const [first] = courses
  const line = first?.lines[0]
  const words = (language: 'zh' | 'en') =>
    courses.flatMap((course) =>
      course.lines.map((change) => {
        const room = language === 'en' && roomInEnglish(change.nowLocation, places)
        return lineOf(course, room ? { ...change, nowLocation: room } : change, language, timeZone)
      }),
    )
  const list = (language: 'zh' | 'en') => {
    const hiddenCount = changes - words(language).length
    const more =
      language === 'zh'
        ? `另有 ${hiddenCount} 处变动，见日程。`
        : `And ${hiddenCount} more; see your schedule.`
    return `<ul>${words(language)
      .map((text) => `<li>${escapeHtml(text)}</li>`)
      .join('')}</ul>${hiddenCount > 0 ? `<p>${more}</p>` : ''}`
  }
  const title: Text =
    changes === 1 && first && line
      ? {
          zh: `${kindNames.zh[line.kind]}：${first.title}`,
          en: `${kindNames.en[line.kind]}: ${first.titleEn || first.title}`,
        }
      : { zh: `课表有 ${changes} 处变动`, en: `${changes} changes in your timetable` }
  return {
    title,
    summary: { zh: words('zh').slice(0, 3).join('；'), en: words('en').slice(0, 3).join('; ') },
    content: { zh: list('zh'), en: list('en') },
  }
}

const kindNames = {
  zh: { cancelled: '停课', moved: '调课', place: '换教室', added: '新增课次' },
  en: {
    cancelled: 'Cancelled',
    moved: 'Moved',
    place: 'Another room',
    added: 'Added',
  },
} as const

function lineOf(
  course: CourseChanges,
  line: ChangeLine,
  language: 'zh' | 'en',
  timeZone: string,
): string {
  const zh = language === 'zh'
  const name = zh ? course.title : course.titleEn || course.title
  const when = (moment: string | null) =>
    moment === null
      ? ''
      : new Intl.DateTimeFormat(zh ? 'zh-CN' : 'en-GB', {
          timeZone,
          month: 'short',
          day: 'numeric',
          weekday: 'short',
          hour: '2-digit',
          minute: '2-digit',
        }).format(new Date(moment))
  const timeAndPlace = (moment: string | null, place: string) =>
    [when(moment), place].filter(Boolean).join(' ')
  const note = line.note ? (zh ? `（${line.note}）` : ` (${line.note})`) : ''
  switch (line.kind) {
    case 'cancelled':
      return zh
        ? `${name} ${when(line.startsAt)} 停课${note}`
        : `${name}, ${when(line.startsAt)}: cancelled${note}`
    case 'added':
      return zh
        ? `${name} 新增 ${timeAndPlace(line.nowStartsAt, line.nowLocation)}${note}`
        : `${name}, new: ${timeAndPlace(line.nowStartsAt, line.nowLocation)}${note}`
    case 'place':
      return zh
        ? `${name} ${when(line.startsAt)} 改在 ${line.nowLocation || '待定地点'}${note}`
        : `${name}, ${when(line.startsAt)}: now in ${line.nowLocation || 'a place to be announced'}${note}`
    case 'moved':
      return zh
        ? `${name} ${when(line.startsAt)} 改为 ${timeAndPlace(line.nowStartsAt, line.nowLocation)}${note}`
        : `${name}, ${when(line.startsAt)}: moved to ${timeAndPlace(line.nowStartsAt, line.nowLocation)}${note}`
  }
}
