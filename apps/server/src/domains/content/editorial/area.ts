import { newsConsole } from '@atrium/contract/content/editorial.operator'
import { articleReview } from '@atrium/contract/content/editorial-review.operator'
import { feeds } from '@atrium/contract/content/news-feeds.operator'
import { builtInApps } from '#domains/work/messages/built-in-apps.ts'
import type { Area } from '#platform/area.ts'
import { invalidate } from '#platform/database/topics.ts'
import { serve } from '#platform/http/serve.ts'
import { fetchDueFeeds } from './feeds.ts'
import { feedHandlers } from './feeds-handlers.ts'
import { newsConsoleHandlers } from './handlers.ts'
import { editorialMessages } from './messages.ts'
import { editorialPersonalData } from './personal-data.ts'
import { hasBecomeVisible } from './queries.ts'
import { articleReviewHandlers } from './review-handlers.ts'

export const editorialArea: Area = {
  name: 'editorial',
  serve(app, host) {
    serve(app, host, newsConsole, newsConsoleHandlers)
    serve(app, host, articleReview, articleReviewHandlers)
    serve(app, host, feeds, feedHandlers)
  },
  jobs: (platform) => {
    const { db } = platform
    return [
      {
        // Readers see a scheduled article once its time has come; this clears answers cached before, on every node.
        name: 'news-publish',
        cron: '* * * * *',
        async run() {
          if (await hasBecomeVisible(db, 3)) await invalidate(db, 'news')
        },
      },
      { name: 'news-feeds', cron: '* * * * *', run: () => fetchDueFeeds(platform) },
    ]
  },
  personalData: editorialPersonalData,
  extend: () => builtInApps.provide(editorialMessages.spec),
}
