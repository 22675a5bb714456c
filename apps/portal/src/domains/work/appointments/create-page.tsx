import './appointments.css'
import type { EventDetail } from '@atrium/contract/work/schedule'
import { useEffect } from 'react'
import { useEvent } from '#domains/work/schedule/schedule-queries.ts'
import { useClock } from '#domains/work/schedule/use-clock.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { changesOf, editEvent, getDraft, startDraft, useDraft } from './appointment-draft.ts'
import { AppointmentForm } from './appointment-form.tsx'
import { firstTimes } from './first-times.ts'

const skeleton = () => <Skeleton height={520} label={m.shell_loading()} />

/** Creates or changes an event. */
export default function CreatePage() {
  const { id, startsAt, day } = useSearch('/pages/shedul/creatShedul')
  return (
    <Page title={id ? m.appointments_edit_title() : undefined}>
      <div className="column stack">
        {id ? <Change id={id} startsAt={startsAt} /> : <New day={day} />}
      </div>
    </Page>
  )
}

function Change({ id, startsAt }: { id: string; startsAt: string | undefined }) {
  const event = useEvent(id, startsAt)
  return (
    <QueryView query={event} skeleton={skeleton()}>
      {(found) => <EditForm event={found} onReload={() => event.refetch()} />}
    </QueryView>
  )
}

function EditForm({
  event,
  onReload,
}: {
  event: EventDetail
  onReload: () => Promise<{ data?: EventDetail }>
}) {
  // A refetch during editing must not replace the member's changes.
  useEffect(() => {
    const { event: draftEvent, before, ...draft } = getDraft()
    const isOtherEvent =
      draftEvent?.id !== event.id || draftEvent.originalLocal !== event.originalLocal
    if (isOtherEvent || !before || Object.keys(changesOf(draft, before)).length === 0)
      editEvent(event, inLanguage)
  }, [event])
  const { zone } = useClock()
  const draft = useDraft()
  if (draft.event?.id !== event.id || zone === undefined) return skeleton()
  const reload = async () => {
    const { data } = await onReload()
    if (data) editEvent(data, inLanguage)
  }
  return <AppointmentForm zone={zone} onReload={() => void reload()} />
}

function New({ day }: { day: string | undefined }) {
  const { settings, zone } = useClock()
  return (
    <QueryView query={settings} skeleton={skeleton()}>
      {() => (zone ? <NewForm day={day} zone={zone} /> : null)}
    </QueryView>
  )
}

function NewForm({ day, zone }: { day: string | undefined; zone: string }) {
  const source = `new ${day ?? ''}`
  useEffect(
    () => startDraft(source, { timeZone: zone, ...firstTimes(zone, day) }),
    [source, zone, day],
  )
  return useDraft().begun === source ? <AppointmentForm zone={zone} quick /> : skeleton()
}
