import { dayIn } from '@atrium/rules/day-in'
import { formatDay, formatTime } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'

const aDay = 24 * 3_600_000

/** A task's due time in words, and whether it is pressing: today or overdue. Days are the institution's. */
export function dueText(dueAt: string, zone: string, now = new Date()) {
  const due = new Date(dueAt)
  const days = dayNumber(due, zone) - dayNumber(now, zone)
  const time = formatTime(due, zone)
  if (due < now) {
    const text = days === 0 ? m.tasks_overdue_today({ time }) : m.tasks_overdue({ count: -days })
    return { text, pressing: true }
  }
  if (days === 0) return { text: m.tasks_due_today({ time }), pressing: true }
  if (days === 1) return { text: m.tasks_due_tomorrow({ time }), pressing: false }
  return { text: m.tasks_due({ date: formatDay(due, zone) }), pressing: false }
}

/** The calendar day in a zone as a number of days, for subtraction. */
const dayNumber = (moment: Date, zone: string) => Date.parse(dayIn(moment, zone)) / aDay
