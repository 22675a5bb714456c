import type { Reply } from '@atrium/contract/define'
import type { Occurrence, schedule } from '@atrium/contract/work/schedule'
import { addDays, type Day } from './days.ts'

export type MonthAnswer = Reply<typeof schedule.events>
type Holiday = MonthAnswer['holidays'][number]

/** The content of a day. `isLoaded` is false until the server has answered. */
export type DayContent = { isLoaded: boolean; events: Occurrence[]; holiday: Holiday | undefined }
const notLoaded: DayContent = { isLoaded: false, events: [], holiday: undefined }
const emptyDay: DayContent = { isLoaded: true, events: [], holiday: undefined }

/** The events by the days they touch; all-day ones come first, as sorted by the server. */
export function eventsByDay(answer: Pick<MonthAnswer, 'list' | 'holidays'> | undefined) {
  if (!answer) return () => notLoaded
  const { list, holidays } = answer
  const days = new Map<Day, DayContent>()
  const contentOf = (day: Day) => {
    const content = days.get(day) ?? { isLoaded: true, events: [], holiday: undefined }
    days.set(day, content)
    return content
  }
  for (const holiday of holidays) contentOf(holiday.day).holiday = holiday
  for (const event of list) {
    let day = event.firstDay
    // Limits events that span years; no view shows more than a grid.
    for (let count = 0; day <= event.lastDay && count < 400; count++) {
      contentOf(day).events.push(event)
      day = addDays(day, 1)
    }
  }
  return (day: Day) => days.get(day) ?? emptyDay
}
