import '#domains/work/schedule/schedule.css'
import '#domains/work/schedule/event-row.css'
import '#domains/work/appointments/appointments.css'
import '#domains/work/timetables/timetables.css'
import type { EventDetail } from '@atrium/contract/work/schedule'
import { dayIn } from '@atrium/rules/day-in'
import type { ReactNode } from 'react'
import { FileRow } from '#domains/content/files/file-row.tsx'
import { recurrenceText } from '#domains/work/recurrence/recurrence-text.ts'
import { useNow } from '#domains/work/schedule/use-now.ts'
import { DirectionsLink } from '#domains/work/timetables/directions-link.tsx'
import { inLanguage, userTextLang } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { LocationLink } from '#shell/location-field.tsx'
import { HrefLink } from '#shell/navigation/link.tsx'
import { pathOf } from '#shell/navigation/page-stack.ts'
import { findLoadedScreen } from '#shell/navigation/screens.ts'
import { Bilingual } from '#ui/bilingual.tsx'
import { Card } from '#ui/card.tsx'
import { Icon, type IconName } from '#ui/media/icon.tsx'
import { Pill } from '#ui/pill.tsx'
import { UserText } from '#ui/user-text.tsx'
import { EventTime } from './event-time.tsx'

type EventFactsProps = {
  event: EventDetail
  zone: string
  /** Actions for the event. */
  children?: ReactNode
}

/** Details of an event. */
export function EventFacts({ event, zone, children }: EventFactsProps) {
  const now = useNow()
  const {
    title,
    titleEn,
    kind,
    color,
    location,
    locationEn,
    point,
    person,
    description,
    rrule,
    url,
  } = event
  // Events stored on the device by an older version have no files.
  const { files = [] } = event
  const first = dayIn(new Date(event.startsAt), event.timeZone)
  const running = Date.parse(event.startsAt) <= now.getTime() && now < new Date(event.endsAt)
  const over = now >= new Date(event.endsAt)
  return (
    <Card>
      <div className={`event-head event-${color}`}>
        <h2 className="event-title">
          <Bilingual zh={title} en={titleEn} />
        </h2>
        <p className="event-marks">
          <Pill>{kind === 'course' ? m.schedule_course() : m.schedule_event()}</Pill>
          {running ? <Pill tone="orange">{m.schedule_running()}</Pill> : null}
          {over ? <Pill tone="amber">{m.schedule_over()}</Pill> : null}
          {event.changed ? <Pill tone="amber">{m.appointments_differs()}</Pill> : null}
          {event.category ? (
            <span className={`event-category event-${color}`}>{event.category}</span>
          ) : null}
          {event.busy ? null : <Pill tone="green">{m.appointments_is_free()}</Pill>}
        </p>
      </div>
      <ul className="event-details">
        <Detail icon="clock" label={m.schedule_when()}>
          <EventTime event={event} zone={zone} />
        </Detail>
        {rrule ? (
          <Detail icon="refresh" label={m.schedule_repeats()}>
            {recurrenceText(rrule, first, event.timeZone)}
          </Detail>
        ) : null}
        {location ? (
          <Detail icon="place" label={m.schedule_where()}>
            <UserText>{inLanguage(location, locationEn)}</UserText>
            {point ? (
              <LocationLink location={location} point={point}>
                {m.shell_location_marked()}
              </LocationLink>
            ) : (
              <DirectionsLink location={location} />
            )}
          </Detail>
        ) : null}
        {url ? (
          <Detail icon="link" label={m.appointments_link_short()}>
            <EventLink url={url} />
          </Detail>
        ) : null}
        {person ? (
          <Detail
            icon="person"
            label={kind === 'course' ? m.schedule_teacher() : m.schedule_organiser()}
          >
            {person}
          </Detail>
        ) : null}
        <Detail icon="calendar" label={m.schedule_calendar()}>
          {inLanguage(event.calendarName, event.calendarNameEn)}
        </Detail>
        {description ? (
          <Detail icon="text" label={m.schedule_notes()}>
            {description}
          </Detail>
        ) : null}
      </ul>
      {files.length > 0 ? (
        <ul aria-label={m.appointments_files()}>
          {files.map(({ id, name, mediaType, size, url }) => (
            <FileRow key={id} name={name} mediaType={mediaType} byteSize={size} url={url} />
          ))}
        </ul>
      ) : null}
      {children ? <div className="appointment-actions">{children}</div> : null}
    </Card>
  )
}

/** The address of an event. One of this portal, as of the task that an event was made from, opens in the app. */
function EventLink({ url }: { url: string }) {
  const href = url.startsWith(`${location.origin}/`) ? url.slice(location.origin.length) : ''
  if (href && findLoadedScreen(pathOf(href)))
    return (
      <HrefLink className="appointment-link" href={href}>
        {m.schedule_open_in_portal()}
      </HrefLink>
    )
  return (
    <a className="appointment-link" href={url} target="_blank" rel="noreferrer">
      {url}
    </a>
  )
}

function Detail({ icon, label, children }: { icon: IconName; label: string; children: ReactNode }) {
  return (
    <li>
      <Icon name={icon} />
      <dl>
        <dt>{label}</dt>
        <dd lang={typeof children === 'string' ? userTextLang(children) : undefined}>{children}</dd>
      </dl>
    </li>
  )
}
