import '#domains/content/workbench/workbench-page.css'
import { dayName } from '#domains/work/schedule/day-labels.ts'
import type { Day } from '#domains/work/schedule/days.ts'
import { EventRow } from '#domains/work/schedule/event-row.tsx'
import type { DayContent } from '#domains/work/schedule/events-by-day.ts'
import { m } from '#paraglide/messages.js'
import { Card } from '#ui/card.tsx'

type DayCardProps = { day: Day; today: Day; content: DayContent; zone: string; now: Date }

/** A day and the department's events on it. */
export const DayCard = ({ day, today, content: { events }, zone, now }: DayCardProps) => (
  <Card title={day === today ? m.schedule_today_named({ day: dayName(day) }) : dayName(day)}>
    {events.length === 0 ? (
      <p className="schedule-none">{m.department_calendars_none()}</p>
    ) : (
      <ul>
        {events.map((event) => (
          <li key={event.id + event.startsAt}>
            <EventRow
              event={event}
              day={day}
              zone={zone}
              now={now}
              detail="/pages/secondWork/schedule/shedulDetail"
            />
          </li>
        ))}
      </ul>
    )}
  </Card>
)
