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
import { beginDraft, changesOf, getDraft, takeEvent, useDraft } from './appointment-draft.ts'
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
      {(found) => <Changing event={found} onReload={() => event.refetch()} />}
    </QueryView>
  )
}

function Changing({
  event,
  onReload,
}: {
  event: EventDetail
  onReload: () => Promise<{ data?: EventDetail }>
}) {
  // A refetch during editing must not replace the member's changes.
  useEffect(() => {
    const { event: held, before, ...draft } = getDraft()
    const other = held?.id !== event.id || held.originalLocal !== event.originalLocal
    if (other || !before || Object.keys(changesOf(draft, before)).length === 0)
      takeEvent(event, inLanguage)
  }, [event])
  const { zone } = useClock()
  const draft = useDraft()
  if (draft.event?.id !== event.id || zone === undefined) return skeleton()
  const reload = async () => {
    const { data } = await onReload()
    if (data) takeEvent(data, inLanguage)
  }
  return <AppointmentForm zone={zone} onReload={() => void reload()} />
}

function New({ day }: { day: string | undefined }) {
  const { settings, zone } = useClock()
  return (
    <QueryView query={settings} skeleton={skeleton()}>
      {() => (zone ? <NewIn day={day} zone={zone} /> : null)}
    </QueryView>
  )
}

function NewIn({ day, zone }: { day: string | undefined; zone: string }) {
  const begun = `new ${day ?? ''}`
  useEffect(
    () => beginDraft(begun, { timeZone: zone, ...firstTimes(zone, day) }),
    [begun, zone, day],
  )
  return useDraft().begun === begun ? <AppointmentForm zone={zone} quick /> : skeleton()
}
