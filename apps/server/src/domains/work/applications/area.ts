import { applications } from '@atrium/contract/work/applications'
import { applicationForms } from '@atrium/contract/work/applications.operator'
import { builtInApps } from '#domains/work/messages/built-in-apps.ts'
import { taskEngines } from '#domains/work/tasks/engines.ts'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { engineCode, listBroken, onHandled, repairApplication } from './engine.ts'
import { applicationFormHandlers, applicationHandlers } from './handlers.ts'
import { applicationMessages } from './messages.ts'
import { applicationsPersonalData } from './personal-data.ts'

export const applicationsArea: Area = {
  name: 'applications',
  serve(app, host) {
    serve(app, host, applications, applicationHandlers)
    serve(app, host, applicationForms, applicationFormHandlers)
  },
  jobs: ({ db }) => [
    {
      name: 'applications-repair',
      cron: '*/5 * * * *',
      async run() {
        for (const id of await listBroken(db))
          await db.transaction().execute((db) => repairApplication(db, id))
      },
    },
  ],
  personalData: applicationsPersonalData,
  extend() {
    builtInApps.provide(applicationMessages.spec)
    taskEngines.provide({ code: engineCode, handled: onHandled })
  },
}
