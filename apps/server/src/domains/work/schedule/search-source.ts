import { dayIn } from '@atrium/rules/day-in'
import { roomInEnglish } from '@atrium/rules/places/room-in-english'
import { sql } from 'kysely'
import { listAllPlaces } from '#domains/shell/map/queries.ts'
import { contains } from '#platform/database/contains.ts'
import {
  type AnswerSource,
  type Candidate,
  emptyAnswer,
  type Searchable,
} from '#platform/search-source.ts'
import { subjectOf } from '#platform/text/subject-of.ts'
import { zoneOf } from './day-bounds.ts'
import { listOccurrences, visibleCalendars } from './queries.ts'

const detail = (id: string, startsAt?: string | null) =>
  `/pages/shedul/shedulDetail?${new URLSearchParams({ id, ...(startsAt && { startsAt }) })}`

const nextLessonQuestion =
  /下一?节(课|是什么课)?|下一?堂课|接下来(有)?什么课|\bnext (class|lesson|lecture|course)\b/
/** How many days ahead to look for the next lesson. */
const daysAhead = 14

/** Answers “下节课在哪”: the next lesson with its place and time. */
const nextLesson: AnswerSource = async (platform, viewer, { text }) => {
  if (!viewer.signedIn || subjectOf(text, nextLessonQuestion) === undefined) return undefined
  const zone = await zoneOf(platform, viewer)
  const now = Date.now()
  const span = {
    from: new Date(now).toISOString(),
    to: new Date(now + daysAhead * 86_400_000).toISOString(),
  }
  const lessons = await listOccurrences(platform, viewer, span, zone)
  const next = lessons
    .filter(
      ({ kind, struck, startsAt }) => kind === 'course' && !struck && Date.parse(startsAt) > now,
    )
    .toSorted((one, other) => (one.startsAt < other.startsAt ? -1 : 1))[0]
  if (!next)
    return {
      ...emptyAnswer,
      kind: 'lesson',
      title: '接下来两周没有课',
      titleEn: 'No lessons in the next two weeks',
      ways: [schedule],
    }
  const time = (language: string) =>
    new Intl.DateTimeFormat(language, {
      timeZone: zone,
      weekday: 'long',
      month: 'long',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }).format(Date.parse(next.startsAt))
  return {
    ...emptyAnswer,
    kind: 'lesson',
    title: next.title,
    titleEn: next.titleEn,
    text: next.location,
    textEn: next.locationEn || next.location,
    facts: [
      { name: '时间', nameEn: 'Time', value: time('zh-CN'), valueEn: time('en-GB') },
      ...(next.person
        ? [{ name: '教师', nameEn: 'Teacher', value: next.person, valueEn: next.person }]
        : []),
    ],
    ways: [
      {
        name: '查看这节课',
        nameEn: 'See the lesson',
        to: detail(next.id, next.startsAt),
        serviceId: null,
      },
      schedule,
    ],
  }
}
const schedule = {
  name: '打开日程',
  nameEn: 'Open the schedule',
  to: '/pages/tab/schedule/schedule',
  serviceId: null,
}

const matchesText = (text: string) => sql`(${contains(sql.ref('event.title'), text)}
  or ${contains(sql.ref('event.title_en'), text)} or ${contains(sql.ref('event.location'), text)})`

/** Finds events the member may read by title or place, with the next occurrence of each, or else the last. */
export const scheduleSearch: Searchable = {
  records: [
    {
      kind: 'event',
      access: 'member',
      async find(platform, viewer, { text }, { limit, offset }) {
        if (!viewer.signedIn) return []
        const { db } = platform
        const calendars = visibleCalendars(db, viewer).select('calendar.id')
        const { rows } = await sql<{
          id: string
          title: string
          title_en: string
          location: string
          all_day: boolean
          time_zone: string
          starts_at: string | null
        }>`
          with found as (
            select event.id from event where event.calendar_id = any(array(${calendars})) and ${matchesText(text)}
            union select event.id from event_participant part join event on event.id = part.event_id
            where part.account_id = ${viewer.accountId} and part.answer <> 'no' and ${matchesText(text)}
          )
          select event.id, event.title, event.title_en, event.location, event.all_day, event.time_zone, near.starts_at
          from found join event on event.id = found.id
          left join lateral (
            select o.starts_at from event_occurrence o where o.event_id = event.id
            order by o.ends_at < now(), abs(extract(epoch from o.starts_at - now())) limit 1) near on true
          order by near.starts_at < now() nulls last, abs(extract(epoch from near.starts_at - now())), event.id
          limit ${limit} offset ${offset}`.execute(db)
        const places = await listAllPlaces(platform)
        return rows.map((row): Candidate => {
          const startsAt = row.starts_at && new Date(row.starts_at).toISOString()
          return {
            id: row.id,
            title: row.title,
            titleEn: row.title_en,
            text: row.location,
            textEn: roomInEnglish(row.location, places),
            words: row.location ? [row.location] : [],
            at: startsAt,
            ...(startsAt &&
              row.all_day && { firstDay: dayIn(Date.parse(startsAt), row.time_zone) }),
            to: detail(row.id, startsAt),
          }
        })
      },
    },
  ],
  answers: [nextLesson],
}
