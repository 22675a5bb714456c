import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { oneOf, optional, text } from '#shell/navigation/search.ts'

const event = {
  area: 'appointments',
  title: m.schedule_detail_title,
  access: 'member',
  search: { id: text, startsAt: optional(text) },
  page: () => import('#domains/work/appointments/event-page.tsx'),
} as const satisfies Screen
const fromSource = {
  area: 'appointments',
  title: m.schedule_add_title,
  access: 'member',
  search: { id: text, columnId: optional(text), from: oneOf('message') },
  page: () => import('#domains/work/appointments/add-event-page.tsx'),
} as const satisfies Screen

export const appointmentScreens = {
  '/pages/shedul/shedulDetail': event,
  '/pages/shedul/newsAddShedul': fromSource,
  '/msgCenter/pages/schedule/newsAddSchedule': fromSource,
} satisfies Record<string, Screen>
