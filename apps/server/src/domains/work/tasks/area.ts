import { tasks } from '@atrium/contract/work/tasks'
import { ownApps } from '#domains/work/messages/own-apps.ts'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { taskHandlers } from './handlers.ts'
import { taskMessages } from './messages.ts'
import { tasksPersonalData } from './personal-data.ts'

export const tasksArea: Area = {
  name: 'tasks',
  serve(app, host) {
    serve(app, host, tasks, taskHandlers)
  },
  personalData: tasksPersonalData,
  extend() {
    ownApps.provide(taskMessages.spec)
  },
}
