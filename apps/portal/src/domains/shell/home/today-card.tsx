import type { Place } from '@atrium/contract/shell/map'
import type { Occurrence, OccurrenceChange } from '@atrium/contract/work/schedule'
import type { ReactNode } from 'react'
import { changeName, changeText } from '#domains/work/timetables/change-labels.ts'
import { ChangesList } from '#domains/work/timetables/changes-list.tsx'
import { DirectionsLink } from '#domains/work/timetables/directions-link.tsx'
import { WalkLine } from '#domains/work/timetables/walk-line.tsx'
import { formatTime } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { Card } from '#ui/card.tsx'
import { Facts } from '#ui/facts.tsx'
import { Pill } from '#ui/pill.tsx'
import { Canteens } from './canteens.tsx'
import { homeFocusOf } from './home-focus.ts'
import { PartFailed } from './part-failed.tsx'
import { countdown, nextOf, upcoming } from './today.ts'

const maxShown = 4

type TodayCardProps = {
  list: Occurrence[] | null
  changes: readonly OccurrenceChange[]
  tomorrow: readonly Occurrence[] | null | undefined
  canteens: readonly Place[] | null | undefined
  places: readonly Place[] | undefined
  zone: string
  now: number
  onRetry: () => void
}

/** Current and next events with a countdown, then the rest of the day. */
export function TodayCard({
  list,
  changes,
  tomorrow,
  canteens,
  places,
  zone,
  now,
  onRetry,
}: TodayCardProps) {
  if (!list)
    return (
      <Card title={m.home_today()}>
        <PartFailed onRetry={onRetry} />
      </Card>
    )
  const moment = homeFocusOf(list, now, zone)
  if (moment === 'evening' && tomorrow)
    return (
      <TomorrowCard
        list={tomorrow}
        left={upcoming(list, now)}
        changes={changes}
        zone={zone}
        now={now}
      />
    )
  const upcomingEvents = upcoming(list, now)
  const next = nextOf(upcomingEvents, now)
  const hidden = upcomingEvents.length - maxShown
  return (
    <Card title={m.home_today()} aside={leftOf(list, upcomingEvents)}>
      {upcomingEvents.length > 0 ? (
        <ul className="today-row-list">
          {upcomingEvents.slice(0, maxShown).map((event) => (
            <TodayRow
              key={`${event.id} ${event.startsAt}`}
              event={event}
              zone={zone}
              now={now}
              counted={
                event === next ||
                (!event.struck && !event.allDay && Date.parse(event.startsAt) <= now)
              }
              walk={event === next ? <WalkLine next={event} list={list} places={places} /> : null}
              directions={
                moment === 'soon' && event === next && event.location ? (
                  <DirectionsLink location={event.location} places={places} />
                ) : null
              }
            />
          ))}
        </ul>
      ) : (
        <p className="today-none">{list.length > 0 ? m.home_today_over() : m.home_today_none()}</p>
      )}
      {moment === 'noon' && canteens && canteens.length > 0 ? (
        <Canteens places={canteens} zone={zone} now={now} />
      ) : null}
      <ChangesList changes={changes} zone={zone} now={now} />
      {hidden > 0 ? (
        <Link className="today-more" to="/pages/tab/schedule/schedule">
          {m.home_today_more({ count: hidden })}
        </Link>
      ) : null}
    </Card>
  )
}

type TomorrowCardProps = {
  list: readonly Occurrence[]
  left: readonly Occurrence[]
  changes: readonly OccurrenceChange[]
  zone: string
  now: number
}

/** In the evening: the rest of today, and tomorrow's events. */
function TomorrowCard({ list, left, changes, zone, now }: TomorrowCardProps) {
  const rest = left.filter(({ allDay }) => !allDay)
  const coming = upcoming(list, now)
  const hidden = coming.length - maxShown
  return (
    <Card title={m.home_tomorrow()} aside={summary(list)}>
      {rest.length > 0 ? (
        <p className="today-none">{m.home_today_left({ count: rest.length })}</p>
      ) : null}
      {coming.length > 0 ? (
        <ul className="today-row-list">
          {coming.slice(0, maxShown).map((event) => (
            <TodayRow
              key={`${event.id} ${event.startsAt}`}
              event={event}
              zone={zone}
              now={now}
              counted={false}
              walk={null}
            />
          ))}
        </ul>
      ) : (
        <p className="today-none">{m.home_tomorrow_none()}</p>
      )}
      <ChangesList changes={changes} zone={zone} now={now} />
      <Link className="today-more" to="/pages/tab/schedule/schedule">
        {hidden > 0 ? m.home_today_more({ count: hidden }) : m.home_schedule()}
      </Link>
    </Card>
  )
}

type TodayRowProps = {
  event: Occurrence
  zone: string
  now: number
  counted: boolean
  walk: ReactNode
  /** link to the place */
  directions?: ReactNode
}

function TodayRow({ event, zone, now, counted, walk, directions }: TodayRowProps) {
  const facts = [inLanguage(event.location, event.locationEn), event.person].filter(Boolean)
  const line = changeText(event, zone)
  const name = <Bilingual zh={event.title} en={event.titleEn} />
  // A cancelled event has no page of its own: link to the schedule.
  const to =
    event.struck && !event.change?.at
      ? ({ to: '/pages/tab/schedule/schedule' } as const)
      : ({
          to: '/pages/shedul/shedulDetail',
          search: {
            id: event.id,
            startsAt: (event.struck && event.change?.at) || event.startsAt,
          },
        } as const)
  return (
    <li>
      <Link className="today-row" {...to}>
        {event.allDay ? (
          <span className="today-time">{m.home_all_day()}</span>
        ) : (
          <span className="today-time num">
            {formatTime(event.startsAt, zone)} <small>{formatTime(event.endsAt, zone)}</small>
          </span>
        )}
        <span className={`today-what today-${event.color}`}>
          <span className="today-text">
            <strong>{event.struck ? <s>{name}</s> : name}</strong>
            {facts.length > 0 ? (
              <span className="muted">
                <Facts of={facts} />
              </span>
            ) : null}
            {line ? <span className="muted num">{line}</span> : null}
            {walk}
          </span>
          {event.change ? (
            <Pill tone={event.struck ? 'orange' : 'amber'}>{changeName(event.change.kind)}</Pill>
          ) : null}
          {counted ? <CountdownPill event={event} now={now} /> : null}
        </span>
      </Link>
      {directions}
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

/** 3 classes · 1 event; of a day that has begun, what is left of it. */
function leftOf(all: readonly Occurrence[], upcomingEvents: readonly Occurrence[]) {
  const left = summary(upcomingEvents)
  return left && upcomingEvents.length < all.length ? m.home_left({ what: left }) : left
}

function summary(all: readonly Occurrence[]) {
  const list = all.filter(({ struck }) => !struck)
  const courses = list.filter(({ kind }) => kind === 'course').length
  const events = list.length - courses
  return [
    courses > 0 && m.home_courses({ count: courses }),
    events > 0 && m.home_events({ count: events }),
  ]
    .filter(Boolean)
    .join(' · ')
}
