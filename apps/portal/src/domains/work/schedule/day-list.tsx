import type { Term } from '@atrium/contract/work/schedule'
import { teachingWeek } from '@atrium/rules/teaching-week'
import { getLanguage, inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Card } from '#ui/card.tsx'
import { dayName } from './day-labels.ts'
import type { Day } from './days.ts'
import { EventRow } from './event-row.tsx'
import type { DayContent } from './events-by-day.ts'
import { lunarDay } from './lunar.ts'

export type DayListProps = {
  day: Day
  today: Day
  content: DayContent
  term: Term | null
  zone: string
  now: Date
}

/** A day with all its events. */
export function DayList({ day, today, content, term, zone, now }: DayListProps) {
  const { events } = content
  const week = teachingWeek(day, term)
  return (
    <Card
      title={day === today ? m.schedule_today_named({ day: dayName(day) }) : dayName(day)}
      aside={week === undefined ? null : m.schedule_week({ week })}
    >
      <DayNote day={day} content={content} />
      {events.length === 0 ? (
        <p className="schedule-none">
          {day === today ? m.schedule_none_today() : m.schedule_none()}
        </p>
      ) : (
        <ul>
          {events.map((event) => (
            <li key={event.id + event.startsAt}>
              <EventRow event={event} day={day} zone={zone} now={now} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

/** The lunar day and the holiday, in readable size. */
function DayNote({ day, content: { holiday } }: { day: Day; content: DayContent }) {
  const lunar = getLanguage() === 'zh' ? lunarDay(day) : undefined
  const name = holiday ? inLanguage(holiday.name, holiday.nameEn) : ''
  const words = [
    lunar && m.schedule_lunar({ day: [lunar.long, lunar.special].filter(Boolean).join(' ') }),
    holiday && (holiday.off ? m.schedule_off({ name }) : m.schedule_working({ name })),
    holiday?.taughtAs && m.timetables_taught_as({ day: dayName(holiday.taughtAs) }),
  ].filter(Boolean)
  return words.length > 0 ? <p className="muted">{words.join(' · ')}</p> : null
}
