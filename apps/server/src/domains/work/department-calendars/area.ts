import {
  departmentCalendars,
  departmentEvents,
} from '@atrium/contract/work/department-calendars.operator'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { departmentCalendarHandlers, departmentEventHandlers } from './handlers.ts'

export const departmentCalendarsArea: Area = {
  name: 'department-calendars',
  serve(app, host) {
    serve(app, host, departmentCalendars, departmentCalendarHandlers)
    serve(app, host, departmentEvents, departmentEventHandlers)
  },
}
