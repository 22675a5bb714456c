import type { Reply } from '@atrium/contract/define'
import type { Occurrence, schedule } from '@atrium/contract/work/schedule'
import { addDays, type Day } from './days.ts'

export type MonthAnswer = Reply<typeof schedule.events>
type Holiday = MonthAnswer['holidays'][number]

/** The content of a day. `known` is false until the server has answered. */
export type DayContent = { known: boolean; events: Occurrence[]; holiday: Holiday | undefined }
const unknown: DayContent = { known: false, events: [], holiday: undefined }
const nothing: DayContent = { known: true, events: [], holiday: undefined }

/** The events by the days they touch; all-day ones come first, as sorted by the server. */
export function eventsByDay(answer: Pick<MonthAnswer, 'list' | 'holidays'> | undefined) {
  if (!answer) return () => unknown
  const { list, holidays } = answer
  const days = new Map<Day, DayContent>()
  const at = (day: Day) => {
    const known = days.get(day) ?? { known: true, events: [], holiday: undefined }
    days.set(day, known)
    return known
  }
  for (const holiday of holidays) at(holiday.day).holiday = holiday
  for (const event of list) {
    let day = event.firstDay
    // Limits events that span years; no view shows more than a grid.
    for (let count = 0; day <= event.lastDay && count < 400; count++) {
      at(day).events.push(event)
      day = addDays(day, 1)
    }
  }
  return (day: Day) => days.get(day) ?? nothing
}
