import { todos } from '@atrium/contract/work/todos'
import { builtInApps } from '#domains/work/messages/built-in-apps.ts'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { todoHandlers } from './handlers.ts'
import { todoMessages } from './messages.ts'
import { todosPersonalData } from './personal-data.ts'
import { startReminders } from './reminders.ts'
import { todosSearch } from './search-source.ts'

export const todosArea: Area = {
  name: 'todos',
  serve(app, host) {
    serve(app, host, todos, todoHandlers)
  },
  workers: (platform) => [startReminders(platform)],
  personalData: todosPersonalData,
  extend() {
    builtInApps.provide(todoMessages.spec)
  },
  search: todosSearch,
}
