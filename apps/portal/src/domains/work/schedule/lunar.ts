import { addDays, type Day, daysBetween, utcMidnightOf } from './days.ts'

// The Chinese lunar calendar, for readers of Chinese only: these names have no counterpart in other languages.

const dayNames =
  '初一 初二 初三 初四 初五 初六 初七 初八 初九 初十 十一 十二 十三 十四 十五 十六 十七 十八 十九 二十 廿一 廿二 廿三 廿四 廿五 廿六 廿七 廿八 廿九 三十'.split(
    ' ',
  )
const festivals: Record<string, string> = {
  正月1: '春节',
  正月15: '元宵',
  五月5: '端午',
  七月7: '七夕',
  八月15: '中秋',
  九月9: '重阳',
  腊月8: '腊八',
}
/** By the sun's longitude, every 15 degrees from the March equinox. */
const solarTerms =
  '春分 清明 谷雨 立夏 小满 芒种 夏至 小暑 大暑 立秋 处暑 白露 秋分 寒露 霜降 立冬 小雪 大雪 冬至 小寒 大寒 立春 雨水 惊蛰'.split(
    ' ',
  )

let format: Intl.DateTimeFormat | undefined

/** The day of the lunar month and its festival; undefined if the browser does not support the calendar. */
export function lunarDay(day: Day) {
  const found = lunar(day)
  if (!found) return undefined
  const { month, date } = found
  const eve = month === '腊月' && lunar(addDays(day, 1))?.month === '正月' ? '除夕' : undefined
  const special = festivals[month + date] ?? eve ?? solarTerm(day)
  const name = dayNames[date - 1] ?? ''
  return {
    /** Text for a cell of the calendar. */
    short: special ?? (date === 1 ? month : name),
    long: `${month}${name}`,
    special,
  }
}

/**
 * First days of months whose new moon falls within ten minutes of midnight in China. Browsers compute it slightly wrong
 * and begin these months a day late or early; the Spring Festival would then be on the second day.
 */
const closeStarts = ['2027-02-06', '2030-02-03']

function lunar(day: Day): LunarDay | undefined {
  const byBrowser = browserLunarDay(day)
  const start = closeStarts.find((first) => Math.abs(daysBetween(first, day)) <= 30)
  const startByBrowser = start && browserLunarDay(start)
  if (!byBrowser || !startByBrowser || startByBrowser.date === 1) return byBrowser
  if (startByBrowser.date === 2) {
    const before = day === addDays(start, -1) ? browserLunarDay(addDays(day, -1)) : undefined
    if (before) return { month: before.month, date: before.date + 1 }
    return day >= start && byBrowser.month === startByBrowser.month
      ? { ...byBrowser, date: byBrowser.date - 1 }
      : byBrowser
  }
  const month = browserLunarDay(addDays(start, 1))?.month ?? ''
  if (day === start) return { month, date: 1 }
  return day > start && byBrowser.month === month ? { month, date: byBrowser.date + 1 } : byBrowser
}

type LunarDay = { month: string; date: number }
function browserLunarDay(day: Day): LunarDay | undefined {
  format ??= new Intl.DateTimeFormat('zh-CN-u-ca-chinese', {
    month: 'long',
    day: 'numeric',
    timeZone: 'UTC',
  })
  if (format.resolvedOptions().calendar !== 'chinese') return undefined
  const parts = format.formatToParts(utcMidnightOf(day))
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
  // The last two months have two names each.
  const month = part('month').replace('十二月', '腊月').replace('十一月', '冬月')
  const date = Number(part('day'))
  return month && date >= 1 && date <= 30 ? { month, date } : undefined
}

/** The solar term that begins on this day: the sun passes a multiple of 15 degrees before the day ends in China. */
function solarTerm(day: Day) {
  const at = (days: number) => Math.floor(solarLongitude(utcMidnightOf(day).getTime(), days) / 15)
  const before = at(0)
  const after = at(1)
  return before === after ? undefined : solarTerms[after % 24]
}

/** The sun's apparent longitude in degrees, accurate to a hundredth (Meeus), `days` after midnight in China. */
function solarLongitude(utcMidnight: number, days: number) {
  const time = utcMidnight / 86_400_000 - 8 / 24 + days
  const t = (time + 2_440_587.5 - 2_451_545) / 36_525
  const sin = (degrees: number) => Math.sin((degrees * Math.PI) / 180)
  const anomaly = 357.52911 + 35999.05029 * t - 0.0001537 * t * t
  const centre =
    (1.914602 - 0.004817 * t) * sin(anomaly) +
    (0.019993 - 0.000101 * t) * sin(2 * anomaly) +
    0.000289 * sin(3 * anomaly)
  const longitude =
    280.46646 +
    36000.76983 * t +
    0.0003032 * t * t +
    centre -
    0.00569 -
    0.00478 * sin(125.04 - 1934.136 * t)
  return ((longitude % 360) + 360) % 360
}
