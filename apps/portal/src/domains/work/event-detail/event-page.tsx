import '#domains/work/schedule/schedule.css'
import '#domains/work/schedule/event-row.css'
import '#domains/work/appointments/appointments.css'
import type { EventDetail } from '@atrium/contract/work/schedule'
import { dayIn } from '@atrium/rules/day-in'
import type { ReactNode } from 'react'
import { remindersWords } from '#domains/work/calendars/reminder-words.ts'
import { recurrenceWords } from '#domains/work/recurrence/recurrence-words.ts'
import { useEvent } from '#domains/work/schedule/schedule-queries.ts'
import { useClock } from '#domains/work/schedule/use-clock.ts'
import { useNow } from '#domains/work/schedule/use-now.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { LinkRow } from '#shell/navigation/link-row.tsx'
import { navigate } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { RowList } from '#ui/list-row.tsx'
import { Icon, type IconName } from '#ui/media/icon.tsx'
import { Pill } from '#ui/pill.tsx'
import { AnswerCard } from './answer-card.tsx'
import { DeleteEvent } from './delete-event.tsx'
import { EventTime } from './event-time.tsx'
import { keepInCalendar } from './keep-in-calendar.ts'
import { ParticipantsCard } from './participants-card.tsx'

/** One event: when, how often, where, with whom. */
export default function EventPage() {
  const { id, startsAt } = useSearch('/pages/shedul/shedulDetail')
  const event = useEvent(id, startsAt)
  const { timeZone } = useSystem()
  const { zone = timeZone } = useClock()
  return (
    <Page onRefresh={() => event.refetch()}>
      <div className="column stack">
        <QueryView query={event} skeleton={<Skeleton height={360} label={m.shell_loading()} />}>
          {(data) => (
            <>
              {data.answer === null || data.own ? null : <AnswerCard key={data.id} event={data} />}
              <EventFacts event={data} zone={zone} />
              {data.participants.length > 0 ? <ParticipantsCard event={data} /> : null}
              <RowList>
                <LinkRow
                  to="/pages/shedul/notice"
                  search={{ id: data.id }}
                  icon="bell"
                  value={remindersWords(data.reminders, data.allDay)}
                >
                  {m.appointments_reminders()}
                </LinkRow>
                <LinkRow
                  to="/msgCenter/pages/task/addtodo"
                  search={{ event: data.id, startsAt: data.startsAt }}
                  icon="check"
                >
                  {m.schedule_to_todos()}
                </LinkRow>
              </RowList>
              {data.editable ? <DeleteEvent event={data} /> : null}
            </>
          )}
        </QueryView>
      </div>
    </Page>
  )
}

function EventFacts({ event, zone }: { event: EventDetail; zone: string }) {
  const now = useNow()
  const { id, title, titleEn, kind, color, location, person, description, rrule, url } = event
  const first = dayIn(event.timeZone, new Date(event.startsAt))
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
          {event.busy ? null : <Pill tone="green">{m.appointments_is_free()}</Pill>}
        </p>
      </div>
      <ul className="event-details">
        <Detail icon="clock" label={m.schedule_when()}>
          <EventTime event={event} zone={zone} />
        </Detail>
        {rrule ? (
          <Detail icon="refresh" label={m.schedule_repeats()}>
            {recurrenceWords(rrule, first, event.timeZone)}
          </Detail>
        ) : null}
        {location ? (
          <Detail icon="place" label={m.schedule_where()}>
            {location}
          </Detail>
        ) : null}
        {url ? (
          <Detail icon="link" label={m.appointments_link_short()}>
            <a className="appointment-link" href={url} target="_blank" rel="noreferrer">
              {url}
            </a>
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
      <div className="appointment-actions">
        {event.editable ? (
          <Button
            wide
            onClick={() => navigate('/pages/shedul/creatShedul', { id, startsAt: event.startsAt })}
          >
            {m.appointments_edit()}
          </Button>
        ) : null}
        <Button kind="plain" wide onClick={() => void keepInCalendar(event)}>
          {m.schedule_keep()}
        </Button>
      </div>
    </Card>
  )
}

function Detail({ icon, label, children }: { icon: IconName; label: string; children: ReactNode }) {
  return (
    <li>
      <Icon name={icon} />
      <dl>
        <dt>{label}</dt>
        <dd>{children}</dd>
      </dl>
    </li>
  )
}
