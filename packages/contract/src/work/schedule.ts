import { get, Id, Nullable, OneOf, type Static, T, Time } from '../define.ts'
import { Point } from '../shell/map.ts'

export const calendarColors = ['blue', 'green', 'orange', 'violet', 'amber', 'teal'] as const

/** Answers to an invitation; `none`: not answered yet. */
export const answers = ['none', 'yes', 'maybe', 'no'] as const

/** A change to an occurrence that members knew of, or a new one. */
export const OccurrenceChange = T.Object(
  {
    kind: OneOf(['cancelled', 'moved', 'place', 'added']),
    title: T.String(),
    titleEn: T.String(),
    person: T.String(),
    note: T.String({ description: 'why, in the words of whoever changed it' }),
    startsAt: Nullable(Time),
    endsAt: Nullable(Time),
    location: T.String({ description: 'before; startsAt null: it was added' }),
    nowStartsAt: Nullable(Time),
    nowEndsAt: Nullable(Time),
    nowLocation: T.String({ description: 'after; nowStartsAt null: it is cancelled' }),
    changedAt: Time,
  },
  { $id: 'OccurrenceChange' },
)
export type OccurrenceChange = Static<typeof OccurrenceChange>

/**
 * One occurrence of an event. All-day occurrences run from midnight to midnight in their own zone: show their `days`.
 */
export const Occurrence = T.Object(
  {
    id: Id,
    calendarId: Id,
    kind: OneOf(['course', 'event']),
    title: T.String(),
    titleEn: T.String(),
    location: T.String(),
    person: T.String({ description: 'teacher or organiser' }),
    color: OneOf(calendarColors),
    startsAt: Time,
    endsAt: Time,
    allDay: T.Boolean(),
    firstDay: T.String({
      description: 'YYYY-MM-DD, in the zone asked for; all-day: in its own zone',
    }),
    lastDay: T.String({ description: 'YYYY-MM-DD, inclusive' }),
    timeZone: T.String(),
    answer: Nullable(OneOf(answers)),
    busy: T.Boolean({ description: 'false: it leaves its time free' }),
    editable: T.Boolean({ description: 'the member may move it' }),
    version: T.Integer(),
    struck: T.Boolean({
      description: 'it does not take place here: change says what became of it',
    }),
    change: Nullable(
      T.Object({
        kind: OneOf(['cancelled', 'moved', 'place', 'added']),
        at: Nullable(Time),
        location: T.String({
          description: 'struck: when and where it is now; otherwise when and where it was',
        }),
        note: T.String(),
      }),
    ),
  },
  { $id: 'Occurrence' },
)
export type Occurrence = Static<typeof Occurrence>

export const Participant = T.Object(
  {
    accountName: T.String({ description: 'empty: somebody outside' }),
    email: T.String({ description: 'of somebody outside' }),
    name: T.String(),
    nameEn: T.String(),
    answer: OneOf(answers),
    comment: T.String(),
  },
  { $id: 'Participant' },
)
export type Participant = Static<typeof Participant>

export const EventDetail = T.Object(
  {
    id: Id,
    title: T.String(),
    titleEn: T.String(),
    kind: OneOf(['course', 'event']),
    calendarId: Id,
    calendarName: T.String(),
    calendarNameEn: T.String(),
    color: OneOf(calendarColors),
    location: T.String(),
    point: Nullable(Point),
    person: T.String(),
    description: T.String(),
    category: T.String(),
    categoryColor: Nullable(OneOf(calendarColors)),
    files: T.Array(
      T.Object({
        id: Id,
        name: T.String(),
        url: T.String({ description: 'signed, for ten minutes' }),
        size: T.Integer({ description: 'bytes' }),
        mediaType: T.String(),
      }),
    ),
    url: T.String({ description: 'https, or empty' }),
    startsAt: Time,
    endsAt: Time,
    startsLocal: T.String({ description: 'YYYY-MM-DDTHH:MM by the clock of timeZone' }),
    minutes: T.Integer(),
    allDay: T.Boolean(),
    timeZone: T.String(),
    rrule: T.String({ description: 'RFC 5545, or empty' }),
    originalLocal: T.String({
      description: 'which occurrence of its series it is, for changes of this one',
    }),
    changed: T.Boolean({ description: 'this occurrence differs from its series' }),
    busy: T.Boolean(),
    editable: T.Boolean({ description: 'the member may change and delete it' }),
    own: T.Boolean({ description: 'the member organises it' }),
    version: T.Integer(),
    participants: T.Array(Participant, { description: 'answers are of the whole series' }),
    answer: Nullable(OneOf(answers)),
    reminders: T.Array(T.Integer(), { description: 'minutes before, of the member alone' }),
  },
  { $id: 'EventDetail' },
)
export type EventDetail = Static<typeof EventDetail>

/** The teaching week of a day, if it lies in a term. */
export const Term = T.Object(
  { name: T.String(), nameEn: T.String(), startsOn: T.String(), weeks: T.Integer() },
  { $id: 'Term' },
)
export type Term = Static<typeof Term>

const day = T.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', description: 'YYYY-MM-DD' })
const zone = T.String({ maxLength: 60 })

export const schedule = {
  events: get('/schedule/api/v1/events', {
    summary: 'Occurrences from a day to a day, both inclusive, at most 400 days',
    access: 'member',
    preEncoded: true,
    query: T.Object({
      from: day,
      to: day,
      calendarIds: T.Optional(T.String({ maxLength: 2000, description: 'comma-separated' })),
      timeZone: T.Optional(zone),
    }),
    reply: T.Object({
      list: T.Array(Occurrence),
      timeZone: T.String({ description: 'the zone whose days these are' }),
      term: Nullable(Term),
      holidays: T.Array(
        T.Object({
          day: T.String(),
          name: T.String(),
          nameEn: T.String(),
          off: T.Boolean(),
          taughtAs: Nullable(T.String({ description: 'the day whose lessons are taught on it' })),
        }),
      ),
    }),
    errors: ['event.range_too_long', 'request.invalid'],
  }),
  today: get('/schedule/api/v1/todayCourses', {
    summary: "Today's courses and events in the member's zone",
    access: 'member',
    preEncoded: true,
    reply: T.Array(Occurrence),
  }),
  changes: get('/schedule/api/v1/changes', {
    summary: "What changed since yesterday began in the member's zone, of what is still to come",
    access: 'member',
    preEncoded: true,
    reply: T.Array(OccurrenceChange, { description: '50 at most' }),
  }),
  read: get('/schedule/api/v1/events/{id}', {
    summary: 'One event, with the occurrence asked for or the next one',
    access: 'member',
    params: T.Object({ id: Id }),
    query: T.Object({ startsAt: T.Optional(T.String({ maxLength: 40 })) }),
    reply: EventDetail,
    errors: ['event.not_found'],
  }),
}
