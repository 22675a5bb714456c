import { calendars } from '@atrium/contract/work/calendars'
import { builtInApps } from '#domains/work/messages/built-in-apps.ts'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { calendarHandlers } from './handlers.ts'
import { calendarMessages } from './messages.ts'

export const calendarsArea: Area = {
  name: 'calendars',
  serve(app, host) {
    serve(app, host, calendars, calendarHandlers)
  },
  extend() {
    builtInApps.provide(calendarMessages.spec)
  },
}
