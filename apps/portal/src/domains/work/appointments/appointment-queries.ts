import { home } from '@atrium/contract/shell/home'
import { appointments } from '@atrium/contract/work/appointments'
import { calendars } from '@atrium/contract/work/calendars'
import { schedule } from '@atrium/contract/work/schedule'
import { useQuery } from '@tanstack/react-query'
import { q } from '#lib/queries.ts'
import { getSession } from '#lib/session.ts'

/** What any change of an event makes out of date. */
export const changedEvents = [
  schedule.events,
  schedule.today,
  schedule.read,
  calendars.read,
  appointments.freeBusy,
  home.read,
]

export const useOwnCalendars = () => useQuery(q(calendars.own))

type BusyQuery = {
  people: readonly string[]
  day: string
  minutes: number
  zone: string
  without: string
}

/** When people are busy on a day, oneself first. */
export function useFreeBusy({ people, day, minutes, zone, without }: BusyQuery) {
  const names = [getSession()?.username ?? '', ...people].filter(Boolean).slice(0, 20)
  return useQuery({
    ...q(appointments.freeBusy, {
      query: {
        people: names.join(','),
        from: day,
        to: day,
        minutes: Math.min(Math.max(minutes, 5), 1440),
        timeZone: zone,
        ...(without && { without }),
      },
    }),
    enabled: day !== '',
  })
}

/** What is on in a span of days, for saying what an event would collide with. */
export const useEventsBetween = (from: string, to: string, timeZone: string) =>
  useQuery({
    ...q(schedule.events, { query: { from, to, timeZone } }),
    enabled: from <= to && from !== '',
  })
