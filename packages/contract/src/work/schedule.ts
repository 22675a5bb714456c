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
    note: T.String({ description: 'reason given by the person who made the change' }),
    startsAt: Nullable(Time),
    endsAt: Nullable(Time),
    location: T.String({ description: 'previous location; startsAt null: added' }),
    locationEn: T.String({ description: 'if it begins with a place of the map; or empty' }),
    nowStartsAt: Nullable(Time),
    nowEndsAt: Nullable(Time),
    nowLocation: T.String({ description: 'new location; nowStartsAt null: cancelled' }),
    nowLocationEn: T.String({ description: 'like locationEn' }),
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
    locationEn: T.String({ description: 'if it begins with a place of the map; or empty' }),
    person: T.String({ description: 'teacher or organiser' }),
    color: OneOf(calendarColors),
    startsAt: Time,
    endsAt: Time,
    allDay: T.Boolean(),
    firstDay: T.String({
      description: "YYYY-MM-DD in the requested time zone; all-day: in the event's own",
    }),
    lastDay: T.String({ description: 'YYYY-MM-DD, inclusive' }),
    timeZone: T.String(),
    answer: Nullable(OneOf(answers)),
    busy: T.Boolean({ description: 'false: shown as free' }),
    editable: T.Boolean({ description: 'the member may move it' }),
    version: T.Integer(),
    struck: T.Boolean({
      description: 'does not take place as shown here; see `change`',
    }),
    change: Nullable(
      T.Object({
        kind: OneOf(['cancelled', 'moved', 'place', 'added']),
        at: Nullable(Time),
        location: T.String({
          description: 'struck: new location; otherwise previous location',
        }),
        locationEn: T.String({ description: 'if it begins with a place of the map; or empty' }),
        note: T.String(),
      }),
    ),
  },
  { $id: 'Occurrence' },
)
export type Occurrence = Static<typeof Occurrence>

export const Participant = T.Object(
  {
    accountName: T.String({ description: 'empty: external person' }),
    email: T.String({ description: 'mail address of an external person' }),
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
    locationEn: T.String(),
    point: Nullable(Point),
    person: T.String(),
    description: T.String(),
    category: T.String(),
    categoryColor: Nullable(OneOf(calendarColors)),
    files: T.Array(
      T.Object({
        id: Id,
        name: T.String(),
        url: T.String({ description: 'signed, valid for ten minutes' }),
        size: T.Integer({ description: 'bytes' }),
        mediaType: T.String(),
      }),
    ),
    url: T.String({ description: 'https address, or empty' }),
    startsAt: Time,
    endsAt: Time,
    startsLocal: T.String({ description: 'YYYY-MM-DDTHH:MM in timeZone' }),
    minutes: T.Integer(),
    allDay: T.Boolean(),
    timeZone: T.String(),
    rrule: T.String({ description: 'recurrence rule of RFC 5545, or empty' }),
    originalLocal: T.String({
      description: 'identifies the occurrence in its series, for changes to it',
    }),
    changed: T.Boolean({ description: 'this occurrence differs from its series' }),
    busy: T.Boolean(),
    editable: T.Boolean({ description: 'the member may change and delete it' }),
    own: T.Boolean({ description: 'the member is the organiser' }),
    version: T.Integer(),
    participants: T.Array(Participant, { description: 'answers apply to the whole series' }),
    answer: Nullable(OneOf(answers)),
    reminders: T.Array(T.Integer(), { description: "minutes before the start; the member's own" }),
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
    summary: 'List occurrences from a day to a day, both inclusive, at most 400 days',
    access: 'member',
    preEncoded: true,
    query: T.Object({
      from: day,
      to: day,
      calendarIds: T.Optional(
        T.String({ maxLength: 2000, description: 'calendar ids, comma-separated' }),
      ),
      timeZone: T.Optional(zone),
    }),
    reply: T.Object({
      list: T.Array(Occurrence),
      timeZone: T.String({ description: 'time zone of the days' }),
      term: Nullable(Term),
      holidays: T.Array(
        T.Object({
          day: T.String(),
          name: T.String(),
          nameEn: T.String(),
          off: T.Boolean(),
          taughtAs: Nullable(T.String({ description: 'day whose lessons are taught on this day' })),
        }),
      ),
    }),
    errors: ['event.range_too_long', 'request.invalid'],
  }),
  today: get('/schedule/api/v1/todayCourses', {
    summary: "List today's courses and events in the member's time zone",
    access: 'member',
    preEncoded: true,
    reply: T.Array(Occurrence),
  }),
  changes: get('/schedule/api/v1/changes', {
    summary:
      "List changes to upcoming events since the beginning of yesterday in the member's time zone",
    access: 'member',
    preEncoded: true,
    reply: T.Array(OccurrenceChange, { description: 'at most 50' }),
  }),
  read: get('/schedule/api/v1/events/{id}', {
    summary: 'Get an event with the given occurrence, or the next one',
    access: 'member',
    params: T.Object({ id: Id }),
    query: T.Object({ startsAt: T.Optional(T.String({ maxLength: 40 })) }),
    reply: EventDetail,
    errors: ['event.not_found'],
  }),
}
