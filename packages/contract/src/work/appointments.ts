import {
  del,
  get,
  Id,
  Nullable,
  OneOf,
  post,
  put,
  type Static,
  T,
  Time,
  Username,
} from '../define.ts'
import { Point } from '../shell/map.ts'
import { maxReminderMinutes, maxReminders } from './calendars.ts'
import { answers, calendarColors, EventDetail } from './schedule.ts'

export const maxParticipants = 500
export const maxEventFiles = 10
export const maxEventDays = 366
/** Which occurrences of a series a change affects. */
export const scopes = ['this', 'following', 'all'] as const

const zone = T.String({ maxLength: 60 })
const local = T.String({
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}$',
  description: 'YYYY-MM-DDTHH:MM in timeZone; all-day: midnight of the day',
})
const Invited = T.Object(
  {
    accountName: T.Optional(Username),
    email: T.Optional(T.String({ format: 'email', maxLength: 254 })),
    name: T.Optional(T.String({ maxLength: 100, description: 'name of an external person' })),
  },
  {
    description:
      'a member by username, or an external person by email, who is notified by mail if the portal sends mail',
  },
)

const Reminders = T.Array(T.Integer({ minimum: -1439, maximum: maxReminderMinutes }), {
  maxItems: maxReminders,
  uniqueItems: true,
  description: "minutes before the start; default for a new event: the member's settings",
})

const content = {
  title: T.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
  startsLocal: local,
  minutes: T.Integer({ minimum: 1, maximum: maxEventDays * 1440 }),
  allDay: T.Optional(T.Boolean()),
  timeZone: T.Optional(zone),
  location: T.Optional(T.String({ maxLength: 200 })),
  point: T.Optional(
    T.Union([Point, T.Null()], {
      description:
        'coordinates of the location; removed when the location changes without a new point',
    }),
  ),
  description: T.Optional(T.String({ maxLength: 5000 })),
  url: T.Optional(T.String({ maxLength: 1000, description: 'https address, or empty' })),
  rrule: T.Optional(
    T.String({ maxLength: 500, description: 'recurrence rule of RFC 5545, or empty' }),
  ),
  busy: T.Optional(T.Boolean()),
  category: T.Optional(T.String({ maxLength: 40 })),
  categoryColor: T.Optional(Nullable(OneOf(calendarColors))),
  files: T.Optional(
    T.Array(T.Object({ id: Id, name: T.String({ maxLength: 200 }) }), {
      maxItems: maxEventFiles,
      description: 'files of the member, readable by everybody who can read the event',
    }),
  ),
  participants: T.Optional(T.Array(Invited, { maxItems: maxParticipants })),
  reminders: T.Optional(Reminders),
}
/** Fields of a new event. */
export const writtenEvent = {
  uid: T.String({
    pattern: '^[A-Za-z0-9-]{16,64}$',
    description: 'chosen by the client; a repeated request does not create a second event',
  }),
  ...content,
}
const newEvent = { ...writtenEvent, calendarId: T.Optional(Id) }

const BusySpan = T.Object({ startsAt: Time, endsAt: Time })
export const FreeBusy = T.Object(
  {
    people: T.Array(
      T.Object({
        accountName: T.String(),
        name: T.String(),
        nameEn: T.String(),
        known: T.Boolean({ description: 'false: busy times are not shown' }),
        busy: T.Array(BusySpan),
      }),
    ),
    suggestions: T.Array(BusySpan, {
      description: 'times when everybody is free, earliest first, at most 10',
    }),
  },
  { $id: 'FreeBusy' },
)
export type FreeBusy = Static<typeof FreeBusy>

const base = '/schedule/api/v1/events'
const params = T.Object({ id: Id })
/** First occurrence affected by a change; required for a scope other than all. */
export const occurrence = {
  scope: OneOf(scopes, { default: 'all' }),
  originalLocal: T.Optional(local),
}
export const changing = [
  'event.not_found',
  'event.changed_meanwhile',
  'request.invalid',
  'event.too_many',
] as const

/** Events that members create, change, are invited to and are reminded of. */
export const appointments = {
  create: post(base, {
    summary: "Create an event in one of the member's calendars; a repeated `uid` changes nothing",
    access: 'member',
    body: T.Object(newEvent),
    reply: T.Object({ id: Id }),
    errors: ['event.too_many', 'calendar.not_found', 'event.declined', 'request.invalid'],
  }),
  createFromMessage: post('/message/center/api/v1/messageCenter/createSchedule', {
    summary: 'Create an event from a message in the inbox',
    access: 'member',
    body: T.Object({ ...newEvent, messageId: Id }),
    reply: T.Object({ id: Id }),
    errors: [
      'message.not_found',
      'event.too_many',
      'calendar.not_found',
      'event.declined',
      'request.invalid',
    ],
  }),
  update: put(`${base}/{id}`, {
    summary: 'Update one occurrence, this and the following ones, or the whole series',
    description:
      'Omitted fields are unchanged. A single occurrence can only differ in title, place and time. Times refer to the given occurrence.',
    access: 'member',
    params,
    body: T.Object({
      ...occurrence,
      version: T.Integer({ minimum: 0 }),
      calendarId: T.Optional(Id),
      ...T.Partial(T.Object(content)).properties,
    }),
    reply: EventDetail,
    errors: [...changing, 'calendar.not_found', 'event.declined'],
  }),
  remove: del(`${base}/{id}`, {
    summary: 'Delete one occurrence, this and the following ones, or the whole series',
    access: 'member',
    params,
    query: T.Object(occurrence),
    reply: T.Null(),
    errors: ['event.not_found', 'request.invalid'],
  }),
  respond: post(`${base}/{id}/respond`, {
    summary: 'Answer an invitation',
    access: 'member',
    params,
    body: T.Object({
      answer: OneOf(answers.slice(1) as ['yes', 'maybe', 'no']),
      comment: T.String({ maxLength: 200, default: '' }),
    }),
    reply: EventDetail,
    errors: ['event.not_found', 'event.not_invited'],
  }),
  setReminders: put(`${base}/{id}/reminders`, {
    summary: "Set the member's own reminders of an event",
    access: 'member',
    params,
    body: T.Object({ reminders: Reminders }),
    reply: EventDetail,
    errors: ['event.not_found'],
  }),
  freeBusy: get('/schedule/api/v1/freeBusy', {
    summary: 'Get when people are busy, and when all of them are free',
    access: 'member',
    query: T.Object({
      people: T.String({ maxLength: 2000, description: 'usernames, comma-separated, at most 20' }),
      from: T.String({ format: 'date' }),
      to: T.String({ format: 'date', description: 'inclusive, at most 62 days after `from`' }),
      minutes: T.Optional(T.Integer({ minimum: 5, maximum: 1440, default: 60 })),
      timeZone: T.Optional(zone),
      without: T.Optional(Id),
    }),
    reply: FreeBusy,
    errors: ['request.invalid', 'event.range_too_long'],
  }),
}

export const CheckIn = T.Object(
  {
    title: T.String(),
    titleEn: T.String(),
    startsAt: Time,
    opensAt: Time,
    closesAt: Time,
    organises: T.Boolean({
      description: 'the caller organises the event: shows the code and sees who checked in',
    }),
    code: T.String({
      description: 'current code for the organiser while check-in is open; otherwise empty',
    }),
    codeUntil: Nullable(Time),
    checkedInAt: Nullable(Time),
    invited: T.Integer({ description: 'number of invited members' }),
    people: T.Array(
      T.Object({ accountName: T.String(), name: T.String(), nameEn: T.String(), at: Time }),
      { description: 'people who checked in, last one first; only for the organiser' },
    ),
  },
  { $id: 'CheckIn' },
)
export type CheckIn = Static<typeof CheckIn>

const checkInPath = `${base}/{id}/checkIn` as const
const startsAt = T.Optional(T.String({ maxLength: 40 }))

/** Check-in at an event by a code that changes every 30 seconds, from an hour before until an hour after it. */
export const checkIn = {
  read: get(checkInPath, {
    summary:
      "Get the check-in of an event: the current code and attendees for the organiser, otherwise the caller's own state",
    access: 'member',
    params,
    query: T.Object({ startsAt }),
    reply: CheckIn,
    errors: ['event.not_found'],
  }),
  enter: post(checkInPath, {
    summary: 'Check in to an event with the displayed code; repeating it changes nothing',
    access: 'member',
    params,
    body: T.Object({ startsAt, code: T.String({ maxLength: 20 }) }),
    reply: T.Object({ at: Time }),
    errors: [
      'event.not_found',
      'event.check_in_closed',
      'event.code_wrong',
      'event.code_late',
      'request.too_many',
    ],
  }),
}
