import { appGroups } from '@atrium/contract/content/app-groups'
import { commentReview, comments } from '@atrium/contract/content/comments'
import { news, notices } from '@atrium/contract/content/news'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { fileTitles } from '#platform/storage/file-titles.ts'
import { appGroupHandlers } from './app-group-handlers.ts'
import { commentHandlers, commentReviewHandlers } from './comment-handlers.ts'
import { deleteDecidedReports } from './comments.ts'
import { findArticleOfFile } from './file-title.ts'
import { newsHandlers, noticeHandlers } from './handlers.ts'
import { newsPersonalData } from './personal-data.ts'
import { deleteOldReaders, updatePopular } from './reads.ts'
import { writeMissingWords } from './search.ts'
import { newsSearch } from './search-source.ts'

export const newsArea: Area = {
  name: 'news',
  serve(app, host) {
    serve(app, host, news, newsHandlers)
    serve(app, host, notices, noticeHandlers)
    serve(app, host, comments, commentHandlers)
    serve(app, host, commentReview, commentReviewHandlers)
    serve(app, host, appGroups, appGroupHandlers)
  },
  jobs: ({ db }) => [
    // Every minute, so that articles inserted without search words become searchable soon.
    {
      name: 'news-words',
      cron: '* * * * *',
      run: async () => void (await writeMissingWords(db)),
    },
    { name: 'news-popular', cron: '*/10 * * * *', run: () => updatePopular(db) },
    { name: 'news-readers-clear', cron: '15 * * * *', run: () => deleteOldReaders(db) },
    {
      name: 'news-reports-clear',
      cron: '25 * * * *',
      run: async () => void (await deleteDecidedReports(db)),
    },
  ],
  personalData: newsPersonalData,
  search: newsSearch,
  extend: () => fileTitles.provide(findArticleOfFile),
}
