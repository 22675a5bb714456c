/*
 * What first screens need of `Intl` in our two languages, without using it: the first formatter on a page takes a phone
 * a hundred milliseconds or more. plain-format.test.ts compares the results with `Intl`.
 */
type Lang = 'zh-CN' | 'en'

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** 周一, Mon. @param wallClock wall-clock time as if it were UTC */
export const plainWeekday = (lang: Lang, wallClock: Date) =>
  lang === 'en'
    ? (weekdays[wallClock.getUTCDay()] ?? '')
    : `周${'日一二三四五六'[wallClock.getUTCDay()]}`

/** 11月23日, Nov 23; 2025年11月23日, Nov 23, 2025. @param wallClock wall-clock time as if it were UTC */
export function plainDay(lang: Lang, wallClock: Date, withYear: boolean) {
  const [year, month, day] = [
    wallClock.getUTCFullYear(),
    wallClock.getUTCMonth(),
    wallClock.getUTCDate(),
  ]
  if (lang === 'en') return `${months[month]} ${day}${withYear ? `, ${year}` : ''}`
  return `${withYear ? `${year}年` : ''}${month + 1}月${day}日`
}

/** Numbers below a thousand need no separators; undefined for others. */
export const plainNumber = (value: number) =>
  Number.isInteger(value) && value >= 0 && value < 1000 ? String(value) : undefined

/** 2.1万, 21K; undefined for numbers larger than counts are. */
export function plainShortNumber(lang: Lang, value: number) {
  const [unit, name] = lang === 'en' ? [1000, 'K'] : [10_000, '万']
  if (!Number.isInteger(value) || value < 0) return undefined
  if (value < unit) return String(value)
  const tenths = Math.round((value * 10) / unit)
  return tenths < 10_000 ? `${tenths / 10}${name}` : undefined
}
