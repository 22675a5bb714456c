import './schedule.css'
import { type Article, news } from '@atrium/contract/content/news'
import { home } from '@atrium/contract/shell/home'
import { schedule } from '@atrium/contract/work/schedule'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { zoneName } from '#domains/work/time-zone/zones.ts'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
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
import { useScheduleSettings } from './schedule-queries.ts'

/** An event out of an article: an article names no time, so one says it. */
export default function NewsEventPage() {
  const { id } = useSearch('/pages/shedul/newsAddShedul')
  const article = useQuery(q(news.read, { params: { id } }))
  return (
    <Page>
      <div className="column">
        <QueryView query={article} skeleton={<Skeleton height={420} label={m.shell_loading()} />}>
          {(data) => <EventForm article={data} />}
        </QueryView>
      </div>
    </Page>
  )
}

function EventForm({ article }: { article: Article }) {
  const named = inLanguage(article.title, article.titleEn)
  // Sent along with every try: an answer that got lost makes no second event. No randomUUID: without https there is none.
  const [uid] = useState(() => crypto.getRandomValues(new Uint32Array(4)).join('-'))
  const [title, setTitle] = useState(named.slice(0, 200))
  const [day, setDay] = useState('')
  const [allDay, setAllDay] = useState(false)
  const [starts, setStarts] = useState('09:00')
  const [ends, setEnds] = useState('10:00')
  const [location, setLocation] = useState('')
  const { timeZone: institution } = useSystem()
  const timeZone = useScheduleSettings().data?.timeZone ?? institution
  const { mutate, isPending } = useAction(schedule.create, {
    refresh: [schedule.events, schedule.today, schedule.calendars, home.read],
    done({ id }) {
      toast(m.schedule_added())
      redirect('/pages/shedul/shedulDetail', { id })
    },
  })
  const minutes = allDay ? 24 * 60 : minutesOf(ends) - minutesOf(starts)
  const ready = title.trim() !== '' && day !== '' && minutes > 0
  const { id, columnId } = article
  const address = new URL(hrefOf('/pagesA/news/detail', { id, columnId }), window.location.origin)
  const save = () =>
    mutate({
      body: {
        uid,
        title: title.trim(),
        startsLocal: `${day}T${allDay ? '00:00' : starts}`,
        minutes,
        allDay,
        timeZone,
        location,
        description: m.schedule_from_news({ title: named, address: address.href }),
      },
    })
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
        <Button wide type="submit" disabled={!ready} busy={isPending}>
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
