import { dayIn } from './day-in.ts'

/** An elapsed time, ready for translation. `date`: show the date itself. */
export type Ago =
  | { unit: 'now' | 'date' }
  | { unit: 'minutes' | 'hours' | 'days' | 'months' | 'years'; count: number }
  | { unit: 'yesterday' | 'dayBefore' }

/** The specification defines relative time in two ways; each screen uses one of them. */
export const relativeTimeOf = {
  news: 'article',
  services: 'article',
  favourites: 'article',
  search: 'article',
  messages: 'message',
  tasks: 'message',
  robot: 'message',
} as const
export type RelativeTimeScreen = keyof typeof relativeTimeOf

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** @param zone decides where a day ends: "yesterday" is a calendar day, not 24 hours */
export function timeAgo(screen: RelativeTimeScreen, then: Date, now: Date, zone: string): Ago {
  return relativeTimeOf[screen] === 'article' ? articleAgo(then, now) : messageAgo(then, now, zone)
}

function articleAgo(then: Date, now: Date): Ago {
  const elapsed = now.getTime() - then.getTime()
  // A future time, beyond some clock skew, is shown as a date.
  if (elapsed < -5 * minute) return { unit: 'date' }
  if (elapsed < 5 * minute) return { unit: 'now' }
  if (elapsed < hour) return { unit: 'minutes', count: Math.floor(elapsed / minute) }
  if (elapsed < day) return { unit: 'hours', count: Math.floor(elapsed / hour) }
  if (elapsed < 30 * day) return { unit: 'days', count: Math.floor(elapsed / day) }
  // Months of 30 days, years of 365: from 360 to 365 days it is twelve months.
  if (elapsed < 365 * day) return { unit: 'months', count: Math.floor(elapsed / (30 * day)) }
  return { unit: 'years', count: Math.floor(elapsed / (365 * day)) }
}

function messageAgo(then: Date, now: Date, zone: string): Ago {
  const elapsed = now.getTime() - then.getTime()
  if (elapsed < -minute) return { unit: 'date' }
  if (elapsed < minute) return { unit: 'now' }
  if (elapsed < hour) return { unit: 'minutes', count: Math.floor(elapsed / minute) }
  const days = dayNumber(now, zone) - dayNumber(then, zone)
  if (days === 0) return { unit: 'hours', count: Math.floor(elapsed / hour) }
  if (days === 1) return { unit: 'yesterday' }
  if (days === 2) return { unit: 'dayBefore' }
  return { unit: 'date' }
}

/** The calendar day in a zone as a day count, for subtraction. */
const dayNumber = (at: Date, zone: string) => Date.parse(dayIn(at, zone)) / day
