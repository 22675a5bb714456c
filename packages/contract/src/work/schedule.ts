import { del, get, Id, Nullable, OneOf, post, put, type Static, T, Time } from '../define.ts'

export const calendarColors = ['blue', 'green', 'orange', 'violet', 'amber', 'teal'] as const

export const Calendar = T.Object(
  {
    id: Id,
    name: T.String(),
    nameEn: T.String(),
    color: OneOf(calendarColors),
    kind: OneOf(['personal', 'course', 'public']),
    mine: T.Boolean(),
  },
  { $id: 'Calendar' },
)
export type Calendar = Static<typeof Calendar>

/** One occurrence of an event. All-day occurrences run from midnight to midnight in their own zone: show their `days`. */
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
  },
  { $id: 'Occurrence' },
)
export type Occurrence = Static<typeof Occurrence>

export const EventDetail = T.Object(
  {
    id: Id,
    title: T.String(),
    titleEn: T.String(),
    kind: OneOf(['course', 'event']),
    calendarName: T.String(),
    calendarNameEn: T.String(),
    color: OneOf(calendarColors),
    location: T.String(),
    person: T.String(),
    description: T.String(),
    startsAt: Time,
    endsAt: Time,
    allDay: T.Boolean(),
    timeZone: T.String(),
    rrule: T.String({ description: 'RFC 5545, or empty' }),
    mine: T.Boolean({ description: 'made by the caller, who may delete it' }),
  },
  { $id: 'EventDetail' },
)

/** The teaching week a day lies in, when it lies in a term. */
export const Term = T.Object(
  { name: T.String(), nameEn: T.String(), startsOn: T.String(), weeks: T.Integer() },
  { $id: 'Term' },
)
export type Term = Static<typeof Term>

export const ScheduleSettings = T.Object(
  {
    timeZone: T.String({
      description: 'zone id; the institution’s when the member has chosen none',
    }),
    institutionTimeZone: T.String(),
  },
  { $id: 'ScheduleSettings' },
)

const day = T.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', description: 'YYYY-MM-DD' })
const zone = T.String({ maxLength: 60 })

const newEvent = {
  uid: T.String({
    pattern: '^[A-Za-z0-9-]{16,64}$',
    description: 'made by the caller: a second try is no second event',
  }),
  title: T.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
  startsLocal: T.String({
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}$',
    description:
      'YYYY-MM-DDTHH:MM by the clock of timeZone; of a day that is all of it, its midnight',
  }),
  minutes: T.Integer({ minimum: 1, maximum: 44_640, description: 'a month at most' }),
  allDay: T.Optional(T.Boolean()),
  timeZone: T.Optional(zone),
  location: T.Optional(T.String({ maxLength: 200 })),
  description: T.Optional(T.String({ maxLength: 2000 })),
}

export const schedule = {
  calendars: get('/schedule/api/v1/calendars', {
    summary: 'Calendars the member sees',
    access: 'member',
    reply: T.Array(Calendar),
  }),
  events: get('/schedule/api/v1/events', {
    summary: 'Occurrences from a day to a day, both inclusive, at most 400 days',
    access: 'member',
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
        T.Object({ day: T.String(), name: T.String(), nameEn: T.String(), off: T.Boolean() }),
      ),
    }),
    errors: ['event.range_too_long', 'request.invalid'],
  }),
  today: get('/schedule/api/v1/todayCourses', {
    summary: "Today's courses and events in the member's zone",
    access: 'member',
    reply: T.Array(Occurrence),
  }),
  read: get('/schedule/api/v1/events/{id}', {
    summary: 'One event, with the occurrence asked for or the next one',
    access: 'member',
    params: T.Object({ id: Id }),
    query: T.Object({ startsAt: T.Optional(T.String({ maxLength: 40 })) }),
    reply: EventDetail,
    errors: ['event.not_found'],
  }),
  create: post('/schedule/api/v1/events', {
    summary: "A new event in the member's own calendar; the same uid again changes nothing",
    access: 'member',
    body: T.Object(newEvent),
    reply: T.Object({ id: Id }),
    errors: ['event.too_many', 'request.invalid'],
  }),
  createFromMessage: post('/message/center/api/v1/messageCenter/createSchedule', {
    summary: "A new event in the member's own calendar out of a message in the inbox",
    access: 'member',
    body: T.Object({ ...newEvent, messageId: Id }),
    reply: T.Object({ id: Id }),
    errors: ['message.not_found', 'event.too_many', 'request.invalid'],
  }),
  ownCalendars: get('/message/center/api/v1/messageCenter/getPersonlCalendarList', {
    summary: "The member's own calendars",
    access: 'member',
    reply: T.Array(Calendar),
  }),
  remove: del('/schedule/api/v1/events/{id}', {
    summary: 'Deletes an event the member made',
    access: 'member',
    params: T.Object({ id: Id }),
    reply: T.Null(),
    errors: ['event.not_found'],
  }),
  settings: get('/schedule/api/v1/settings', {
    summary: "The member's time zone",
    access: 'member',
    reply: ScheduleSettings,
  }),
  saveSettings: put('/schedule/api/v1/settings', {
    summary: "Choose the member's time zone; empty goes back to the institution's",
    access: 'member',
    body: T.Object({ timeZone: T.String({ maxLength: 60 }) }),
    reply: ScheduleSettings,
    errors: ['request.invalid'],
  }),
}
