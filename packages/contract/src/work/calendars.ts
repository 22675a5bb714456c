import { del, get, Id, OneOf, post, put, type Static, T, Username } from '../define.ts'
import { calendarColors } from './schedule.ts'

/** Rights on a shared calendar: free/busy only, read, write. */
export const shareAccesses = ['busy', 'read', 'write'] as const
export const maxCalendars = 50
export const maxShares = 100
export const maxReminders = 5
/** Four weeks. */
export const maxReminderMinutes = 40_320

export const Calendar = T.Object(
  {
    id: Id,
    name: T.String(),
    nameEn: T.String(),
    color: OneOf(calendarColors),
    kind: OneOf(['personal', 'course', 'public']),
    mine: T.Boolean(),
    owner: T.String({ description: 'owner of a shared calendar; otherwise empty' }),
    access: OneOf(['own', ...shareAccesses]),
    optional: T.Boolean({ description: 'public calendar that is shown only to subscribers' }),
    subscribed: T.Boolean({ description: 'the member sees its events' }),
    shown: T.Boolean({ description: 'false: hidden by the member' }),
    isDefault: T.Boolean({ description: 'default calendar of new events' }),
    removable: T.Boolean(),
  },
  { $id: 'Calendar' },
)
export type Calendar = Static<typeof Calendar>

export const CalendarShare = T.Object(
  {
    accountName: T.String(),
    name: T.String(),
    nameEn: T.String(),
    access: OneOf(shareAccesses),
  },
  { $id: 'CalendarShare' },
)
export type CalendarShare = Static<typeof CalendarShare>

export const CalendarDetail = T.Object(
  {
    calendar: Calendar,
    events: T.Integer({ description: 'number of events and series' }),
    shares: T.Array(CalendarShare, { description: 'only for the owner' }),
  },
  { $id: 'CalendarDetail' },
)
export type CalendarDetail = Static<typeof CalendarDetail>

const reminders = T.Array(T.Integer({ minimum: 0, maximum: maxReminderMinutes }), {
  maxItems: maxReminders,
  uniqueItems: true,
  description: 'minutes before the start',
})
const settings = {
  timeZone: T.String({
    maxLength: 60,
    description: "time zone id; empty: the institution's",
  }),
  reminders,
  allDayReminders: T.Array(T.Integer({ minimum: -1439, maximum: maxReminderMinutes }), {
    maxItems: maxReminders,
    uniqueItems: true,
    description: 'minutes before midnight at the start of the day; -540: at 9:00 on that day',
  }),
  showBusy: T.Boolean({ description: 'other members see when the member is busy' }),
}
export const ScheduleSettings = T.Object(
  {
    ...settings,
    timeZone: T.String({
      description: "time zone id; the institution's if the member has not chosen one",
    }),
    institutionTimeZone: T.String(),
    /** External invitees: only listed, notified by mail, or notified with their answers processed. */
    outside: OneOf(['listed', 'told', 'asked']),
  },
  { $id: 'ScheduleSettings' },
)
export type ScheduleSettings = Static<typeof ScheduleSettings>

const params = T.Object({ id: Id })
const base = '/schedule/api/v1/calendars'
const name = T.String({ minLength: 1, maxLength: 60, pattern: '\\S' })
const color = OneOf(calendarColors)

/** Calendars a member sees and manages. */
export const calendars = {
  list: get(base, {
    summary: 'List own, shared and public calendars, including those not subscribed to',
    access: 'member',
    reply: T.Array(Calendar),
  }),
  read: get(`${base}/{id}`, {
    summary: 'Get a calendar',
    access: 'member',
    params,
    reply: CalendarDetail,
    errors: ['calendar.not_found'],
  }),
  create: post(base, {
    summary: 'Create a calendar; a repeated `key` returns the calendar created first',
    access: 'member',
    body: T.Object({ key: T.String({ minLength: 8, maxLength: 60 }), name, color }),
    reply: CalendarDetail,
    errors: ['calendar.too_many', 'request.invalid'],
  }),
  update: put(`${base}/{id}`, {
    summary: 'Update a calendar; omitted fields are unchanged',
    description:
      'Every member may set `shown`; `name`, `color`, `shares` and `isDefault` are for the owner only.',
    access: 'member',
    params,
    body: T.Object({
      name: T.Optional(name),
      color: T.Optional(color),
      shown: T.Optional(T.Boolean()),
      isDefault: T.Optional(T.Literal(true)),
      shares: T.Optional(
        T.Array(T.Object({ accountName: Username, access: OneOf(shareAccesses) }), {
          maxItems: maxShares,
        }),
      ),
    }),
    reply: CalendarDetail,
    errors: ['calendar.not_found', 'request.invalid'],
  }),
  arrange: put(`${base}/order`, {
    summary: "Set the display order of the member's calendars; omitted ones come last",
    access: 'member',
    body: T.Object({ ids: T.Array(Id, { maxItems: 500, uniqueItems: true }) }),
    reply: T.Null(),
  }),
  remove: del(`${base}/{id}`, {
    summary: 'Delete an own calendar with its events, or leave a shared one',
    access: 'member',
    params,
    reply: T.Null(),
    errors: ['calendar.not_found', 'calendar.needed'],
  }),
  subscribe: post(`${base}/{id}/subscribe`, {
    summary: 'Subscribe to a public calendar',
    access: 'member',
    params,
    reply: Calendar,
    errors: ['calendar.not_found'],
  }),
  unsubscribe: del(`${base}/{id}/subscribe`, {
    summary: 'Unsubscribe from a public calendar',
    access: 'member',
    params,
    reply: Calendar,
    errors: ['calendar.not_found'],
  }),
  own: get('/message/center/api/v1/messageCenter/getPersonlCalendarList', {
    summary: 'List the calendars the member may write to',
    access: 'member',
    reply: T.Array(Calendar),
  }),
  settings: get('/schedule/api/v1/settings', {
    summary:
      "Get the member's schedule settings: time zone, default reminders, visibility of busy times",
    access: 'member',
    reply: ScheduleSettings,
  }),
  saveSettings: put('/schedule/api/v1/settings', {
    summary: 'Update schedule settings; omitted ones are unchanged',
    access: 'member',
    body: T.Partial(T.Object(settings)),
    reply: ScheduleSettings,
    errors: ['request.invalid'],
  }),
}
