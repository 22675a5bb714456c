import { taskGroups } from '@atrium/contract/work/task-groups'
import { taskSettings } from '@atrium/contract/work/task-settings'
import { tasks, thirdParty } from '@atrium/contract/work/tasks'
import { builtInApps } from '#domains/work/messages/built-in-apps.ts'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { sendDueReminders } from './due-reminders.ts'
import { taskGroupHandlers } from './groups.ts'
import { taskHandlers, thirdPartyHandlers } from './handlers.ts'
import { taskMessages } from './messages.ts'
import { tasksPersonalData } from './personal-data.ts'
import { tasksSearch } from './search-source.ts'
import { taskSettingHandlers } from './settings.ts'

export const tasksArea: Area = {
  name: 'tasks',
  serve(app, host) {
    serve(app, host, tasks, taskHandlers)
    serve(app, host, thirdParty, thirdPartyHandlers)
    serve(app, host, taskGroups, taskGroupHandlers)
    serve(app, host, taskSettings, taskSettingHandlers)
  },
  jobs: (platform) => [
    { name: 'task-reminders', cron: '*/5 * * * *', run: () => sendDueReminders(platform) },
  ],
  personalData: tasksPersonalData,
  extend() {
    builtInApps.provide(taskMessages.spec)
  },
  search: tasksSearch,
}
