import './appointments.css'
import { appointments } from '@atrium/contract/work/appointments'
import type { EventDetail } from '@atrium/contract/work/schedule'
import { schedule } from '@atrium/contract/work/schedule'
import { useState } from 'react'
import { ReminderChoice } from '#domains/work/calendars/reminder-choice.tsx'
import { useEvent, useScheduleSettings } from '#domains/work/schedule/schedule-queries.ts'
import { m } from '#paraglide/messages.js'
import { back } from '#shell/navigation/navigation.ts'
import { useAction } from '#shell/page/action.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { changeDraft, useDraft } from './appointment-draft.ts'
import { NoDraft } from './no-draft.tsx'

const skeleton = () => <Skeleton rows={6} height={50} label={m.shell_loading()} />

/** The reminders of the event being edited, or the member's own reminders for an existing one. */
export default function RemindersPage() {
  const { id } = useSearch('/pages/shedul/notice')
  const { firstDay } = useDraft()
  return (
    <Page>
      {id ? (
        <div className="column stack">
          <EventReminders id={id} />
        </div>
      ) : firstDay ? (
        <div className="column stack">
          <DraftReminders />
        </div>
      ) : (
        <NoDraft />
      )}
    </Page>
  )
}

function DraftReminders() {
  const { allDay, reminders } = useDraft()
  const settings = useScheduleSettings()
  return (
    <QueryView query={settings} skeleton={skeleton()}>
      {(usual) => (
        <>
          <ReminderChoice
            allDay={allDay}
            chosen={reminders ?? (allDay ? usual.allDayReminders : usual.reminders)}
            onChoose={(next) => changeDraft({ reminders: next })}
          />
          <Button wide onClick={() => back()}>
            {m.appointments_done()}
          </Button>
        </>
      )}
    </QueryView>
  )
}

function EventReminders({ id }: { id: string }) {
  const event = useEvent(id, undefined)
  return (
    <QueryView query={event} skeleton={skeleton()}>
      {(found) => <SavedReminders key={found.id} event={found} />}
    </QueryView>
  )
}

function SavedReminders({ event }: { event: EventDetail }) {
  const [chosen, setChosen] = useState(event.reminders)
  const { mutate, isPending } = useAction(appointments.setReminders, {
    invalidates: [schedule.read],
    done() {
      toast(m.appointments_reminders_saved())
      back()
    },
  })
  return (
    <>
      <p className="muted">{m.appointments_reminders_own()}</p>
      <ReminderChoice allDay={event.allDay} chosen={chosen} onChoose={setChosen} />
      <Button
        wide
        busy={isPending}
        onClick={() => mutate({ params: { id: event.id }, body: { reminders: chosen } })}
      >
        {m.appointments_save()}
      </Button>
    </>
  )
}
