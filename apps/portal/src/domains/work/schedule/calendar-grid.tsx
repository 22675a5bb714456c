import './calendar-grid.css'
import type { Occurrence } from '@atrium/contract/work/schedule'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { getLanguage, inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { fullDayName, weekdayNames } from './day-labels.ts'
import { addDays, type Day, mondayOf, monthOf, moveMonths } from './days.ts'
import type { DayContent } from './events-by-day.ts'
import { lunarDay } from './lunar.ts'

type CalendarGridProps = {
  /** What the grid shows: the month or the week. */
  label: string
  /** Complete weeks. */
  days: readonly Day[]
  chosen: Day
  today: Day
  contentOf: (day: Day) => DayContent
  onChoose: (day: Day) => void
}

/** A grid of days in rows of weeks. One day is focusable; the arrow keys move the focus, also beyond the edges. */
export function CalendarGrid({
  label,
  days,
  chosen,
  today,
  contentOf,
  onChoose,
}: CalendarGridProps) {
  const grid = useRef<HTMLTableElement>(null)
  const follow = useRef(false)
  useEffect(() => {
    if (!follow.current) return
    follow.current = false
    grid.current?.querySelector<HTMLElement>(`[data-day="${chosen}"]`)?.focus()
  }, [chosen])
  const move = (event: KeyboardEvent) => {
    const next = keyTarget(event, chosen)
    if (!next) return
    event.preventDefault()
    follow.current = true
    onChoose(next)
  }
  const weeks = days.filter((_, at) => at % 7 === 0)
  const month = monthOf(chosen)
  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid of days is a table one moves in
    <table ref={grid} className="calendar-grid" role="grid" aria-label={label} onKeyDown={move}>
      <thead>
        <tr>
          {weekdayNames().map(({ day, short, long }) => (
            <th key={day} scope="col" abbr={long}>
              <span aria-hidden="true">{short}</span>
              <span className="unseen">{long}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((monday) => (
          <tr key={monday}>
            {Array.from({ length: 7 }, (_, at) => addDays(monday, at)).map((day) => (
              // biome-ignore lint/a11y/useAriaPropsSupportedByRole: in a grid, a td is a gridcell
              <td key={day} aria-selected={day === chosen}>
                <DayCell
                  day={day}
                  content={contentOf(day)}
                  chosen={day === chosen}
                  today={day === today}
                  outside={days.length > 7 && monthOf(day) !== month}
                  onChoose={onChoose}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type DayCellProps = {
  day: Day
  content: DayContent
  chosen: boolean
  today: boolean
  outside: boolean
  onChoose: (day: Day) => void
}

function DayCell({ day, content, chosen, today, outside, onChoose }: DayCellProps) {
  const { isLoaded, holiday } = content
  const events = content.events.filter(({ struck }) => !struck)
  const lunar = getLanguage() === 'zh' ? lunarDay(day) : undefined
  const holidayName = holiday ? inLanguage(holiday.name, holiday.nameEn) : ''
  const mark = holiday && (holiday.off ? m.schedule_mark_off() : m.schedule_mark_working())
  const kinds = kindsOf(events)
  const labelParts = [
    fullDayName(day),
    lunar && m.schedule_lunar({ day: [lunar.long, lunar.special].filter(Boolean).join(' ') }),
    holiday &&
      (holiday.off
        ? m.schedule_off({ name: holidayName })
        : m.schedule_working({ name: holidayName })),
    ...(isLoaded && kinds.length === 0 ? [m.schedule_count({ count: 0 })] : []),
    ...(isLoaded ? kinds.map(({ kind, count }) => kindText[kind]({ count })) : []),
  ]
  const looks = [
    'calendar-day',
    outside && 'calendar-day-outside',
    today && 'calendar-day-today',
    lunar?.special && 'calendar-day-special',
  ]
  return (
    <button
      type="button"
      data-day={day}
      className={looks.filter(Boolean).join(' ')}
      tabIndex={chosen ? 0 : -1}
      aria-current={today ? 'date' : undefined}
      onClick={() => onChoose(day)}
    >
      <span className="unseen">{labelParts.filter(Boolean).join(m.schedule_comma())}</span>
      <span className="calendar-day-face" aria-hidden="true">
        <span className="calendar-day-number num">{Number(day.slice(8))}</span>
        {lunar ? <span className="calendar-day-note">{lunar.short}</span> : null}
        {mark ? (
          <span className={holiday?.off ? 'calendar-day-off' : 'calendar-day-working'}>{mark}</span>
        ) : null}
        <span className="calendar-day-dots">
          {kinds.map(({ kind, color }) => (
            <i key={kind} className={`calendar-dot calendar-dot-${kind} event-${color}`} />
          ))}
        </span>
      </span>
    </button>
  )
}

type Kind = 'course' | 'event' | 'days'
const kindText = {
  course: m.schedule_count_courses,
  event: m.schedule_count_events,
  days: m.schedule_count_days,
}

/** The events by kind, each in the colour of its first one. */
function kindsOf(events: readonly Occurrence[]) {
  const kindOf = ({ kind, allDay }: Occurrence): Kind =>
    kind === 'course' ? 'course' : allDay ? 'days' : 'event'
  return (['course', 'event', 'days'] as const).flatMap((kind) => {
    const ofKind = events.filter((event) => kindOf(event) === kind)
    return ofKind[0] ? [{ kind, count: ofKind.length, color: ofKind[0].color }] : []
  })
}

/** The legend of the marks below the days. */
export const CalendarKey = () => (
  <ul className="calendar-key" aria-hidden="true">
    {(
      [
        ['course', m.schedule_course()],
        ['event', m.schedule_event()],
        ['days', m.schedule_all_day()],
      ] as const
    ).map(([kind, name]) => (
      <li key={kind}>
        <i className={`calendar-dot calendar-dot-${kind}`} />
        {name}
      </li>
    ))}
  </ul>
)

function keyTarget({ key, shiftKey }: KeyboardEvent, day: Day): Day | undefined {
  switch (key) {
    case 'ArrowLeft':
      return addDays(day, -1)
    case 'ArrowRight':
      return addDays(day, 1)
    case 'ArrowUp':
      return addDays(day, -7)
    case 'ArrowDown':
      return addDays(day, 7)
    case 'Home':
      return mondayOf(day)
    case 'End':
      return addDays(mondayOf(day), 6)
    case 'PageUp':
      return moveMonths(day, shiftKey ? -12 : -1)
    case 'PageDown':
      return moveMonths(day, shiftKey ? 12 : 1)
  }
}
