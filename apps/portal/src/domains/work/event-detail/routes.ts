import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { optional, text } from '#shell/navigation/search.ts'

const event = {
  area: 'event-detail',
  title: m.schedule_detail_title,
  access: 'member',
  search: { id: text, startsAt: optional(text) },
  page: () => import('#domains/work/event-detail/event-page.tsx'),
} as const satisfies Screen

/** The specification has one address for others' events and one for the member's own; the screen is the same. */
export const eventDetailScreens = {
  '/pages/shedul/shedulDetail': event,
  '/pages/shedul/personDetail': event,
  '/pages/shedul/checkIn': {
    area: 'event-detail',
    title: m.appointments_check_in_title,
    access: 'member',
    search: { id: text, startsAt: optional(text), code: optional(text) },
    page: () => import('#domains/work/event-detail/check-in-page.tsx'),
  },
} satisfies Record<string, Screen>
