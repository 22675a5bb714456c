import { correctionRequests, corrections } from '@atrium/contract/member/corrections'
import { builtInApps } from '#domains/work/messages/built-in-apps.ts'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { correctionHandlers, correctionRequestHandlers } from './handlers.ts'
import { correctionMessages } from './messages.ts'
import { correctionsPersonalData } from './personal-data.ts'

export const correctionsArea: Area = {
  name: 'corrections',
  serve(app, host) {
    serve(app, host, corrections, correctionHandlers)
    serve(app, host, correctionRequests, correctionRequestHandlers)
  },
  personalData: correctionsPersonalData,
  extend: () => builtInApps.provide(correctionMessages.spec),
}
