import { home } from '@atrium/contract/shell/home'
import { calendars } from '@atrium/contract/work/calendars'
import { schedule } from '@atrium/contract/work/schedule'
import { useQuery } from '@tanstack/react-query'
import { q } from '#lib/queries.ts'
import { useAction } from '#shell/page/action.ts'

/** Endpoints to invalidate after a change of a calendar. */
export const changedCalendars = [
  calendars.list,
  calendars.own,
  calendars.read,
  schedule.events,
  schedule.today,
  schedule.read,
  home.read,
]

export const useCalendars = () => useQuery(q(calendars.list))
export const useCalendar = (id: string) => useQuery(q(calendars.read, { params: { id } }))
export const useUpdateCalendar = (done?: () => void) =>
  useAction(calendars.update, { invalidates: changedCalendars, ...(done && { done }) })
/** Queued, so that the last switch wins. */
export const useShowCalendar = () =>
  useAction(calendars.update, { invalidates: changedCalendars, queue: 'calendar-shown' })
