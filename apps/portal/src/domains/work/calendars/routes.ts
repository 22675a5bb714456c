import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { optional, text } from '#shell/navigation/search.ts'

export const calendarScreens = {
  '/pages/shedul/timeArea': {
    area: 'calendars',
    title: m.schedule_zone_title,
    access: 'member',
    page: () => import('#domains/work/calendars/time-zone-page.tsx'),
  },
  '/pages/shedul/calendList': {
    area: 'calendars',
    title: m.schedule_calendars,
    access: 'member',
    page: () => import('#domains/work/calendars/calendars-page.tsx'),
  },
  '/pages/shedul/calendarOrder': {
    area: 'calendars',
    title: m.calendars_order_title,
    access: 'member',
    page: () => import('#domains/work/calendars/order-page.tsx'),
  },
  '/pages/shedul/calendarDetail': {
    area: 'calendars',
    title: m.calendars_detail_title,
    access: 'member',
    search: { id: text },
    page: () => import('#domains/work/calendars/calendar-page.tsx'),
  },
  '/pages/shedul/creatCalendar': {
    area: 'calendars',
    title: m.calendars_new_title,
    access: 'member',
    search: { id: optional(text) },
    page: () => import('#domains/work/calendars/edit-calendar-page.tsx'),
  },
  '/pages/shedul/editCalendar': {
    area: 'calendars',
    title: m.calendars_edit,
    access: 'member',
    search: { id: text },
    page: () => import('#domains/work/calendars/edit-calendar-page.tsx'),
  },
  '/pages/shedul/shedulSet': {
    area: 'calendars',
    title: m.calendars_settings_title,
    access: 'member',
    page: () => import('#domains/work/calendars/settings-page.tsx'),
  },
} satisfies Record<string, Screen>
