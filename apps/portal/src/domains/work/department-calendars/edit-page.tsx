import '#domains/work/appointments/appointments.css'
import type { DepartmentEvent } from '@atrium/contract/work/department-calendars.operator'
import { useEffect } from 'react'
import {
  changesOf,
  editEvent,
  getDraft,
  useDraft,
} from '#domains/work/appointments/appointment-draft.ts'
import { AppointmentForm } from '#domains/work/appointments/appointment-form.tsx'
import { useClock } from '#domains/work/schedule/use-clock.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { useDepartmentCalendars, useDepartmentEvent } from './calendar-queries.ts'
import { formCalendars } from './form-calendars.ts'

const skeleton = () => <Skeleton height={520} label={m.shell_loading()} />

/** Changes an event in a department's calendar. */
export default function EditPage() {
  const { id, startsAt } = useSearch('/pages/secondWork/schedule/editSchedul')
  const event = useDepartmentEvent(id, startsAt)
  return (
    <Page>
      <div className="column stack">
        <QueryView query={event} skeleton={skeleton()}>
          {(found) => <EditForm event={found} onReload={() => event.refetch()} />}
        </QueryView>
      </div>
    </Page>
  )
}

type EditFormProps = {
  event: DepartmentEvent
  onReload: () => Promise<{ data?: DepartmentEvent }>
}

function EditForm({ event, onReload }: EditFormProps) {
  const calendars = useDepartmentCalendars(undefined)
  // A refetch during editing must not replace the member's changes.
  useEffect(() => {
    const { event: draftEvent, before, ...draft } = getDraft()
    const isOtherEvent =
      draftEvent?.id !== event.id || draftEvent.originalLocal !== event.originalLocal
    if (isOtherEvent || !before || Object.keys(changesOf(draft, before)).length === 0)
      editEvent(event, inLanguage, true)
  }, [event])
  const { zone } = useClock()
  const draft = useDraft()
  if (draft.event?.id !== event.id || zone === undefined) return skeleton()
  const reload = async () => {
    const { data } = await onReload()
    if (data) editEvent(data, inLanguage, true)
  }
  return (
    <QueryView query={calendars} skeleton={skeleton()}>
      {(list) => (
        <AppointmentForm
          zone={zone}
          department={{ calendars: formCalendars(list) }}
          onReload={() => void reload()}
        />
      )}
    </QueryView>
  )
}
