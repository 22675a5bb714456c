import { type RelativeTimeScreen, timeAgo } from '@atrium/rules/relative-time'
import { m } from '#paraglide/messages.js'
import { htmlLang } from './language.ts'

type Moment = string | number | Date

const formats = new Map<string, Intl.DateTimeFormat>()
/** Whatever else Intl can say of a moment, in the reader's language. */
export function format(moment: Moment, options: Intl.DateTimeFormatOptions) {
  const key = htmlLang() + JSON.stringify(options)
  let formatter = formats.get(key)
  if (!formatter) {
    formatter = new Intl.DateTimeFormat(htmlLang(), options)
    formats.set(key, formatter)
  }
  return formatter.format(new Date(moment))
}

/** 08:05. `zone` is a zone id; the device's zone without one. */
export const clock = (moment: Moment, zone?: string) =>
  format(moment, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: zone })

function dayParts(moment: Moment, zone?: string): Intl.DateTimeFormatOptions {
  const sameYear = new Date(moment).getFullYear() === new Date().getFullYear()
  return {
    month: 'short',
    day: 'numeric',
    timeZone: zone,
    ...(!sameYear && { year: 'numeric' }),
  }
}

/** 11月23日, Nov 23; with the year when it is not this one. */
export const day = (moment: Moment, zone?: string) => format(moment, dayParts(moment, zone))

/** 11月23日周一, Mon, Nov 23 */
export const dayAndWeekday = (moment: Moment, zone?: string) =>
  format(moment, { ...dayParts(moment, zone), weekday: 'short' })

/** 2026年11月23日 08:05 */
export const dayAndClock = (moment: Moment, zone?: string) =>
  `${day(moment, zone)} ${clock(moment, zone)}`

/** 周一, Mon */
export const weekday = (moment: Moment, zone?: string) =>
  format(moment, { weekday: 'short', timeZone: zone })

const numberFormats = new Map<string, Intl.NumberFormat>()
function formatNumber(value: number, options: Intl.NumberFormatOptions = {}) {
  const key = htmlLang() + JSON.stringify(options)
  let formatter = numberFormats.get(key)
  if (!formatter) {
    formatter = new Intl.NumberFormat(htmlLang(), options)
    numberFormats.set(key, formatter)
  }
  return formatter.format(value)
}

export const number = (value: number) => formatNumber(value)

/** 3小时, 3 hours */
export const inUnit = (value: number, unit: 'day' | 'hour' | 'minute') =>
  formatNumber(value, { style: 'unit', unit, unitDisplay: 'long' })

/** 4.2: one place behind the point. */
export const decimal = (value: number) =>
  formatNumber(value, { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** 2.1万, 21K */
export const shortNumber = (value: number) =>
  formatNumber(value, { notation: 'compact', maximumFractionDigits: 1 })

/** 320 KB, 1.4 MB */
export const fileSize = (bytes: number) =>
  bytes < 1_000_000
    ? `${formatNumber(Math.max(1, Math.round(bytes / 1000)))} KB`
    : `${formatNumber(bytes / 1_000_000, { maximumFractionDigits: 1 })} MB`

/** ¥128.40 from a decimal string. */
export function money(decimal: string) {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
  return `¥${formatNumber(Number(decimal), digits)}`
}

/** 2小时前, in the reading of relative time that the screen has. */
export function ago(screen: RelativeTimeScreen, moment: Moment) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const then = new Date(moment)
  const passed = timeAgo(screen, then, new Date(), zone)
  switch (passed.unit) {
    case 'now':
      return m.shell_ago_now()
    case 'minutes':
      return m.shell_ago_minutes({ count: passed.count })
    case 'hours':
      return m.shell_ago_hours({ count: passed.count })
    case 'days':
      return m.shell_ago_days({ count: passed.count })
    case 'months':
      return m.shell_ago_months({ count: passed.count })
    case 'years':
      return m.shell_ago_years({ count: passed.count })
    case 'yesterday':
      return m.shell_ago_yesterday({ time: clock(then) })
    case 'dayBefore':
      return m.shell_ago_day_before({ time: clock(then) })
    case 'date':
      return day(then)
  }
}
