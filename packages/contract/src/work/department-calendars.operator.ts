import { del, department, get, Id, OneOf, post, put, type Static, T, Username } from '../define.ts'
import { AudienceRule } from '../shell/launch.operator.ts'
import { changing, occurrence, writtenEvent } from './appointments.ts'
import { maxShares } from './calendars.ts'
import { calendarColors, EventDetail, Occurrence } from './schedule.ts'

const params = T.Object({ id: Id })
const revision = T.Integer({ minimum: 1, maximum: 1_000_000_000 })
const operator = { access: 'operator', permission: 'content', delegated: true } as const

const fields = {
  name: T.String({ minLength: 1, maxLength: 60, pattern: '\\S' }),
  nameEn: T.String({ maxLength: 60, default: '' }),
  color: OneOf(calendarColors),
  audience: T.Array(AudienceRule, { minItems: 1, maxItems: 50 }),
  shownToAll: T.Boolean({
    default: false,
    description: 'shown to its whole audience; false: only to subscribers',
  }),
}
const editors = T.Optional(
  T.Array(Username, {
    maxItems: maxShares,
    uniqueItems: true,
    description: 'members who may write in it besides the department; absent: unchanged',
  }),
)
export const DepartmentCalendar = T.Object(
  {
    id: Id,
    revision,
    ...fields,
    organization: T.String({ description: 'code of the department it belongs to' }),
    organizationName: T.String(),
    organizationNameEn: T.String(),
    events: T.Integer({ description: 'number of events and series' }),
    subscribers: T.Integer(),
    editors: T.Array(T.Object({ accountName: T.String(), name: T.String(), nameEn: T.String() })),
  },
  { $id: 'DepartmentCalendar' },
)
export type DepartmentCalendar = Static<typeof DepartmentCalendar>

/** Public calendars of a department, and their audience. */
export const departmentCalendars = {
  list: get('/console-api/v1/calendars', {
    summary: "List the calendars of the caller's departments; at most 200",
    ...operator,
    query: T.Object({ department }),
    reply: T.Array(DepartmentCalendar),
    errors: ['workbench.department_not_found'],
  }),
  create: post('/console-api/v1/calendars', {
    summary: 'Create a department calendar; a repeated `key` returns the calendar created first',
    ...operator,
    body: T.Object({
      key: T.String({ minLength: 8, maxLength: 60 }),
      organization: T.String({ minLength: 1, maxLength: 100 }),
      ...fields,
      editors,
    }),
    reply: DepartmentCalendar,
    errors: ['calendar.too_many', 'request.invalid'],
  }),
  update: put('/console-api/v1/calendars/{id}', {
    summary: 'Update a department calendar',
    ...operator,
    params,
    body: T.Object({ revision, ...fields, editors }),
    reply: DepartmentCalendar,
    errors: ['calendar.not_found', 'calendar.changed_meanwhile', 'request.invalid'],
  }),
  remove: del('/console-api/v1/calendars/{id}', {
    summary: 'Delete a department calendar with its events',
    ...operator,
    params,
    query: T.Object({ revision }),
    reply: T.Null(),
    errors: ['calendar.not_found', 'calendar.changed_meanwhile'],
  }),
}

const day = T.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', description: 'YYYY-MM-DD' })
const zone = T.String({ maxLength: 60 })

/** An event in a department calendar. */
export const DepartmentEvent = T.Interface(
  [EventDetail],
  {
    writtenBy: T.String({ description: 'name of the author, or empty' }),
    organization: T.String({ description: 'code of the department' }),
  },
  { $id: 'DepartmentEvent' },
)
export type DepartmentEvent = Static<typeof DepartmentEvent>

// Reminders are per member.
const { uid, reminders: _reminders, ...content } = writtenEvent
const both = { titleEn: T.Optional(T.String({ maxLength: 200 })) }

/** Events in department calendars. */
export const departmentEvents = {
  list: get('/console-api/v1/calendar-events', {
    summary:
      'List occurrences in department calendars from a day to a day, both inclusive, at most 62 days',
    ...operator,
    query: T.Object({
      department,
      calendarId: T.Optional(Id),
      from: day,
      to: day,
      timeZone: T.Optional(zone),
    }),
    reply: T.Object({ list: T.Array(Occurrence), timeZone: T.String() }),
    errors: ['workbench.department_not_found', 'event.range_too_long', 'request.invalid'],
  }),
  read: get('/console-api/v1/calendar-events/{id}', {
    summary: 'Get an event with the given occurrence, or the next one',
    ...operator,
    params,
    query: T.Object({ startsAt: T.Optional(T.String({ maxLength: 40 })) }),
    reply: DepartmentEvent,
    errors: ['event.not_found'],
  }),
  create: post('/console-api/v1/calendar-events', {
    summary: 'Create an event in a department calendar; a repeated `uid` changes nothing',
    ...operator,
    body: T.Object({ uid, calendarId: Id, ...content, ...both }),
    reply: T.Object({ id: Id }),
    errors: ['event.too_many', 'calendar.not_found', 'event.declined', 'request.invalid'],
  }),
  update: put('/console-api/v1/calendar-events/{id}', {
    summary: 'Update one occurrence, this and the following ones, or the whole series',
    ...operator,
    params,
    body: T.Object({
      ...occurrence,
      version: T.Integer({ minimum: 0 }),
      calendarId: T.Optional(Id),
      ...T.Partial(T.Object({ ...content, ...both })).properties,
    }),
    reply: DepartmentEvent,
    errors: [...changing, 'calendar.not_found', 'event.declined'],
  }),
  remove: del('/console-api/v1/calendar-events/{id}', {
    summary: 'Delete one occurrence, this and the following ones, or the whole series',
    ...operator,
    params,
    query: T.Object(occurrence),
    reply: T.Null(),
    errors: ['event.not_found', 'request.invalid'],
  }),
}
