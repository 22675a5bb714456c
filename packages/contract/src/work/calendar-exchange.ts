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
    calendarName: T.String({ description: 'empty: everything the member sees' }),
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
  url: T.String({ description: 'told this once; whoever knows it reads the calendar' }),
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
    written: T.Boolean({ description: 'false after a dry run' }),
    added: T.Integer(),
    changed: T.Integer(),
    unchanged: T.Integer(),
    leftOut: T.Integer(),
    events: T.Array(
      T.Object({
        outcome: OneOf(['added', 'changed']),
        title: T.String(),
        startsLocal: T.String({ description: 'YYYY-MM-DDTHH:MM:SS by the clock of timeZone' }),
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
        leftOut: T.Boolean({ description: 'false: taken, but not as it stands' }),
        reason: OneOf(calendarReasons),
        message: T.String({ description: 'in the caller’s language' }),
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
    leftOut: T.Integer({ description: 'events that could not be read' }),
    fetchedAt: Nullable(Time),
    succeededAt: Nullable(Time),
    nextAt: Time,
    problem: Nullable(OneOf(subscriptionProblems)),
    message: T.String({ description: 'the problem in the caller’s language; empty: none' }),
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
    summary: 'The member’s private addresses for calendar programs',
    access: 'member',
    reply: T.Array(CalendarFeed),
  }),
  createFeed: post(feedsPath, {
    summary: 'A private address of one calendar, or of everything the member sees',
    access: 'member',
    body: T.Object({ name, calendarId: T.Optional(Id) }),
    reply: newAddress,
    errors: ['feed.calendar_not_found', 'feed.too_many'],
  }),
  renewFeed: post(`${feedsPath}/{id}/renew`, {
    summary: 'Another address in place of this one, which ends at once',
    access: 'member',
    params,
    reply: newAddress,
    errors: ['feed.not_found'],
  }),
  removeFeed: del(`${feedsPath}/{id}`, {
    summary: 'Withdraws the address',
    access: 'member',
    params,
    reply: T.Null(),
    errors: ['feed.not_found'],
  }),
  readFeed: get(`${feedsPath}/{token}.ics`, {
    summary: 'The calendar as iCalendar, for any calendar program that knows the address',
    access: 'public',
    params: T.Object({ token: T.String({ maxLength: 100 }) }),
    media: 'text/calendar',
    reply: T.String(),
    errors: ['feed.not_found', 'request.too_many'],
  }),
  readEvent: get('/schedule/api/v1/events/{id}/ics', {
    summary: 'One event as iCalendar, with its series',
    access: 'member',
    params,
    media: 'text/calendar',
    reply: T.String(),
    errors: ['event.not_found'],
  }),
  import: post('/schedule/api/v1/import', {
    summary:
      'Events of an .ics file into the member’s own calendar; the same UID again is the same event',
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
      'Calendars at other addresses that the member reads here, and how they fared last time',
    access: 'member',
    reply: T.Array(CalendarSubscription),
  }),
  subscribe: post(subscriptionsPath, {
    summary: 'Reads a calendar at another address from now on; it is fetched at once',
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
    summary: 'What the calendar is called here, and its colour',
    access: 'member',
    params,
    body: T.Object({ name, color }),
    reply: CalendarSubscription,
    errors: ['subscription.not_found'],
  }),
  refreshSubscription: post(`${subscriptionsPath}/{id}/refresh`, {
    summary: 'Fetches the calendar now',
    access: 'member',
    params,
    reply: CalendarSubscription,
    errors: ['subscription.not_found', 'request.too_many'],
  }),
  unsubscribe: del(`${subscriptionsPath}/{id}`, {
    summary: 'Reads the calendar no more; its events go',
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
    name: T.String({ description: 'the device it is for' }),
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
    summary: 'What a device needs to connect, and the passwords there are',
    access: 'member',
    reply: T.Object({
      server: T.String({ description: 'address of the server, for programs that ask for it' }),
      username: T.String(),
      passwords: T.Array(AppPassword),
    }),
  }),
  create: post(passwordsPath, {
    summary: 'A password for one device',
    access: 'member',
    body: T.Object({ name: T.String({ minLength: 1, maxLength: 60, pattern: '\\S' }) }),
    reply: T.Object({
      id: Id,
      password: T.String({ description: 'told this once; it opens the calendars alone' }),
    }),
    errors: ['app_password.too_many', 'session.confirmation_due'],
  }),
  remove: del(`${passwordsPath}/{id}`, {
    summary: 'Revokes a password: its device is out at once',
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
    summary: 'The events that a system has for a member, all of them, each time',
    access: 'integration',
    largest: 500_000,
    params: T.Object({
      code: T.String({ pattern: '^[a-z0-9-]{1,40}$', description: 'which of its calendars' }),
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
            description: "the system's own id: the same key is the same event",
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
            description: 'how many weeks it takes place in, at the same time',
          }),
        }),
        { maxItems: maxEvents },
      ),
    }),
    reply: T.Object({ added: T.Integer(), changed: T.Integer(), removed: T.Integer() }),
    errors: ['request.invalid', 'schedule.member_unknown'],
  }),
}
