import { workbench } from '@atrium/contract/content/workbench.operator'
import type { Body } from '@atrium/contract/define'
import { home } from '@atrium/contract/shell/home'
import { appointments } from '@atrium/contract/work/appointments'
import { calendars } from '@atrium/contract/work/calendars'
import {
  departmentCalendars,
  departmentEvents,
} from '@atrium/contract/work/department-calendars.operator'
import { schedule } from '@atrium/contract/work/schedule'
import { useQuery } from '@tanstack/react-query'
import type { ApiError } from '#lib/api.ts'
import { q } from '#lib/queries.ts'
import { getSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { back, redirect } from '#shell/navigation/navigation.ts'
import { useAction } from '#shell/page/action.ts'
import { toast } from '#ui/feedback/toast.tsx'
import { clearDraft } from './appointment-draft.ts'

/** Endpoints to invalidate after any change of an event. */
export const changedEvents = [
  schedule.events,
  schedule.today,
  schedule.read,
  departmentEvents.list,
  departmentEvents.read,
  departmentCalendars.list,
  workbench.read,
  calendars.read,
  appointments.freeBusy,
  home.read,
]

export const useOwnCalendars = (enabled = true) => useQuery({ ...q(calendars.own), enabled })

type BusyQuery = {
  people: readonly string[]
  day: string
  minutes: number
  zone: string
  without: string
}

/** Busy times of people on a day, the member first. */
export function useFreeBusy({ people, day, minutes, zone, without }: BusyQuery) {
  const names = [getSession()?.username ?? '', ...people].filter(Boolean).slice(0, 20)
  return useQuery({
    ...q(appointments.freeBusy, {
      query: {
        people: names.join(','),
        from: day,
        to: day,
        minutes: Math.min(Math.max(minutes, 5), 1440),
        timeZone: zone,
        ...(without && { without }),
      },
    }),
    enabled: day !== '',
  })
}

/** The events within a range of days, to find conflicts. */
export const useEventsBetween = (from: string, to: string, timeZone: string) =>
  useQuery({
    ...q(schedule.events, { query: { from, to, timeZone } }),
    enabled: from <= to && from !== '',
  })

type SaveOptions = {
  /** the message the event was created from */
  messageId: string | undefined
  isDepartment: boolean
  failed: (error: ApiError) => boolean
}

/** Saves an event for the member or a department, then shows it. */
export function useSave({ messageId, isDepartment, failed }: SaveOptions) {
  const detail = isDepartment
    ? '/pages/secondWork/schedule/shedulDetail'
    : '/pages/shedul/shedulDetail'
  const making = {
    invalidates: changedEvents,
    failed,
    done({ id }: { id: string }) {
      toast(isDepartment ? m.department_calendars_published() : m.schedule_added())
      clearDraft()
      redirect(detail, { id })
    },
  }
  const changing = {
    invalidates: changedEvents,
    failed,
    done(changed: { id: string }, { params }: { params: { id: string } }) {
      toast(m.appointments_saved())
      clearDraft()
      // The following occurrences have become a separate series.
      if (changed.id === params.id) back()
      else redirect(detail, { id: changed.id })
    },
  }
  const create = useAction(appointments.create, making)
  const createFromMessage = useAction(appointments.createFromMessage, making)
  const publish = useAction(departmentEvents.create, making)
  const update = useAction(appointments.update, changing)
  const republish = useAction(departmentEvents.update, changing)
  return {
    isCreating: create.isPending || createFromMessage.isPending || publish.isPending,
    isUpdating: update.isPending || republish.isPending,
    create(body: Body<typeof appointments.create>) {
      if (isDepartment) publish.mutate({ body: { ...body, calendarId: body.calendarId ?? '' } })
      else if (messageId === undefined) create.mutate({ body })
      else createFromMessage.mutate({ body: { ...body, messageId } })
    },
    update(id: string, body: Body<typeof appointments.update>) {
      if (isDepartment) republish.mutate({ params: { id }, body })
      else update.mutate({ params: { id }, body })
    },
  }
}
