import './calendars.css'
import '#domains/work/schedule/event-row.css'
import { type CalendarDetail, calendars } from '@atrium/contract/work/calendars'
import { useState } from 'react'
import { deleteDraft, useDraftState } from '#lib/drafts.ts'
import { inLanguage } from '#lib/language.ts'
import { randomId } from '#lib/random-id.ts'
import { m } from '#paraglide/messages.js'
import { back, redirect } from '#shell/navigation/navigation.ts'
import { useAction } from '#shell/page/action.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { DraftForm } from '#ui/form/draft-form.tsx'
import { changedCalendars, useCalendar, useUpdateCalendar } from './calendar-queries.ts'
import { type Color, NameAndColor } from './name-and-color.tsx'
import { Shares } from './shares.tsx'

/** Creates a calendar, or changes one of the member's own. */
export default function EditCalendarPage() {
  const { id } = useSearch('/pages/shedul/creatCalendar')
  return (
    <Page>
      <div className="column stack">{id ? <Change id={id} /> : <NewCalendar />}</div>
    </Page>
  )
}

function NewCalendar() {
  // Idempotency key, sent with every attempt: a lost answer does not create a second calendar.
  const [key] = useState(randomId)
  const [name, setName] = useState('')
  const [color, setColor] = useState<Color>('green')
  const { mutate, isPending } = useAction(calendars.create, {
    invalidates: changedCalendars,
    done({ calendar }) {
      deleteDraft('calendars.new')
      toast(m.calendars_made())
      redirect('/pages/shedul/calendarDetail', { id: calendar.id })
    },
  })
  return (
    <DraftForm
      draft={'calendars.new'}
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim()) mutate({ body: { key, name: name.trim(), color } })
      }}
    >
      <NameAndColor name={name} onName={setName} color={color} onColor={setColor} />
      <Button type="submit" wide disabled={!name.trim()} busy={isPending}>
        {m.calendars_make()}
      </Button>
    </DraftForm>
  )
}

function Change({ id }: { id: string }) {
  const detail = useCalendar(id)
  return (
    <QueryView query={detail} skeleton={<Skeleton height={380} label={m.shell_loading()} />}>
      {(found) => <EditForm key={id} detail={found} />}
    </QueryView>
  )
}

function EditForm({ detail: { calendar, shares: saved } }: { detail: CalendarDetail }) {
  const { id } = calendar
  const shownName = inLanguage(calendar.name, calendar.nameEn)
  const [name, setName] = useState(shownName)
  const [color, setColor] = useState<Color>(calendar.color)
  const draft = `calendars.change ${id}`
  const [shares, setShares] = useDraftState(`${draft}#shares`, saved)
  const { mutate, isPending } = useUpdateCalendar(() => {
    deleteDraft(draft)
    toast(m.calendars_saved())
    back()
  })
  return (
    <DraftForm
      draft={draft}
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (!name.trim()) return
        const shareList = shares.map(({ accountName, access }) => ({ accountName, access }))
        // A name sent is used in both languages: an unchanged one keeps its other language.
        const newName = name.trim() === shownName ? {} : { name: name.trim() }
        mutate({ params: { id }, body: { ...newName, color, shares: shareList } })
      }}
    >
      <NameAndColor name={name} onName={setName} color={color} onColor={setColor} />
      <Shares shares={shares} onShares={setShares} />
      <Button type="submit" wide disabled={!name.trim()} busy={isPending}>
        {m.calendars_save()}
      </Button>
    </DraftForm>
  )
}
