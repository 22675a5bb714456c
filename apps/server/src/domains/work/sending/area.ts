import { sending } from '@atrium/contract/work/sending'
import { sendingOperations } from '@atrium/contract/work/sending.operator'
import { sendingLedger } from '@atrium/contract/work/sending-ledger'
import { builtInApps } from '#domains/work/messages/built-in-apps.ts'
import { notificationListeners } from '#domains/work/notifications/worker.ts'
import type { Area } from '#platform/area.ts'
import { outboxListeners } from '#platform/delivery/outbox.ts'
import { serve } from '#platform/http/serve.ts'
import { sendingHandlers } from './handlers.ts'
import { recordNotifications, recordOutcomes } from './ledger.ts'
import { sendingLedgerHandlers } from './ledger-handlers.ts'
import { sendingMessages } from './messages.ts'
import { sendingOperatorHandlers } from './operator-handlers.ts'
import { sendingPersonalData } from './personal-data.ts'
import { startSendings } from './worker.ts'

export const sendingArea: Area = {
  name: 'sending',
  serve(app, host) {
    serve(app, host, sending, sendingHandlers)
    serve(app, host, sendingLedger, sendingLedgerHandlers)
    serve(app, host, sendingOperations, sendingOperatorHandlers)
  },
  workers: (platform) => [startSendings(platform)],
  personalData: sendingPersonalData,
  extend() {
    builtInApps.provide(sendingMessages.spec)
    notificationListeners.provide(recordNotifications)
    outboxListeners.provide(recordOutcomes)
  },
}
