import { appointments, checkIn } from '@atrium/contract/work/appointments'
import { builtInApps } from '#domains/work/messages/built-in-apps.ts'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { checkInHandlers } from './check-in.ts'
import { appointmentHandlers } from './handlers.ts'
import { appointmentMessages } from './messages.ts'
import { appointmentsPersonalData } from './personal-data.ts'
import { startEventReminders } from './reminders.ts'

export const appointmentsArea: Area = {
  name: 'appointments',
  serve(app, host) {
    serve(app, host, appointments, appointmentHandlers)
    serve(app, host, checkIn, checkInHandlers)
  },
  workers: (platform) => [startEventReminders(platform)],
  personalData: appointmentsPersonalData,
  extend() {
    builtInApps.provide(appointmentMessages.spec)
  },
}
