import { del, get, Id, Nullable, OneOf, post, put, type Static, T, Time } from '../define.ts'
import { calendarColors } from './schedule.ts'

const params = T.Object({ id: Id })
const name = T.String({ minLength: 1, maxLength: 60, pattern: '\\S' })

// ---- export ----

export const CalendarFeed = T.Object(
  {
    id: Id,
    name: T.String(),
    calendarId: Nullable(Id),
    calendarName: T.String({ description: 'empty: all events the member sees' }),
    calendarNameEn: T.String(),
    createdAt: Time,
    renewedAt: Nullable(Time),
    fetchedAt: Nullable(Time),
  },
  { $id: 'CalendarFeed' },
)
export type CalendarFeed = Static<typeof CalendarFeed>

const newAddress = T.Object({
  id: Id,
  url: T.String({
    description: 'returned only once; gives access to the calendar without sign-in',
  }),
})
const feedsPath = '/schedule/api/v1/feeds'

// ---- import ----

/** Why an event of a file is skipped, or which part of it is not taken over unchanged. */
export const calendarReasons = [
  'severalRules',
  'wholeDaysWithin',
  'allFollowing',
  'noStart',
  'noTime',
  'endsBefore',
  'tooLong',
  'badDate',
  'unknownZone',
  'unreadable',
  'older',
  'excluded',
  'frequent',
] as const
export type CalendarReason = (typeof calendarReasons)[number]

export const CalendarImport = T.Object(
  {
    written: T.Boolean({ description: 'false: dry run' }),
    added: T.Integer(),
    changed: T.Integer(),
    unchanged: T.Integer(),
    leftOut: T.Integer(),
    events: T.Array(
      T.Object({
        outcome: OneOf(['added', 'changed']),
        title: T.String(),
        startsLocal: T.String({ description: 'YYYY-MM-DDTHH:MM:SS in timeZone' }),
        timeZone: T.String(),
        allDay: T.Boolean(),
        rrule: T.String(),
      }),
      { description: 'the first 200' },
    ),
    remarks: T.Array(
      T.Object({
        line: T.Integer(),
        title: T.String(),
        leftOut: T.Boolean({ description: 'false: imported, but not unchanged' }),
        reason: OneOf(calendarReasons),
        message: T.String({ description: "in the caller's language" }),
      }),
      { description: 'the first 200' },
    ),
  },
  { $id: 'CalendarImport' },
)
export type CalendarImport = Static<typeof CalendarImport>

export const subscriptionProblems = [
  'unreachable',
  'closed',
  'insecure',
  'late',
  'large',
  'signIn',
  'gone',
  'status',
  'notCalendar',
  'tooMany',
  'tooComplex',
  'failed',
] as const
export type SubscriptionProblem = (typeof subscriptionProblems)[number]

export const CalendarSubscription = T.Object(
  {
    id: Id,
    calendarId: Id,
    name: T.String(),
    color: OneOf(calendarColors),
    address: T.String(),
    events: T.Integer(),
    leftOut: T.Integer({ description: 'number of events that could not be read' }),
    fetchedAt: Nullable(Time),
    succeededAt: Nullable(Time),
    nextAt: Time,
    problem: Nullable(OneOf(subscriptionProblems)),
    message: T.String({ description: "the problem in the caller's language; empty: none" }),
  },
  { $id: 'CalendarSubscription' },
)
export type CalendarSubscription = Static<typeof CalendarSubscription>

/** Maximum external calendars per member. */
export const maxSubscriptions = 10
const subscriptionsPath = '/schedule/api/v1/subscriptions'
const color = T.Optional(OneOf(calendarColors))

export const calendarExchange = {
  feeds: get(feedsPath, {
    summary: "List the member's private calendar addresses for calendar programs",
    access: 'member',
    reply: T.Array(CalendarFeed),
  }),
  createFeed: post(feedsPath, {
    summary: 'Create a private address for one calendar, or for all events the member sees',
    access: 'member',
    body: T.Object({ name, calendarId: T.Optional(Id) }),
    reply: newAddress,
    errors: ['feed.calendar_not_found', 'feed.too_many'],
  }),
  renewFeed: post(`${feedsPath}/{id}/renew`, {
    summary: 'Replace a private address; the old one stops working immediately',
    access: 'member',
    params,
    reply: newAddress,
    errors: ['feed.not_found'],
  }),
  removeFeed: del(`${feedsPath}/{id}`, {
    summary: 'Delete a private address',
    access: 'member',
    params,
    reply: T.Null(),
    errors: ['feed.not_found'],
  }),
  readFeed: get(`${feedsPath}/{token}.ics`, {
    summary: 'Get a calendar as iCalendar by its private address, without sign-in',
    access: 'public',
    params: T.Object({ token: T.String({ maxLength: 100 }) }),
    media: 'text/calendar',
    reply: T.String(),
    errors: ['feed.not_found', 'request.too_many'],
  }),
  readEvent: get('/schedule/api/v1/events/{id}/ics', {
    summary: 'Get an event with its series as iCalendar',
    access: 'member',
    params,
    media: 'text/calendar',
    reply: T.String(),
    errors: ['event.not_found'],
  }),
  import: post('/schedule/api/v1/import', {
    summary: "Import an .ics file into the member's own calendar; events are matched by UID",
    access: 'member',
    query: T.Object({
      dryRun: T.Optional(OneOf(['0', '1'], { default: '0' })),
    }),
    file: 'file',
    reply: CalendarImport,
    errors: [
      'file.empty',
      'file.too_large',
      'file.upload_broken',
      'import.unreadable',
      'import.too_many_events',
      'import.too_complex',
      'event.too_many',
      'request.too_many',
      'request.unsupported_media',
    ],
  }),
  subscriptions: get(subscriptionsPath, {
    summary:
      'List the external calendars the member subscribes to, with the result of the last fetch',
    access: 'member',
    reply: T.Array(CalendarSubscription),
  }),
  subscribe: post(subscriptionsPath, {
    summary: 'Subscribe to an external calendar; it is fetched immediately',
    access: 'member',
    body: T.Object({
      address: T.String({
        pattern: '^(https|webcal)://[^\\s\\\\@]+$',
        maxLength: 2000,
        description: 'https:// or webcal://',
      }),
      name,
      color,
    }),
    reply: CalendarSubscription,
    errors: ['subscription.known', 'subscription.too_many', 'request.invalid', 'request.too_many'],
  }),
  changeSubscription: put(`${subscriptionsPath}/{id}`, {
    summary: 'Update name and colour of a subscribed calendar',
    access: 'member',
    params,
    body: T.Object({ name, color }),
    reply: CalendarSubscription,
    errors: ['subscription.not_found'],
  }),
  refreshSubscription: post(`${subscriptionsPath}/{id}/refresh`, {
    summary: 'Fetch a subscribed calendar now',
    access: 'member',
    params,
    reply: CalendarSubscription,
    errors: ['subscription.not_found', 'request.too_many'],
  }),
  unsubscribe: del(`${subscriptionsPath}/{id}`, {
    summary: 'Unsubscribe from an external calendar; its events are removed',
    access: 'member',
    params,
    reply: T.Null(),
    errors: ['subscription.not_found'],
  }),
}

// ---- both ways ----

export const maxAppPasswords = 20

export const AppPassword = T.Object(
  {
    id: Id,
    name: T.String({ description: 'name of the device' }),
    createdAt: Time,
    lastUsedAt: Nullable(Time),
  },
  { $id: 'AppPassword' },
)
export type AppPassword = Static<typeof AppPassword>

const passwordsPath = '/schedule/api/v1/app-passwords'

/** Passwords with which devices access calendars (CalDAV) and nothing else. CalDAV itself is below /caldav/. */
export const caldav = {
  list: get(passwordsPath, {
    summary: 'Get the settings for connecting a device, and the existing app passwords',
    access: 'member',
    reply: T.Object({
      server: T.String({
        description: 'address of the CalDAV server, for programs that ask for it',
      }),
      username: T.String(),
      passwords: T.Array(AppPassword),
    }),
  }),
  create: post(passwordsPath, {
    summary: 'Create an app password for one device',
    access: 'member',
    body: T.Object({ name: T.String({ minLength: 1, maxLength: 60, pattern: '\\S' }) }),
    reply: T.Object({
      id: Id,
      password: T.String({ description: 'returned only once; gives access to calendars only' }),
    }),
    errors: ['app_password.too_many', 'session.confirmation_due'],
  }),
  remove: del(`${passwordsPath}/{id}`, {
    summary: 'Revoke an app password; its device loses access immediately',
    access: 'member',
    params,
    reply: T.Null(),
    errors: ['app_password.not_found'],
  }),
}

// ---- from systems of the institution ----

const optionalText = (maxLength: number) => T.String({ maxLength, default: '' })
/** Maximum events per calendar. */
const maxEvents = 200

/** Events that systems of the institution add to a member's schedule: a booked room, a chosen course, a bus seat. */
export const scheduleIntegration = {
  put: put('/schedule/api/v1/integration/calendars/{code}/members/{username}', {
    summary: "Replace all events of a system in a member's schedule",
    access: 'integration',
    largest: 500_000,
    params: T.Object({
      code: T.String({
        pattern: '^[a-z0-9-]{1,40}$',
        description: 'code of the calendar, chosen by the system',
      }),
      username: T.String({ minLength: 1, maxLength: 128 }),
    }),
    body: T.Object({
      name: T.String({ minLength: 1, maxLength: 60, pattern: '\\S' }),
      nameEn: optionalText(60),
      color: OneOf(calendarColors, { default: 'teal' }),
      events: T.Array(
        T.Object({
          key: T.String({
            minLength: 1,
            maxLength: 100,
            description: "the system's id of the event, by which it is matched",
          }),
          title: T.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
          titleEn: optionalText(200),
          location: optionalText(200),
          person: optionalText(100),
          description: optionalText(2000),
          startsAt: Time,
          minutes: T.Integer({ minimum: 1, maximum: 10_080 }),
          weeks: T.Integer({
            minimum: 1,
            maximum: 60,
            default: 1,
            description: 'number of consecutive weeks in which it takes place at the same time',
          }),
        }),
        { maxItems: maxEvents },
      ),
    }),
    reply: T.Object({ added: T.Integer(), changed: T.Integer(), removed: T.Integer() }),
    errors: ['request.invalid', 'schedule.member_unknown'],
  }),
}
