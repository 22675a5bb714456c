import { home } from '@atrium/contract/shell/home'
import { appointments } from '@atrium/contract/work/appointments'
import { type EventDetail, type Occurrence, schedule } from '@atrium/contract/work/schedule'
import { call } from '#lib/api.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { toast } from '#ui/feedback/toast.tsx'
import { dayName } from './day-labels.ts'

/** Moves an occurrence by minutes in its own zone, of a series only this one, and offers undo. */
export function useMoveEvent(failed: () => void) {
  const { mutate } = useAction(appointments.update, {
    invalidates: [schedule.events, schedule.today, schedule.read, appointments.freeBusy, home.read],
    failed() {
      failed()
      return false
    },
  })
  const saveEvent = (
    event: EventDetail,
    version: number,
    startsLocal: string,
    done: (at: EventDetail) => void,
  ) =>
    mutate(
      {
        params: { id: event.id },
        body: {
          version,
          startsLocal,
          ...(event.rrule
            ? { scope: 'this', originalLocal: event.originalLocal }
            : { scope: 'all' }),
        },
      },
      { onSuccess: done },
    )
  return async ({ id, startsAt }: Occurrence, minutes: number) => {
    try {
      const event = await call(schedule.read, { params: { id }, query: { startsAt } })
      saveEvent(event, event.version, localAfter(event.startsLocal, minutes), (moved) => {
        const time = `${dayName(moved.startsLocal.slice(0, 10))} ${moved.startsLocal.slice(11)}`
        toast(m.schedule_moved({ time }), {
          label: m.schedule_undo(),
          run: () => saveEvent(event, moved.version, event.startsLocal, () => {}),
        })
      })
    } catch (error) {
      failed()
      toast(error instanceof Error ? error.message : String(error))
    }
  }
}

const localAfter = (local: string, minutes: number) =>
  new Date(Date.parse(`${local}Z`) + minutes * 60_000).toISOString().slice(0, 16)
