import { timetables } from '@atrium/contract/work/timetables.operator'
import { builtInApps } from '#domains/work/messages/built-in-apps.ts'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { timetableHandlers } from './handlers.ts'
import { timetableMessages } from './messages.ts'

export const timetablesArea: Area = {
  name: 'timetables',
  serve(app, host) {
    serve(app, host, timetables, timetableHandlers)
  },
  extend() {
    builtInApps.provide(timetableMessages.spec)
  },
}
