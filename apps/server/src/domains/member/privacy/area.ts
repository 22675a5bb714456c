import { closings, privacy } from '@atrium/contract/member/privacy'
import { builtInApps } from '#domains/work/messages/built-in-apps.ts'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { closeAccounts } from './close-accounts.ts'
import { closingHandlers } from './console-handlers.ts'
import { buildExports, clearExports } from './export.ts'
import { privacyHandlers } from './handlers.ts'
import { accountMessages } from './messages.ts'
import { privacyPersonalData } from './personal-data.ts'

export const privacyArea: Area = {
  name: 'privacy',
  serve(app, host) {
    serve(app, host, privacy, privacyHandlers)
    serve(app, host, closings, closingHandlers)
  },
  jobs: (platform) => [
    { name: 'privacy-export', cron: '* * * * *', run: () => buildExports(platform) },
    { name: 'privacy-export-clear', cron: '25 * * * *', run: () => clearExports(platform) },
    { name: 'privacy-close', cron: '35 * * * *', run: () => closeAccounts(platform) },
  ],
  personalData: privacyPersonalData,
  extend: () => builtInApps.provide(accountMessages.spec),
}
