import { home } from '@atrium/contract/shell/home'
import { calendars } from '@atrium/contract/work/calendars'
import { schedule } from '@atrium/contract/work/schedule'
import { figures } from '@atrium/rules/figures'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { q } from '#lib/queries.ts'
import { useSession } from '#lib/session.ts'
import { savesData, whenIdle } from '#lib/when-idle.ts'
import { useAction } from '#shell/page/action.ts'
import { setGlobalZone, useTimeZone } from '#shell/time-zone.ts'
import { addMonths, gridOf, type Month } from './days.ts'

/** One request for all views of a month: covers complete weeks. */
function monthQuery(month: Month, timeZone: string | undefined) {
  const days = gridOf(month)
  return {
    ...q(schedule.events, {
      query: { from: days[0] ?? '', to: days[41] ?? '', ...(timeZone && { timeZone }) },
    }),
    staleTime: 60_000,
  }
}

/** Preloaded neighbours, in order of priority; with figures.calendarMonths = 3, the next and the previous month. */
const preloadedOffsets = [1, -1, 2, -2].slice(0, figures.calendarMonths - 1)

/** The events of a month; preloads its neighbours when idle. In the member's zone, or in a temporarily chosen one. */
export function useMonth(month: Month) {
  const { globalTimeZone, tmpTimeZone } = useTimeZone()
  const temporaryZone = tmpTimeZone === globalTimeZone ? undefined : tmpTimeZone
  const signedIn = useSession() !== null
  const client = useQueryClient()
  const events = useQuery({ ...monthQuery(month, temporaryZone), enabled: signedIn })
  const ready = events.isSuccess
  const zone = events.data?.timeZone
  useEffect(() => {
    if (zone && !temporaryZone) setGlobalZone(zone)
  }, [zone, temporaryZone])
  useEffect(() => {
    if (!ready || savesData()) return
    return whenIdle(() => {
      for (const step of preloadedOffsets)
        void client.prefetchQuery(monthQuery(addMonths(month, step), temporaryZone))
    })
  }, [ready, month, temporaryZone, client])
  return events
}

export const useEvent = (id: string, startsAt: string | undefined) =>
  useQuery(q(schedule.read, { params: { id }, query: { ...(startsAt && { startsAt }) } }))

export const useScheduleSettings = () => useQuery(q(calendars.settings))

export const useChooseZone = (done: () => void) =>
  useAction(calendars.saveSettings, {
    invalidates: [calendars.settings, schedule.events, schedule.today, schedule.read, home.read],
    done,
  })
