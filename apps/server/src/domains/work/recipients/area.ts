import { recipientGroups } from '@atrium/contract/work/sending/recipients'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { recipientHandlers } from './handlers.ts'

export const recipientsArea: Area = {
  name: 'recipients',
  serve: (app, host) => serve(app, host, recipientGroups, recipientHandlers),
}
