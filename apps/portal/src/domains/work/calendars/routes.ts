import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'

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
} satisfies Record<string, Screen>
