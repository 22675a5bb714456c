import { study } from '@atrium/contract/learning/study'
import { studyTeaching } from '@atrium/contract/learning/study-teaching'
import { builtInApps } from '#domains/work/messages/built-in-apps.ts'
import { taskEngines } from '#domains/work/tasks/engines.ts'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { studyHandlers } from './handlers.ts'
import { studyMessages } from './messages.ts'
import { studyPersonalData } from './personal-data.ts'
import { endDueRolls } from './roll.ts'
import { studyTeachingHandlers } from './teaching-handlers.ts'
import { engineCode, onSubmitted, syncWork } from './work.ts'

export const studyArea: Area = {
  name: 'study',
  serve(app, host) {
    serve(app, host, study, studyHandlers)
    serve(app, host, studyTeaching, studyTeachingHandlers)
  },
  jobs: ({ db }) => [
    // Gives new course members their tasks and removes those of members who left.
    {
      name: 'study-work',
      cron: '*/10 * * * *',
      run: () => db.transaction().execute((db) => syncWork(db, 'all')),
    },
    { name: 'study-rolls', cron: '* * * * *', run: () => endDueRolls(db) },
  ],
  personalData: studyPersonalData,
  extend() {
    builtInApps.provide(studyMessages.spec)
    taskEngines.provide({ code: engineCode, handled: onSubmitted })
  },
}
