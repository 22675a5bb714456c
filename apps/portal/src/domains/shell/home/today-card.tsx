import type { Occurrence } from '@atrium/contract/work/schedule'
import { clock } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { Card } from '#ui/card.tsx'
import { Pill } from '#ui/pill.tsx'
import { PartFailed } from './part-failed.tsx'
import { countdown, nextOf, stillToCome } from './today.ts'

const most = 4

type TodayCardProps = {
  list: Occurrence[] | null
  zone: string
  now: number
  onRetry: () => void
}

/** What is on and what comes next, counted down to; then the rest of the day. */
export function TodayCard({ list, zone, now, onRetry }: TodayCardProps) {
  if (!list)
    return (
      <Card title={m.home_today()}>
        <PartFailed onRetry={onRetry} />
      </Card>
    )
  const coming = stillToCome(list, now)
  const next = nextOf(coming, now)
  const hidden = coming.length - most
  return (
    <Card title={m.home_today()} aside={summary(list)}>
      {coming.length > 0 ? (
        <ul>
          {coming.slice(0, most).map((event) => (
            <TodayRow
              key={`${event.id} ${event.startsAt}`}
              event={event}
              zone={zone}
              now={now}
              counted={event === next || (!event.allDay && Date.parse(event.startsAt) <= now)}
            />
          ))}
        </ul>
      ) : (
        <p className="today-none">{list.length > 0 ? m.home_today_over() : m.home_today_none()}</p>
      )}
      {hidden > 0 ? (
        <Link className="today-more" to="/pages/tab/schedule/schedule">
          {m.home_today_more({ count: hidden })}
        </Link>
      ) : null}
    </Card>
  )
}

type TodayRowProps = { event: Occurrence; zone: string; now: number; counted: boolean }

function TodayRow({ event, zone, now, counted }: TodayRowProps) {
  const place = [event.location, event.person].filter(Boolean).join(' · ')
  return (
    <li>
      <Link
        className="today-row"
        to="/pages/shedul/shedulDetail"
        search={{ id: event.id, startsAt: event.startsAt }}
      >
        {event.allDay ? (
          <span className="today-time">{m.home_all_day()}</span>
        ) : (
          <span className="today-time num">
            {clock(event.startsAt, zone)} <small>{clock(event.endsAt, zone)}</small>
          </span>
        )}
        <span className={`today-what today-${event.color}`}>
          <span className="today-text">
            <strong>
              <Bilingual zh={event.title} en={event.titleEn} />
            </strong>
            {place ? <span className="muted">{place}</span> : null}
          </span>
          {counted ? <CountdownPill event={event} now={now} /> : null}
        </span>
      </Link>
    </li>
  )
}

function CountdownPill({ event, now }: { event: Occurrence; now: number }) {
  const left = countdown(event, now)
  if (left.is === 'on') return <Pill tone="green">{m.home_on_now()}</Pill>
  return (
    <Pill>
      <span className="num">
        {left.is === 'minutes'
          ? m.home_in_minutes({ count: left.minutes })
          : left.minutes === 0
            ? m.home_in_hours({ count: left.hours })
            : m.home_in_hours_minutes({ hours: left.hours, minutes: left.minutes })}
      </span>
    </Pill>
  )
}

/** 3 classes · 1 event */
function summary(list: readonly Occurrence[]) {
  const courses = list.filter(({ kind }) => kind === 'course').length
  const events = list.length - courses
  return [
    courses > 0 && m.home_courses({ count: courses }),
    events > 0 && m.home_events({ count: events }),
  ]
    .filter(Boolean)
    .join(' · ')
}
