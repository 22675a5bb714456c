import { appointments } from '@atrium/contract/work/appointments'
import { ownApps } from '#domains/work/messages/own-apps.ts'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { appointmentHandlers } from './handlers.ts'
import { appointmentMessages } from './messages.ts'
import { startEventReminders } from './reminders.ts'

export const appointmentsArea: Area = {
  name: 'appointments',
  serve(app, host) {
    serve(app, host, appointments, appointmentHandlers)
  },
  workers: (platform) => [startEventReminders(platform)],
  extend() {
    ownApps.provide(appointmentMessages.spec)
  },
}
