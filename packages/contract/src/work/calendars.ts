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
    owner: T.String({ description: 'whose it is, where somebody shares it; otherwise empty' }),
    access: OneOf(['own', ...shareAccesses]),
    optional: T.Boolean({ description: 'a public one that is seen by those who subscribe' }),
    subscribed: T.Boolean({ description: 'its events are the member’s to see' }),
    shown: T.Boolean({ description: 'false: hidden by the member' }),
    isDefault: T.Boolean({ description: 'new events go there' }),
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
    events: T.Integer({ description: 'how many events and series it holds' }),
    shares: T.Array(CalendarShare, { description: 'told to its owner alone' }),
  },
  { $id: 'CalendarDetail' },
)
export type CalendarDetail = Static<typeof CalendarDetail>

const reminders = T.Array(T.Integer({ minimum: 0, maximum: maxReminderMinutes }), {
  maxItems: maxReminders,
  uniqueItems: true,
  description: 'minutes before',
})
const settings = {
  timeZone: T.String({
    maxLength: 60,
    description: 'zone id; empty: the institution’s',
  }),
  reminders,
  allDayReminders: T.Array(T.Integer({ minimum: -1439, maximum: maxReminderMinutes }), {
    maxItems: maxReminders,
    uniqueItems: true,
    description: 'minutes before the midnight a day begins with; -540: at nine on that day',
  }),
  showBusy: T.Boolean({ description: 'other members see when the member is busy' }),
}
export const ScheduleSettings = T.Object(
  {
    ...settings,
    timeZone: T.String({
      description: 'zone id; the institution’s when the member has chosen none',
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
    summary: 'Own, shared and public calendars, those not subscribed included',
    access: 'member',
    reply: T.Array(Calendar),
  }),
  read: get(`${base}/{id}`, {
    summary: 'One calendar',
    access: 'member',
    params,
    reply: CalendarDetail,
    errors: ['calendar.not_found'],
  }),
  create: post(base, {
    summary: 'A calendar of the member’s own; the same key again is the same calendar',
    access: 'member',
    body: T.Object({ key: T.String({ minLength: 8, maxLength: 60 }), name, color }),
    reply: CalendarDetail,
    errors: ['calendar.too_many', 'request.invalid'],
  }),
  update: put(`${base}/{id}`, {
    summary: 'Change a calendar; what is left out stays',
    description:
      'Whether it shows is everybody’s own affair; name, colour, shares and new events are the owner’s.',
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
    summary: 'The order in which the member wants to see calendars; those left out come after',
    access: 'member',
    body: T.Object({ ids: T.Array(Id, { maxItems: 500, uniqueItems: true }) }),
    reply: T.Null(),
  }),
  remove: del(`${base}/{id}`, {
    summary: 'Delete one’s own calendar with its events, or leave one that somebody shares',
    access: 'member',
    params,
    reply: T.Null(),
    errors: ['calendar.not_found', 'calendar.needed'],
  }),
  subscribe: post(`${base}/{id}/subscribe`, {
    summary: 'See the events of a public calendar',
    access: 'member',
    params,
    reply: Calendar,
    errors: ['calendar.not_found'],
  }),
  unsubscribe: del(`${base}/{id}/subscribe`, {
    summary: 'See the events of a public calendar no longer',
    access: 'member',
    params,
    reply: Calendar,
    errors: ['calendar.not_found'],
  }),
  own: get('/message/center/api/v1/messageCenter/getPersonlCalendarList', {
    summary: 'Calendars the member may write to',
    access: 'member',
    reply: T.Array(Calendar),
  }),
  settings: get('/schedule/api/v1/settings', {
    summary: 'Time zone, reminders of new events, and whether others see when one is busy',
    access: 'member',
    reply: ScheduleSettings,
  }),
  saveSettings: put('/schedule/api/v1/settings', {
    summary: 'Change the settings; what is left out stays',
    access: 'member',
    body: T.Partial(T.Object(settings)),
    reply: ScheduleSettings,
    errors: ['request.invalid'],
  }),
}
