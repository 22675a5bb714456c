import type { Occurrence } from '@atrium/contract/work/schedule'

const minute = 60_000

/** Current and future events by time, all-day ones last. */
export function upcoming(list: readonly Occurrence[], now: number) {
  const timed = list
    .filter(({ allDay, endsAt }) => !allDay && Date.parse(endsAt) > now)
    .sort((a, b) => Date.parse(a.startsAt) - Date.parse(b.startsAt))
  return [...timed, ...list.filter(({ allDay }) => allDay)]
}

export type Countdown =
  | { is: 'on' }
  | { is: 'minutes'; minutes: number }
  | { is: 'hours'; hours: number; minutes: number }

/** Time until the event begins, rounded up to minutes. */
export function countdown({ startsAt }: Occurrence, now: number): Countdown {
  const left = Math.ceil((Date.parse(startsAt) - now) / minute)
  if (left <= 0) return { is: 'on' }
  if (left < 60) return { is: 'minutes', minutes: left }
  return { is: 'hours', hours: Math.floor(left / 60), minutes: left % 60 }
}

/** The first event that has not begun, for the countdown. */
export const nextOf = (list: readonly Occurrence[], now: number) =>
  list.find(({ allDay, startsAt, struck }) => !struck && !allDay && Date.parse(startsAt) > now)

export type DayTime = 'morning' | 'noon' | 'afternoon' | 'evening' | 'night'

export function timeOfDay(hour: number): DayTime {
  if (hour < 5) return 'night'
  if (hour < 11) return 'morning'
  if (hour < 14) return 'noon'
  if (hour < 18) return 'afternoon'
  return hour < 23 ? 'evening' : 'night'
}
