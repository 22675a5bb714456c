import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { oneOf, optional, text } from '#shell/navigation/search.ts'

const fromSource = {
  area: 'appointments',
  title: m.schedule_add_title,
  access: 'member',
  search: { id: text, columnId: optional(text), from: oneOf('message', 'task') },
  page: () => import('#domains/work/appointments/add-event-page.tsx'),
} as const satisfies Screen
const fromTask = {
  ...fromSource,
  // Defaults to a task at this address.
  search: { id: text, from: (value: string | undefined) => oneOf('task')(value) ?? 'task' },
} as const satisfies Screen

export const appointmentScreens = {
  '/pages/shedul/creatShedul': {
    area: 'appointments',
    title: m.appointments_new_title,
    access: 'member',
    search: { id: optional(text), startsAt: optional(text), day: optional(text) },
    page: () => import('#domains/work/appointments/create-page.tsx'),
  },
  '/pages/shedul/personSet': {
    area: 'appointments',
    title: m.appointments_repeat_title,
    access: 'member',
    page: () => import('#domains/work/appointments/repeat-page.tsx'),
  },
  '/pages/shedul/schedulRepeat': {
    area: 'appointments',
    title: m.appointments_repeat_end,
    access: 'member',
    page: () => import('#domains/work/appointments/repeat-end-page.tsx'),
  },
  '/pages/shedul/notice': {
    area: 'appointments',
    title: m.appointments_reminders,
    access: 'member',
    search: { id: optional(text) },
    page: () => import('#domains/work/appointments/reminders-page.tsx'),
  },
  '/pages/shedul/addParticipant': {
    area: 'appointments',
    title: m.appointments_participants,
    access: 'member',
    search: { keyWords: optional(text) },
    staysMounted: true,
    page: () => import('#domains/work/appointments/participants-page.tsx'),
  },
  '/pages/shedul/newsAddShedul': fromSource,
  '/msgCenter/pages/schedule/newsAddSchedule': { ...fromSource, backLabel: m.ui_cancel },
  '/pages/shedul/taskAddShedul': fromTask,
  '/msgCenter/pages/schedule/taskAddSchedule': { ...fromTask, backLabel: m.ui_cancel },
} satisfies Record<string, Screen>
