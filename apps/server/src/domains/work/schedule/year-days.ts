/**
 * A yearly rule by weeks or days of the year, in which every part filters the days left by the others. rrule-temporal
 * 2.2.7 unites some parts instead, and loses weeks that begin in the previous year.
 */

type Rule = {
  interval: number
  months: number[]
  weeks: number[]
  yearDays: number[]
  monthDays: number[]
  weekdays: { day: number; nth: number }[]
  times: string[]
  positions: number[]
  weekStart: number
}

const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

/** Whether a rule is of this kind. */
export const isYearDayRule = (parts: ReadonlyMap<string, string>) =>
  parts.get('FREQ') === 'YEARLY' &&
  (parts.has('BYWEEKNO') ||
    parts.has('BYYEARDAY') ||
    (parts.has('BYMONTHDAY') && parts.has('BYDAY')))

/**
 * The starts of such a rule in order, in local time; the caller applies COUNT and UNTIL.
 * @param startsLocal `YYYY-MM-DDTHH:MM:SS`
 */
export function* yearDayStarts(
  parts: ReadonlyMap<string, string>,
  startsLocal: string,
  lastYear: number,
): Generator<string> {
  const start = Temporal.PlainDateTime.from(startsLocal)
  const rule = readRule(parts, start)
  for (let year = start.year; year <= lastYear; year += rule.interval) {
    const found = daysOf(year, rule).flatMap((day) => rule.times.map((time) => `${day}T${time}`))
    for (const local of rule.positions.length > 0 ? pick(found, rule.positions) : found)
      if (local >= startsLocal) yield local
  }
}

const pick = (found: readonly string[], positions: readonly number[]) =>
  [...new Set(positions.map((position) => found.at(position > 0 ? position - 1 : position)))]
    .filter((local) => local !== undefined)
    .sort()

function readRule(parts: ReadonlyMap<string, string>, start: Temporal.PlainDateTime): Rule {
  const numbers = (name: string) => (parts.get(name)?.split(',') ?? []).map(Number)
  const or = (list: number[], fallback: number) => (list.length > 0 ? list : [fallback])
  const twoDigits = (number: number) => String(number).padStart(2, '0')
  const listedWeekdays = (parts.get('BYDAY')?.split(',') ?? []).map((text) => ({
    day: weekdays.indexOf(text.slice(-2).toUpperCase()) + 1,
    nth: Number(text.slice(0, -2)),
  }))
  const onlyWeeks = ['BYDAY', 'BYMONTHDAY', 'BYYEARDAY'].every((name) => !parts.has(name))
  const times = or(numbers('BYHOUR'), start.hour).flatMap((hour) =>
    or(numbers('BYMINUTE'), start.minute).flatMap((minute) =>
      or(numbers('BYSECOND'), start.second).map(
        (second) => `${twoDigits(hour)}:${twoDigits(minute)}:${twoDigits(second)}`,
      ),
    ),
  )
  return {
    interval: Math.max(1, Number(parts.get('INTERVAL') ?? 1)),
    months: numbers('BYMONTH'),
    weeks: numbers('BYWEEKNO'),
    yearDays: numbers('BYYEARDAY'),
    monthDays: numbers('BYMONTHDAY'),
    // BYWEEKNO alone means the weekday on which the series began.
    weekdays: onlyWeeks ? [{ day: start.dayOfWeek, nth: 0 }] : listedWeekdays,
    times: [...new Set(times)].sort(),
    positions: numbers('BYSETPOS'),
    weekStart: weekdays.indexOf(parts.get('WKST')?.toUpperCase() ?? 'MO') + 1 || 1,
  }
}

function daysOf(year: number, rule: Rule): string[] {
  const days: string[] = []
  const first = Temporal.PlainDate.from({ year, month: 1, day: 1 })
  for (let offset = 0; offset < first.daysInYear; offset++) {
    const day = first.add({ days: offset })
    if (
      matchesAny(rule.months, day.month) &&
      matchesAny(rule.yearDays, day.dayOfYear, day.dayOfYear - day.daysInYear - 1) &&
      matchesAny(rule.monthDays, day.day, day.day - day.daysInMonth - 1) &&
      matchesAny(rule.weeks, ...weekOf(day, rule.weekStart)) &&
      matchesWeekday(rule, day)
    )
      days.push(day.toString())
  }
  return days
}

/** An empty list matches everything. */
const matchesAny = (allowed: readonly number[], ...numbers: number[]) =>
  allowed.length === 0 || numbers.some((number) => allowed.includes(number))

/** Ordinals count within the month if the rule has BYMONTH, otherwise within the year. */
function matchesWeekday({ weekdays: allowed, months }: Rule, day: Temporal.PlainDate): boolean {
  if (allowed.length === 0) return true
  const [ordinal, total] =
    months.length > 0 ? [day.day, day.daysInMonth] : [day.dayOfYear, day.daysInYear]
  const nth = [0, Math.ceil(ordinal / 7), -Math.ceil((total - ordinal + 1) / 7)]
  return allowed.some((one) => one.day === day.dayOfWeek && nth.includes(one.nth))
}

/**
 * The number of a day's week from the start and from the end of the year; week 1 has at least four days in the year.
 */
function weekOf(day: Temporal.PlainDate, weekStart: number): [number, number] {
  const middle = day.add({ days: 3 - ((day.dayOfWeek - weekStart + 7) % 7) })
  const number = Math.ceil(middle.dayOfYear / 7)
  const weeks = number + Math.floor((middle.daysInYear - middle.dayOfYear) / 7)
  return [number, number - weeks - 1]
}
