import { home } from '@atrium/contract/shell/home'
import { calendars } from '@atrium/contract/work/calendars'
import { schedule } from '@atrium/contract/work/schedule'
import { useQuery } from '@tanstack/react-query'
import { q } from '#lib/queries.ts'
import { useAction } from '#shell/page/action.ts'

/** What a change of a calendar makes out of date: what shows is another. */
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
  useAction(calendars.update, { refresh: changedCalendars, ...(done && { done }) })
/** Each switch in its turn: the last one is the one that stays. */
export const useShowCalendar = () =>
  useAction(calendars.update, { refresh: changedCalendars, queue: 'calendar-shown' })
