import { appointments } from '@atrium/contract/work/appointments'
import type { departmentEvents } from '@atrium/contract/work/department-calendars.operator'
import type { EventDetail } from '@atrium/contract/work/schedule'
import { useState } from 'react'
import { changedEvents } from '#domains/work/appointments/appointment-queries.ts'
import { type Scope, ScopeDialog } from '#domains/work/appointments/scope-dialog.tsx'
import { m } from '#paraglide/messages.js'
import { back } from '#shell/navigation/navigation.ts'
import { useAction } from '#shell/page/action.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'

/** Deletes an event after a confirmation; for a series, asks which occurrences. */
export function DeleteEvent({
  event,
  endpoint = appointments.remove,
}: {
  event: EventDetail
  /** A department's event has its own endpoint. */
  endpoint?: typeof appointments.remove | typeof departmentEvents.remove
}) {
  const { id, rrule, originalLocal, participants } = event
  const [isConfirming, setIsConfirming] = useState(false)
  const { mutate, isPending } = useAction(endpoint as typeof appointments.remove, {
    invalidates: changedEvents,
    done() {
      toast(m.schedule_deleted())
      back()
    },
  })
  const close = () => setIsConfirming(false)
  const remove = (scope: Scope) =>
    mutate({ params: { id }, query: { scope, ...(rrule && { originalLocal }) } })
  const text = participants.length > 0 ? m.appointments_delete_told() : m.schedule_delete_text()
  return (
    <>
      <Button kind="danger" wide onClick={() => setIsConfirming(true)}>
        {m.schedule_delete()}
      </Button>
      {rrule ? (
        <ScopeDialog
          open={isConfirming}
          title={m.schedule_delete_ask()}
          confirm={{ label: m.schedule_delete(), kind: 'danger' }}
          busy={isPending}
          onClose={close}
          onChoose={remove}
        >
          {text}
        </ScopeDialog>
      ) : (
        <Dialog
          open={isConfirming}
          onClose={close}
          title={m.schedule_delete_ask()}
          actions={
            <>
              <Button kind="plain" onClick={close}>
                {m.schedule_cancel()}
              </Button>
              <Button kind="danger" busy={isPending} onClick={() => remove('all')}>
                {m.schedule_delete()}
              </Button>
            </>
          }
        >
          {text}
        </Dialog>
      )}
    </>
  )
}
