import { workbench } from '@atrium/contract/content/workbench.operator'
import { calendars } from '@atrium/contract/work/calendars'
import {
  departmentCalendars,
  departmentEvents,
} from '@atrium/contract/work/department-calendars.operator'
import { schedule } from '@atrium/contract/work/schedule'
import { useQuery } from '@tanstack/react-query'
import { inDepartment } from '#domains/content/workbench/workbench-queries.ts'
import { gridOf, type Month } from '#domains/work/schedule/days.ts'
import { q } from '#lib/queries.ts'

export const useDepartmentCalendars = (department: string | undefined) =>
  useQuery(q(departmentCalendars.list, { query: inDepartment(department) }))

/** Endpoints to invalidate after a change of a calendar. */
export const changedCalendars = [
  departmentCalendars.list,
  departmentEvents.list,
  departmentEvents.read,
  calendars.list,
  schedule.events,
  schedule.today,
  workbench.read,
] as const

type Where = { department: string | undefined; calendarId: string | undefined }

/** One request for all views of a month: covers complete weeks. */
export function useMonthOf(month: Month, { department, calendarId }: Where) {
  const days = gridOf(month)
  return useQuery({
    ...q(departmentEvents.list, {
      query: {
        from: days[0] ?? '',
        to: days[41] ?? '',
        ...inDepartment(department),
        ...(calendarId && { calendarId }),
      },
    }),
    staleTime: 60_000,
  })
}

export const useDepartmentEvent = (id: string, startsAt: string | undefined) =>
  useQuery(q(departmentEvents.read, { params: { id }, query: { ...(startsAt && { startsAt }) } }))
