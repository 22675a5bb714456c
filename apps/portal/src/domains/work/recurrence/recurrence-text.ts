import { addDays, type Day, utcMidnightOf, weekdayOf } from '#domains/work/schedule/days.ts'
import { format } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'
import { parseRule, type Recurrence } from './recurrence.ts'

/**
 * A recurrence rule as a sentence; `first` is a day on which it occurs. For a rule too complex, says only that it
 * recurs.
 */
export function recurrenceText(rrule: string, first: Day, zone?: string) {
  const rule = parseRule(rrule, zone)
  if (!rule) return m.schedule_rule_other()
  const often = frequencyText(rule, first)
  if (rule.until) return m.schedule_rule_until({ often, date: shortDay(rule.until, true) })
  if (rule.count) return m.schedule_rule_count({ often, count: rule.count })
  return often
}

function frequencyText({ unit, every, weekdays, monthDay, nth }: Recurrence, first: Day) {
  const count = every
  switch (unit) {
    case 'day':
      return m.schedule_rule_daily({ count })
    case 'week': {
      if (every === 1 && weekdays.join() === '0,1,2,3,4') return m.schedule_rule_workdays()
      const on = weekdays.length > 0 ? weekdays : [weekdayOf(first)]
      return m.schedule_rule_weekly({ count, days: on.map(weekdayName).join(m.schedule_and()) })
    }
    case 'month': {
      if (nth)
        return m.schedule_rule_nth({
          count,
          place: ordinalText(nth.place),
          weekday: weekdayName(nth.weekday),
        })
      const date = monthDay ?? Number(first.slice(8))
      return date === -1
        ? m.schedule_rule_last_day({ count })
        : m.schedule_rule_monthly({ count, date })
    }
    case 'year':
      return m.schedule_rule_yearly({ count, date: shortDay(first, false) })
  }
}

function ordinalText(place: number) {
  switch (place) {
    case 1:
      return m.schedule_first()
    case 2:
      return m.schedule_second()
    case 3:
      return m.schedule_third()
    case 4:
      return m.schedule_fourth()
    case 5:
      return m.schedule_fifth()
    default:
      return m.schedule_last()
  }
}

// 2024-01-01 was a Monday.
const weekdayName = (weekday: number) =>
  format(utcMidnightOf(addDays('2024-01-01', weekday)), { weekday: 'short', timeZone: 'UTC' })

const shortDay = (day: Day, withYear: boolean) =>
  format(utcMidnightOf(day), {
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
    ...(withYear && { year: 'numeric' }),
  })
