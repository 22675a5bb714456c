import { readFixedClock } from '@atrium/rules/fixed-zones'
import { type RelativeTimeScreen, relativeTimeOf, timeAgo } from '@atrium/rules/relative-time'
import { m } from '#paraglide/messages.js'
import { htmlLang } from './language.ts'
import { plainDay, plainNumber, plainShortNumber, plainWeekday } from './plain-format.ts'

type Moment = string | number | Date

const formats = new Map<string, Intl.DateTimeFormat>()
/** Formats a moment with any Intl options, in the reader's language. */
export function format(moment: Moment, options: Intl.DateTimeFormatOptions) {
  const key = htmlLang() + JSON.stringify(options)
  let formatter = formats.get(key)
  if (!formatter) {
    formatter = new Intl.DateTimeFormat(htmlLang(), options)
    formats.set(key, formatter)
  }
  return formatter.format(new Date(moment))
}

/**
 * The wall-clock time as if it were UTC, if it can be computed without `Intl`, whose first formatter is the most
 * expensive part of a first screen. The server does not know the device: it paints in the institution's zone
 * (platform/http/painter.ts).
 */
function readClock(moment: Moment, zone?: string): Date | undefined {
  const at = new Date(moment)
  if (zone !== undefined) return readFixedClock(zone, at)
  return import.meta.env.SSR ? undefined : new Date(+at - at.getTimezoneOffset() * 60_000)
}

/** 08:05. `zone` is a zone id; defaults to the device's zone. */
export const formatTime = (moment: Moment, zone?: string) =>
  readClock(moment, zone)?.toISOString().slice(11, 16) ??
  format(moment, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: zone })

const isThisYear = (moment: Moment) => new Date(moment).getFullYear() === new Date().getFullYear()

function dayParts(moment: Moment, zone?: string): Intl.DateTimeFormatOptions {
  return {
    month: 'short',
    day: 'numeric',
    timeZone: zone,
    ...(!isThisYear(moment) && { year: 'numeric' }),
  }
}

/** 11月23日, Nov 23; with the year if it is not the current one. */
export function formatDay(moment: Moment, zone?: string) {
  const wallClock = readClock(moment, zone)
  return wallClock
    ? plainDay(htmlLang(), wallClock, !isThisYear(moment))
    : format(moment, dayParts(moment, zone))
}

/** 11月23日周一, Mon, Nov 23 */
export function formatDayAndWeekday(moment: Moment, zone?: string) {
  if (!readClock(moment, zone))
    return format(moment, { ...dayParts(moment, zone), weekday: 'short' })
  const [date, name] = [formatDay(moment, zone), formatWeekday(moment, zone)]
  return htmlLang() === 'en' ? `${name}, ${date}` : `${date}${name}`
}

/** 2026年11月23日 08:05 */
export const formatDayAndTime = (moment: Moment, zone?: string) =>
  `${formatDay(moment, zone)} ${formatTime(moment, zone)}`

/** 周一, Mon */
export function formatWeekday(moment: Moment, zone?: string) {
  const wallClock = readClock(moment, zone)
  return wallClock
    ? plainWeekday(htmlLang(), wallClock)
    : format(moment, { weekday: 'short', timeZone: zone })
}

const numberFormats = new Map<string, Intl.NumberFormat>()
function formatWith(value: number, options: Intl.NumberFormatOptions = {}) {
  const key = htmlLang() + JSON.stringify(options)
  let formatter = numberFormats.get(key)
  if (!formatter) {
    formatter = new Intl.NumberFormat(htmlLang(), options)
    numberFormats.set(key, formatter)
  }
  return formatter.format(value)
}

export const formatNumber = (value: number) => plainNumber(value) ?? formatWith(value)

/** 3小时, 3 hours */
export const formatUnit = (value: number, unit: 'day' | 'hour' | 'minute') =>
  formatWith(value, { style: 'unit', unit, unitDisplay: 'long' })

/** 4.2: one decimal place. */
export const formatDecimal = (value: number) =>
  formatWith(value, { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** 2.1万, 21K */
export const formatShortNumber = (value: number) =>
  plainShortNumber(htmlLang(), value) ??
  formatWith(value, { notation: 'compact', maximumFractionDigits: 1 })

/** 320 KB, 1.4 MB */
export const formatFileSize = (bytes: number) =>
  bytes < 1_000_000
    ? `${formatWith(Math.max(1, Math.round(bytes / 1000)))}\u00a0KB`
    : `${formatWith(bytes / 1_000_000, { maximumFractionDigits: 1 })}\u00a0MB`

/** ¥128.40 from a decimal string. */
export function formatMoney(amount: string) {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
  // Keep the text unless it needs thousands separators.
  return `¥${/^\d{1,3}\.\d\d$/.test(amount) ? amount : formatWith(Number(amount), digits)}`
}

/** 2小时前: relative time by the rule that applies to this screen. */
export function formatRelativeTime(screen: RelativeTimeScreen, moment: Moment) {
  // Only the other rule depends on day boundaries, and so on the zone.
  const zone =
    relativeTimeOf[screen] === 'article' ? '' : Intl.DateTimeFormat().resolvedOptions().timeZone
  const then = new Date(moment)
  const elapsed = timeAgo(screen, then, new Date(), zone)
  switch (elapsed.unit) {
    case 'now':
      return m.shell_ago_now()
    case 'minutes':
      return m.shell_ago_minutes({ count: elapsed.count })
    case 'hours':
      return m.shell_ago_hours({ count: elapsed.count })
    case 'days':
      return m.shell_ago_days({ count: elapsed.count })
    case 'months':
      return m.shell_ago_months({ count: elapsed.count })
    case 'years':
      return m.shell_ago_years({ count: elapsed.count })
    case 'yesterday':
      return m.shell_ago_yesterday({ time: formatTime(then) })
    case 'dayBefore':
      return m.shell_ago_day_before({ time: formatTime(then) })
    case 'date':
      return formatDay(then)
  }
}
