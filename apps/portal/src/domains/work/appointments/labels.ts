import { joinRule } from '#domains/work/recurrence/recurrence.ts'
import { recurrenceText } from '#domains/work/recurrence/recurrence-text.ts'
import { dayName } from '#domains/work/schedule/day-labels.ts'
import { m } from '#paraglide/messages.js'
import type { Content } from './appointment-draft.ts'

export const repeatText = ({ repeatSet, firstDay, timeZone }: Content) =>
  repeatSet ? recurrenceText(repeatSet, firstDay, timeZone) : m.appointments_never()

export function ruleText({ repeatSet, dateEndSet, allDay, firstDay, timeZone }: Content) {
  const rrule = joinRule(repeatSet, dateEndSet, allDay, timeZone)
  return rrule ? recurrenceText(rrule, firstDay, timeZone) : m.appointments_never()
}

/** Tue 1 Dec 14:00 */
const startText = ({ firstDay, starts, allDay }: Content) =>
  allDay ? `${dayName(firstDay)} ${m.schedule_all_day()}` : `${dayName(firstDay)} ${starts}`

/** Tue 1 Dec 14:00 – 15:30 */
export function timeText(content: Content) {
  const { firstDay, lastDay, ends, allDay } = content
  const end = allDay ? '' : ends
  if (firstDay !== lastDay)
    return m.schedule_span({ from: startText(content), to: `${dayName(lastDay)} ${end}`.trim() })
  return allDay ? startText(content) : m.schedule_span({ from: startText(content), to: end })
}

export function repeatEndText({ dateEndSet: { index, val } }: Content) {
  if (index === 1 && val) return m.appointments_until({ day: dayName(val) })
  if (index === 2 && val) return m.appointments_times({ count: Number(val) })
  return m.appointments_never_ends()
}
