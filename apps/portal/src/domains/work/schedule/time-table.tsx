import './time-table.css'
import type { Occurrence } from '@atrium/contract/work/schedule'
import { clock } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { dayName } from './day-words.ts'
import type { Day } from './days.ts'
import type { DayContent } from './events-by-day.ts'
import { type Block, blocksOf, hoursOf } from './time-blocks.ts'

type TimeTableProps = {
  days: readonly Day[]
  today: Day
  contentOf: (day: Day) => DayContent
  zone: string
  now: Date
}

/** Days side by side with their hours downwards. What lasts all day stands above. */
export function TimeTable({ days, today, contentOf, zone, now }: TimeTableProps) {
  const columns = days.map((day) => ({
    day,
    whole: contentOf(day).events.filter((event) => event.allDay),
    blocks: blocksOf(contentOf(day).events, day, (moment) => minutesOf(moment, zone)),
  }))
  const { from, to } = hoursOf(columns.flatMap((column) => column.blocks))
  const hours = Array.from({ length: to - from }, (_, at) => from + at)
  const nowAt = (minutesOf(now.toISOString(), zone) / 60 - from) / (to - from)
  return (
    <div className={days.length === 1 ? 'time-table time-table-day' : 'time-table'}>
      {columns.some((column) => column.whole.length > 0) ? (
        <div className="time-table-whole">
          <span className="time-table-axis-word">{m.schedule_all_day()}</span>
          {columns.map(({ day, whole }) => (
            <ul key={day} aria-label={dayName(day)}>
              {whole.map((event) => (
                <li key={event.id}>
                  <EventLink event={event} className="time-table-event" words={[]} />
                </li>
              ))}
            </ul>
          ))}
        </div>
      ) : null}
      <div className="time-table-hours" style={{ height: `calc(var(--hour) * ${to - from})` }}>
        <div className="time-table-axis num" aria-hidden="true">
          {hours.map((hour) => (
            <span key={hour}>{`${hour}:00`}</span>
          ))}
        </div>
        {columns.map(({ day, blocks }) => (
          <ul
            key={day}
            className={day === today ? 'time-table-column time-table-today' : 'time-table-column'}
            aria-label={dayName(day)}
          >
            {blocks.map((block) => (
              <li
                key={block.event.id + block.event.startsAt}
                className="time-table-place"
                style={placeOf(block, from, to)}
              >
                <EventLink
                  event={block.event}
                  className="time-table-event"
                  words={[
                    `${clock(block.event.startsAt, zone)}–${clock(block.event.endsAt, zone)}`,
                    block.event.location,
                    days.length === 1 ? block.event.person : '',
                  ]}
                />
              </li>
            ))}
            {day === today && nowAt >= 0 && nowAt <= 1 ? (
              <li className="time-table-now" style={{ top: `${nowAt * 100}%` }}>
                <span className="unseen">{m.schedule_now({ time: clock(now, zone) })}</span>
              </li>
            ) : null}
          </ul>
        ))}
      </div>
    </div>
  )
}

function EventLink({
  event,
  className,
  words,
}: {
  event: Occurrence
  className: string
  words: string[]
}) {
  const { id, startsAt, title, titleEn, color, kind } = event
  const said = [
    inLanguage(title, titleEn),
    kind === 'course' ? m.schedule_course() : m.schedule_event(),
    ...words,
  ]
  return (
    <Link
      to="/pages/shedul/shedulDetail"
      search={{ id, startsAt }}
      className={`${className} event-${color} ${kind === 'course' ? 'time-table-course' : ''}`}
      aria-label={said.filter(Boolean).join(m.schedule_comma())}
    >
      <b>
        <Bilingual zh={title} en={titleEn} />
      </b>
      {words.filter(Boolean).map((word) => (
        <span key={word} className="num">
          {word}
        </span>
      ))}
    </Link>
  )
}

function minutesOf(moment: string, zone: string) {
  const [hours = 0, minutes = 0] = clock(moment, zone).split(':').map(Number)
  return hours * 60 + minutes
}

function placeOf({ start, end, lane, lanes }: Block, from: number, to: number) {
  const whole = (to - from) * 60
  return {
    top: `${((start - from * 60) / whole) * 100}%`,
    height: `${((end - start) / whole) * 100}%`,
    left: `${(lane / lanes) * 100}%`,
    width: `${100 / lanes}%`,
  }
}
