import './event-row.css'
import type { Occurrence } from '@atrium/contract/work/schedule'
import { changeName, changeText } from '#domains/work/timetables/change-labels.ts'
import { formatTime } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { Facts } from '#ui/facts.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { Pill } from '#ui/pill.tsx'
import { type Day, daysBetween } from './days.ts'

type EventRowProps = {
  event: Occurrence
  day: Day
  zone: string
  now: Date
  /** The page that shows the event in full. */
  detail?: '/pages/shedul/shedulDetail' | '/pages/secondWork/schedule/shedulDetail'
}

/** An event on one of its days. */
export function EventRow({
  event,
  day,
  zone,
  now,
  detail = '/pages/shedul/shedulDetail',
}: EventRowProps) {
  const { title, titleEn, location, locationEn, person, kind, color } = event
  const place = inLanguage(location, locationEn)
  const isNamed = Boolean(place || person)
  const kindName = kind === 'course' ? m.schedule_course() : m.schedule_event()
  const running = isRunning(event, now)
  const over = Date.parse(event.endsAt) <= now.getTime()
  const line = changeText(event, zone)
  const className = `event-row event-${color} ${over ? 'event-over' : ''}`
  const inner = (
    <>
      <EventTime event={event} day={day} zone={zone} />
      <span className="event-text">
        <span className="event-row-head">
          <b>
            {event.struck ? (
              <s>
                <Bilingual zh={title} en={titleEn} />
              </s>
            ) : (
              <Bilingual zh={title} en={titleEn} />
            )}
          </b>
          {event.change ? (
            <Pill tone={event.struck ? 'orange' : 'amber'}>{changeName(event.change.kind)}</Pill>
          ) : running ? (
            <Pill tone="orange">{m.schedule_running()}</Pill>
          ) : null}
        </span>
        <span className="event-facts num">
          <Icon
            name={place ? 'place' : kind === 'course' ? 'book' : 'calendar'}
            label={isNamed ? kindName : ''}
          />
          <Facts
            of={[
              place,
              person,
              !isNamed && kindName,
              event.firstDay !== event.lastDay &&
                m.schedule_day_of({
                  day: daysBetween(event.firstDay, day) + 1,
                  days: daysBetween(event.firstDay, event.lastDay) + 1,
                }),
            ]}
          />
        </span>
        {line ? <span className="event-change num">{line}</span> : null}
      </span>
    </>
  )
  // A cancelled event has no link; a moved one links to its new time.
  if (event.struck && (!event.change?.at || event.id === '0'))
    return <div className={className}>{inner}</div>
  return (
    <Link
      to={detail}
      search={{
        id: event.id,
        startsAt: (event.struck && event.change?.at) || event.startsAt,
      }}
      className={className}
    >
      {inner}
    </Link>
  )
}

function EventTime({ event, day, zone }: Omit<EventRowProps, 'now' | 'detail'>) {
  const { allDay, startsAt, endsAt, firstDay, lastDay } = event
  const between = firstDay < day && day < lastDay
  if (allDay || between)
    return <span className="event-time event-time-all">{m.schedule_all_day()}</span>
  if (firstDay !== lastDay) {
    const text =
      day === firstDay
        ? m.schedule_from({ time: formatTime(startsAt, zone) })
        : m.schedule_to({ time: formatTime(endsAt, zone) })
    return <span className="event-time num">{text}</span>
  }
  return (
    <span className="event-time num">
      <time dateTime={startsAt}>{formatTime(startsAt, zone)}</time>
      <time dateTime={endsAt}>{formatTime(endsAt, zone)}</time>
    </span>
  )
}

const isRunning = ({ startsAt, endsAt }: Occurrence, now: Date) =>
  Date.parse(startsAt) <= now.getTime() && now.getTime() < Date.parse(endsAt)
