import { knowledge } from '@atrium/contract/discovery/knowledge'
import { knowledgeConsole } from '@atrium/contract/discovery/knowledge.operator'
import { builtInApps } from '#domains/work/messages/built-in-apps.ts'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { knowledgeConsoleHandlers, knowledgeHandlers } from './handlers.ts'
import { knowledgeMessages } from './messages.ts'
import { knowledgePersonalData } from './personal-data.ts'
import { notifyDueReviews } from './reviews.ts'
import { knowledgeSearch } from './search-source.ts'

export const knowledgeArea: Area = {
  name: 'knowledge',
  serve(app, host) {
    serve(app, host, knowledge, knowledgeHandlers)
    serve(app, host, knowledgeConsole, knowledgeConsoleHandlers)
  },
  jobs: (platform) => [
    { name: 'knowledge-reviews', cron: '40 23 * * *', run: () => notifyDueReviews(platform) },
  ],
  personalData: knowledgePersonalData,
  search: knowledgeSearch,
  extend: () => builtInApps.provide(knowledgeMessages.spec),
}
