import { evaluation, evaluations } from '@atrium/contract/services/evaluation'
import { clearPhotos } from '#domains/content/images/photos.ts'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { evaluationConsoleHandlers, evaluationHandlers } from './handlers.ts'
import { evaluationPersonalData } from './personal-data.ts'
import { opinionPhotos, serveEvaluationPhotos } from './photos.ts'

export const evaluationArea: Area = {
  name: 'evaluation',
  async serve(app, host) {
    serve(app, host, evaluation, evaluationHandlers)
    serve(app, host, evaluations, evaluationConsoleHandlers)
    await serveEvaluationPhotos(app, host)
  },
  jobs: (platform) => [
    {
      name: 'evaluation-clear-photos',
      cron: '20 * * * *',
      run: () => clearPhotos(platform, opinionPhotos),
    },
  ],
  personalData: evaluationPersonalData,
}
