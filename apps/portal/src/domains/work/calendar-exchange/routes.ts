import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'

export const calendarExchangeScreens = {
  '/pages/shedul/calendarFeeds': {
    area: 'calendar-exchange',
    title: m.calendar_exchange_feeds,
    access: 'member',
    page: () => import('#domains/work/calendar-exchange/feeds-page.tsx'),
  },
  '/pages/shedul/importCalendar': {
    area: 'calendar-exchange',
    title: m.calendar_exchange_import,
    access: 'member',
    page: () => import('#domains/work/calendar-exchange/import-page.tsx'),
  },
  '/pages/shedul/calendarSubscriptions': {
    area: 'calendar-exchange',
    title: m.calendar_exchange_subscriptions,
    access: 'member',
    page: () => import('#domains/work/calendar-exchange/subscriptions-page.tsx'),
  },
} satisfies Record<string, Screen>
