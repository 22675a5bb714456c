import { messages } from '@atrium/contract/work/messages'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { startBroadcasts } from './broadcast.ts'
import { messageHandlers } from './handlers.ts'
import { messagesPersonalData } from './personal-data.ts'
import { removeOldMessages, startPartitions } from './retention.ts'
import { messagesSearch } from './search-source.ts'

export const messagesArea: Area = {
  name: 'messages',
  serve(app, host) {
    serve(app, host, messages, messageHandlers)
  },
  jobs: ({ db }) => [
    { name: 'messages-retention', cron: '40 3 * * *', run: () => removeOldMessages(db) },
  ],
  workers: (platform) => [startPartitions(platform), startBroadcasts(platform)],
  personalData: messagesPersonalData,
  search: messagesSearch,
}
