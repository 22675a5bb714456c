import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { oneOf, optional, text } from '#shell/navigation/search.ts'

export const scheduleScreens = {
  '/pages/shedul/shedulDetail': {
    area: 'schedule',
    title: m.schedule_detail_title,
    access: 'member',
    search: { id: text, startsAt: optional(text) },
    page: () => import('#domains/work/schedule/event-page.tsx'),
  },
  '/pages/shedul/newsAddShedul': {
    area: 'schedule',
    title: m.schedule_add_title,
    access: 'member',
    search: { id: text, columnId: optional(text), from: oneOf('message') },
    page: () => import('#domains/work/schedule/add-event-page.tsx'),
  },
  '/msgCenter/pages/schedule/newsAddSchedule': {
    area: 'schedule',
    title: m.schedule_add_title,
    access: 'member',
    search: { id: text, columnId: optional(text), from: oneOf('message') },
    page: () => import('#domains/work/schedule/add-event-page.tsx'),
  },
  '/pages/shedul/timeArea': {
    area: 'schedule',
    title: m.schedule_zone_title,
    access: 'member',
    page: () => import('./time-zone-page.tsx'),
  },
  '/pages/shedul/calendList': {
    area: 'schedule',
    title: m.schedule_calendars,
    access: 'member',
    page: () => import('#domains/work/schedule/calendars-page.tsx'),
  },
} satisfies Record<string, Screen>
