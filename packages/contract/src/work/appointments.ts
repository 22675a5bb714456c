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
/** Which occurrences of a series a change affects. */
export const scopes = ['this', 'following', 'all'] as const

const zone = T.String({ maxLength: 60 })
const local = T.String({
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}$',
  description:
    'YYYY-MM-DDTHH:MM by the clock of timeZone; of a day that is all of it, its midnight',
})
const Invited = T.Object(
  {
    accountName: T.Optional(Username),
    email: T.Optional(T.String({ format: 'email', maxLength: 254 })),
    name: T.Optional(T.String({ maxLength: 100, description: 'of somebody outside' })),
  },
  {
    description:
      'a member by username, who is told; or somebody outside by email, who is told by mail where the portal sends any',
  },
)

const Reminders = T.Array(T.Integer({ minimum: -1439, maximum: maxReminderMinutes }), {
  maxItems: maxReminders,
  uniqueItems: true,
  description: 'minutes before; of a new event, left out: as in the settings',
})

const content = {
  title: T.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
  startsLocal: local,
  minutes: T.Integer({ minimum: 1, maximum: 44_640, description: 'a month at most' }),
  allDay: T.Optional(T.Boolean()),
  timeZone: T.Optional(zone),
  location: T.Optional(T.String({ maxLength: 200 })),
  point: T.Optional(
    T.Union([Point, T.Null()], {
      description: 'where the location is; another location without one has none',
    }),
  ),
  description: T.Optional(T.String({ maxLength: 5000 })),
  url: T.Optional(T.String({ maxLength: 1000, description: 'https, or empty' })),
  rrule: T.Optional(T.String({ maxLength: 500, description: 'RFC 5545, or empty' })),
  busy: T.Optional(T.Boolean()),
  category: T.Optional(T.String({ maxLength: 40 })),
  categoryColor: T.Optional(Nullable(OneOf(calendarColors))),
  files: T.Optional(
    T.Array(T.Object({ id: Id, name: T.String({ maxLength: 200 }) }), {
      maxItems: maxEventFiles,
      description: 'of the member; everybody who reads the event reads them',
    }),
  ),
  participants: T.Optional(T.Array(Invited, { maxItems: maxParticipants })),
  reminders: T.Optional(Reminders),
}
/** Fields of a new event. */
export const writtenEvent = {
  uid: T.String({
    pattern: '^[A-Za-z0-9-]{16,64}$',
    description: 'made by the caller: a second try is no second event',
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
        known: T.Boolean({ description: 'false: they do not show when they are busy' }),
        busy: T.Array(BusySpan),
      }),
    ),
    suggestions: T.Array(BusySpan, {
      description: 'when everybody is free, earliest first, 10 at most',
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
    summary: 'A new event in a calendar of the member; the same uid again changes nothing',
    access: 'member',
    body: T.Object(newEvent),
    reply: T.Object({ id: Id }),
    errors: ['event.too_many', 'calendar.not_found', 'event.declined', 'request.invalid'],
  }),
  createFromMessage: post('/message/center/api/v1/messageCenter/createSchedule', {
    summary: 'A new event out of a message in the inbox',
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
    summary: 'Change this occurrence, this and the following ones, or the whole series',
    description:
      'Fields left out stay. One occurrence alone can differ in title, place and time. The times given are those of the occurrence named.',
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
    summary: 'Delete this occurrence, this and the following ones, or the whole series',
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
    summary: 'When the member alone is reminded of an event',
    access: 'member',
    params,
    body: T.Object({ reminders: Reminders }),
    reply: EventDetail,
    errors: ['event.not_found'],
  }),
  freeBusy: get('/schedule/api/v1/freeBusy', {
    summary: 'When people are busy, and when all of them are free',
    access: 'member',
    query: T.Object({
      people: T.String({ maxLength: 2000, description: 'usernames, comma-separated, 20 at most' }),
      from: T.String({ format: 'date' }),
      to: T.String({ format: 'date', description: 'inclusive, 62 days at most' }),
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
    organises: T.Boolean({ description: 'the caller shows the code and sees who came' }),
    code: T.String({ description: 'of whoever organises, while it is open; else empty' }),
    codeUntil: Nullable(Time),
    checkedInAt: Nullable(Time),
    invited: T.Integer({ description: 'members who are invited' }),
    people: T.Array(
      T.Object({ accountName: T.String(), name: T.String(), nameEn: T.String(), at: Time }),
      { description: 'who came, the last one first; for whoever organises' },
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
    summary: 'The code of now and who came, for whoever organises; else whether the caller has',
    access: 'member',
    params,
    query: T.Object({ startsAt }),
    reply: CheckIn,
    errors: ['event.not_found'],
  }),
  enter: post(checkInPath, {
    summary: 'Say that one is there, with the code that is shown; again changes nothing',
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
