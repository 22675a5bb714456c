import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { oneOf, optional, text } from '#shell/navigation/search.ts'

const event = {
  area: 'department-calendars',
  title: m.department_calendars_detail,
  access: 'member',
  search: { id: text, startsAt: optional(text) },
  page: () => import('#domains/work/department-calendars/event-page.tsx'),
} as const satisfies Screen

export const departmentCalendarsScreens = {
  '/pages/secondWork/calendar/calendarSet': {
    area: 'department-calendars',
    title: m.department_calendars_title,
    access: 'member',
    search: { department: optional(text), id: optional(text) },
    staysMounted: true,
    page: () => import('#domains/work/department-calendars/calendars-page.tsx'),
  },
  '/pages/secondWork/calendar/schedule': {
    area: 'department-calendars',
    title: m.department_calendars_schedule,
    access: 'member',
    search: {
      department: optional(text),
      calendarId: optional(text),
      view: oneOf('month', 'week', 'list'),
      day: optional(text),
    },
    staysMounted: true,
    page: () => import('#domains/work/department-calendars/schedule-page.tsx'),
  },
  '/pages/secondWork/schedule/shedulDetail': event,
  // The specification has a separate address for an event as seen by one person; the screen is the same.
  '/pages/secondWork/schedule/personDetail': event,
  '/pages/secondWork/schedule/creatShedul': {
    area: 'department-calendars',
    title: m.department_calendars_create,
    access: 'member',
    search: { department: optional(text), calendarId: optional(text), day: optional(text) },
    page: () => import('#domains/work/department-calendars/create-page.tsx'),
  },
  '/pages/secondWork/schedule/editSchedul': {
    area: 'department-calendars',
    title: m.department_calendars_change,
    access: 'member',
    search: { id: text, startsAt: optional(text) },
    page: () => import('#domains/work/department-calendars/edit-page.tsx'),
  },
} satisfies Record<string, Screen>
