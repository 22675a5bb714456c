import { letterConsole, letters } from '@atrium/contract/content/mailbox'
import { builtInApps } from '#domains/work/messages/built-in-apps.ts'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { letterConsoleHandlers, letterHandlers } from './handlers.ts'
import { letterMessages } from './messages.ts'
import { mailboxPersonalData } from './personal-data.ts'

export const mailboxArea: Area = {
  name: 'mailbox',
  serve(app, host) {
    serve(app, host, letters, letterHandlers)
    serve(app, host, letterConsole, letterConsoleHandlers)
  },
  personalData: mailboxPersonalData,
  extend: () => builtInApps.provide(letterMessages.spec),
}
