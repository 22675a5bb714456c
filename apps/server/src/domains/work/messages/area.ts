import { messages } from '@atrium/contract/work/messages'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { messageHandlers } from './handlers.ts'
import { messagesPersonalData } from './personal-data.ts'

export const messagesArea: Area = {
  name: 'messages',
  serve(app, host) {
    serve(app, host, messages, messageHandlers)
  },
  personalData: messagesPersonalData,
}
