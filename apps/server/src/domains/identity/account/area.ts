import { account } from '@atrium/contract/identity/account'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { accountHandlers } from './handlers.ts'
import { accountPersonalData } from './personal-data.ts'

export const accountArea: Area = {
  name: 'account',
  serve(app, host) {
    serve(app, host, account, accountHandlers)
  },
  personalData: accountPersonalData,
}
