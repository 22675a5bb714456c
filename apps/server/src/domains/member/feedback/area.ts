import { feedback } from '@atrium/contract/member/feedback'
import { feedbackConsole } from '@atrium/contract/member/feedback.operator'
import { clearPhotos } from '#domains/content/images/photos.ts'
import { builtInApps } from '#domains/work/messages/built-in-apps.ts'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { feedbackConsoleHandlers } from './console-handlers.ts'
import { feedbackHandlers } from './handlers.ts'
import { feedbackMessages } from './messages.ts'
import { feedbackPersonalData } from './personal-data.ts'
import { feedbackPhotoTables, serveFeedbackPhotos } from './photos.ts'
import { closeAnswered } from './queries.ts'

export const feedbackArea: Area = {
  name: 'feedback',
  async serve(app, host) {
    serve(app, host, feedback, feedbackHandlers)
    serve(app, host, feedbackConsole, feedbackConsoleHandlers)
    await serveFeedbackPhotos(app, host)
  },
  jobs: (platform) => [
    {
      name: 'feedback-clear-photos',
      cron: '40 * * * *',
      run: () => clearPhotos(platform, feedbackPhotoTables),
    },
    { name: 'feedback-close', cron: '50 * * * *', run: () => closeAnswered(platform.db) },
  ],
  personalData: feedbackPersonalData,
  extend: () => builtInApps.provide(feedbackMessages.spec),
}
