import '#domains/work/schedule/schedule.css'
import { dayIn } from '@atrium/rules/day-in'
import '#domains/work/schedule/event-row.css'
import type { Reply } from '@atrium/contract/define'
import { home } from '@atrium/contract/shell/home'
import { appointments } from '@atrium/contract/work/appointments'
import { schedule } from '@atrium/contract/work/schedule'
import { type ReactNode, useState } from 'react'
import { fullDayName, spanName } from '#domains/work/schedule/day-words.ts'
import { daysBetween } from '#domains/work/schedule/days.ts'
import { useEvent, useScheduleSettings } from '#domains/work/schedule/schedule-queries.ts'
import { useNow } from '#domains/work/schedule/use-now.ts'
import { offsetOf, zoneName } from '#domains/work/time-zone/zones.ts'
import { clock } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { back } from '#shell/navigation/navigation.ts'
import { useAction } from '#shell/page/action.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { Card } from '#ui/card.tsx'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { Icon, type IconName } from '#ui/media/icon.tsx'
import { Pill } from '#ui/pill.tsx'
import { keepInCalendar } from './keep-in-calendar.ts'
import { recurrenceWords } from './recurrence-words.ts'

type EventDetail = Reply<typeof schedule.read>

/** One event: when, how often, where, with whom. */
export default function EventPage() {
  const { id, startsAt } = useSearch('/pages/shedul/shedulDetail')
  const event = useEvent(id, startsAt)
  const { timeZone } = useSystem()
  const zone = useScheduleSettings().data?.timeZone ?? timeZone
  return (
    <Page>
      <div className="column">
        <QueryView query={event} skeleton={<Skeleton height={360} label={m.shell_loading()} />}>
          {(data) => <EventFacts event={data} zone={zone} />}
        </QueryView>
      </div>
    </Page>
  )
}

function EventFacts({ event, zone }: { event: EventDetail; zone: string }) {
  const now = useNow()
  const { title, titleEn, kind, color, location, person, description, rrule } = event
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
        </p>
      </div>
      <ul className="event-details">
        <Detail icon="clock" label={m.schedule_when()}>
          <When event={event} zone={zone} />
        </Detail>
        {rrule ? (
          <Detail icon="refresh" label={m.schedule_repeats()}>
            {recurrenceWords(rrule, first)}
          </Detail>
        ) : null}
        {location ? (
          <Detail icon="place" label={m.schedule_where()}>
            {location}
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
      <Button kind="plain" wide onClick={() => void keepInCalendar(event)}>
        {m.schedule_keep()}
      </Button>
      {event.editable ? <DeleteEvent id={event.id} /> : null}
    </Card>
  )
}

function DeleteEvent({ id }: { id: string }) {
  const [asking, setAsking] = useState(false)
  const { mutate, isPending } = useAction(appointments.remove, {
    refresh: [schedule.events, schedule.today, home.read],
    done() {
      toast(m.schedule_deleted())
      back()
    },
  })
  const close = () => setAsking(false)
  return (
    <>
      <Button kind="plain" wide onClick={() => setAsking(true)}>
        {m.schedule_delete()}
      </Button>
      <Dialog
        open={asking}
        onClose={close}
        title={m.schedule_delete_ask()}
        actions={
          <>
            <Button kind="plain" onClick={close}>
              {m.schedule_cancel()}
            </Button>
            <Button
              kind="danger"
              busy={isPending}
              onClick={() => mutate({ params: { id }, query: { scope: 'all' } })}
            >
              {m.schedule_delete()}
            </Button>
          </>
        }
      >
        {m.schedule_delete_text()}
      </Dialog>
    </>
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

/** In the member's zone, and where the event's own clock says something else, in that one too. */
function When({ event, zone }: { event: EventDetail; zone: string }) {
  const starts = new Date(event.startsAt)
  const last = new Date(Math.max(Date.parse(event.endsAt) - 1, Date.parse(event.startsAt)))
  if (event.allDay) {
    const from = dayIn(event.timeZone, starts)
    const to = dayIn(event.timeZone, last)
    if (from === to) return `${fullDayName(from)} · ${m.schedule_all_day()}`
    return `${spanName(from, to)} · ${m.schedule_days({ count: daysBetween(from, to) + 1 })}`
  }
  const elsewhere = offsetOf(zone, starts) !== offsetOf(event.timeZone, starts)
  return (
    <>
      <span className="num">{timesIn(event, zone)}</span>
      {elsewhere ? (
        <span className="num muted">
          {'\n'}
          {m.schedule_there({
            times: timesIn(event, event.timeZone),
            zone: `${zoneName(event.timeZone, starts)} (${offsetOf(event.timeZone, starts)})`,
          })}
        </span>
      ) : null}
    </>
  )
}

function timesIn({ startsAt, endsAt }: EventDetail, zone: string) {
  const from = dayIn(zone, new Date(startsAt))
  const to = dayIn(zone, new Date(Math.max(Date.parse(endsAt) - 1, Date.parse(startsAt))))
  const begins = `${fullDayName(from)} ${clock(startsAt, zone)}`
  return m.schedule_span({
    from: begins,
    to: from === to ? clock(endsAt, zone) : `${fullDayName(to)} ${clock(endsAt, zone)}`,
  })
}
