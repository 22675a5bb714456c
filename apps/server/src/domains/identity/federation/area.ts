import { federation } from '@atrium/contract/identity/federation'
import { externalLogins } from '#domains/identity/identity/extensions.ts'
import type { Area } from '#platform/area.ts'
import { outboxChannels } from '#platform/delivery/outbox.ts'
import { withCookies } from '#platform/http/scopes.ts'
import { serve } from '#platform/http/serve.ts'
import { isServiceTicket } from './cas-answer.ts'
import { completeLogin } from './complete-login.ts'
import { federationHandlers } from './handlers.ts'
import { federationPersonalData } from './personal-data.ts'
import { deleteOldLogins, listLoginProviders, listOffered } from './queries.ts'
import { centralLoginOf } from './rules.ts'
import { externalLogoutAddress } from './single-logout.ts'
import { redeemExternalTicket } from './tickets.ts'
import { openWecomMessages } from './wecom-message.ts'

export const federationArea: Area = {
  name: 'federation',
  async serve(app, host) {
    await withCookies(app, async (scope) => {
      serve(scope, host, federation, federationHandlers)
    })
  },
  jobs: ({ db }) => [
    {
      name: 'federation-clear',
      cron: '55 * * * *',
      run: async () => void (await deleteOldLogins(db)),
    },
  ],
  personalData: federationPersonalData,
  extend() {
    outboxChannels.provide({ kind: 'wecom', open: openWecomMessages })
    externalLogins.provide({
      list: listLoginProviders,
      centralLogin: async (db, settings) => centralLoginOf(settings, await listOffered(db)),
      isTicket: isServiceTicket,
      redeem: redeemExternalTicket,
      completed: completeLogin,
      logoutAddress: externalLogoutAddress,
    })
  },
}
