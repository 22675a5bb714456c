import '#domains/work/schedule/schedule.css'
import { news } from '@atrium/contract/content/news'
import { home } from '@atrium/contract/shell/home'
import { appointments } from '@atrium/contract/work/appointments'
import { calendars } from '@atrium/contract/work/calendars'
import { messages } from '@atrium/contract/work/messages'
import { schedule } from '@atrium/contract/work/schedule'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useScheduleSettings } from '#domains/work/schedule/schedule-queries.ts'
import { zoneName } from '#domains/work/time-zone/zones.ts'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { randomId } from '#lib/random-id.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { hrefOf, redirect } from '#shell/navigation/navigation.ts'
import { useAction } from '#shell/page/action.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { DateField } from '#ui/form/date-field.tsx'
import { Field } from '#ui/form/field.tsx'
import { Switch } from '#ui/form/switch.tsx'

/** An event out of an article or a message: they name no time, so one says it. */
export default function AddEventPage() {
  const { id, from } = useSearch('/msgCenter/pages/schedule/newsAddSchedule')
  return (
    <Page>
      <div className="column">
        {from === 'message' ? <FromMessage id={id} /> : <FromArticle id={id} />}
      </div>
    </Page>
  )
}

const skeleton = () => <Skeleton height={420} label={m.shell_loading()} />

function FromArticle({ id }: { id: string }) {
  const article = useQuery(q(news.read, { params: { id } }))
  return (
    <QueryView query={article} skeleton={skeleton()}>
      {({ title, titleEn, columnId }) => (
        <EventForm
          source={{
            title: inLanguage(title, titleEn),
            address: hrefOf('/pagesA/news/detail', { id, columnId }),
          }}
        />
      )}
    </QueryView>
  )
}

function FromMessage({ id }: { id: string }) {
  const message = useQuery(q(messages.read, { query: { id } }))
  return (
    <QueryView query={message} skeleton={skeleton()}>
      {({ title, titleEn }) => (
        <EventForm
          source={{
            title: inLanguage(title, titleEn),
            address: hrefOf('/pagesA/message/detail', { id }),
          }}
          messageId={id}
        />
      )}
    </QueryView>
  )
}

type EventFormProps = {
  /** what the event is about, and where it can be read */
  source: { title: string; address: string }
  messageId?: string
}

function EventForm({ source, messageId }: EventFormProps) {
  // Sent along with every try: an answer that got lost makes no second event.
  const [uid] = useState(randomId)
  const [title, setTitle] = useState(source.title.slice(0, 200))
  const [day, setDay] = useState('')
  const [allDay, setAllDay] = useState(false)
  const [starts, setStarts] = useState('09:00')
  const [ends, setEnds] = useState('10:00')
  const [location, setLocation] = useState('')
  const { timeZone: institution } = useSystem()
  const timeZone = useScheduleSettings().data?.timeZone ?? institution
  const options = {
    refresh: [schedule.events, schedule.today, calendars.list, home.read],
    done({ id }: { id: string }) {
      toast(m.schedule_added())
      redirect('/pages/shedul/shedulDetail', { id })
    },
  }
  const create = useAction(appointments.create, options)
  const createFromMessage = useAction(appointments.createFromMessage, options)
  const minutes = allDay ? 24 * 60 : minutesOf(ends) - minutesOf(starts)
  const ready = title.trim() !== '' && day !== '' && minutes > 0
  function save() {
    const address = new URL(source.address, window.location.origin).href
    const body = {
      uid,
      title: title.trim(),
      startsLocal: `${day}T${allDay ? '00:00' : starts}`,
      minutes,
      allDay,
      timeZone,
      location,
      description: m.schedule_from_news({ title: source.title, address }),
    }
    if (messageId === undefined) create.mutate({ body })
    else createFromMessage.mutate({ body: { ...body, messageId } })
  }
  return (
    <Card>
      <form
        className="event-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (ready) save()
        }}
      >
        <p className="muted">{m.schedule_add_text()}</p>
        <Field label={m.schedule_add_name()} value={title} onValue={setTitle} maxLength={200} />
        <DateField label={m.schedule_add_day()} value={day} onValue={setDay} required />
        <Switch label={m.schedule_add_all_day()} checked={allDay} onChange={setAllDay} />
        {allDay ? null : (
          <div className="event-form-times">
            <Field
              label={m.schedule_add_starts()}
              type="time"
              value={starts}
              onValue={setStarts}
              hint={m.schedule_add_zone({ zone: zoneName(timeZone, new Date()) })}
              required
            />
            <Field
              label={m.schedule_add_ends()}
              type="time"
              value={ends}
              onValue={setEnds}
              error={minutes > 0 ? '' : m.schedule_add_ends_early()}
              required
            />
          </div>
        )}
        <Field
          label={m.schedule_add_place()}
          value={location}
          onValue={setLocation}
          maxLength={200}
        />
        <Button
          wide
          type="submit"
          disabled={!ready}
          busy={create.isPending || createFromMessage.isPending}
        >
          {m.schedule_add_save()}
        </Button>
      </form>
    </Card>
  )
}

/** Minutes since midnight of 09:30; not a number of what is no time. */
function minutesOf(time: string) {
  const [hours = Number.NaN, minutes = Number.NaN] = time.split(':').map(Number)
  return hours * 60 + minutes
}
