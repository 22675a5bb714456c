import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { text } from '#shell/navigation/search.ts'

export const tasksScreens = {
  '/msgCenter/pages/task/applicationDetail': {
    area: 'tasks',
    title: m.tasks_detail_title,
    access: 'member',
    search: { id: text },
    beside: ['/pages/msgCenterTab/newtask/newtask'],
    page: () => import('#domains/work/tasks/task-page.tsx'),
  },
  '/msgCenter/pages/task/todoBatch': {
    area: 'tasks',
    title: m.tasks_batch,
    access: 'member',
    page: () => import('#domains/work/tasks/batch-page.tsx'),
  },
  '/msgCenter/pages/task/doneDetail': {
    area: 'tasks',
    title: m.tasks_detail_title,
    access: 'member',
    search: { id: text },
    beside: ['/pages/msgCenterTab/newtask/newtask'],
    page: () => import('#domains/work/tasks/task-page.tsx'),
  },
  '/msgCenter/pages/task/handleRecord': {
    area: 'tasks',
    title: m.tasks_records_title,
    access: 'member',
    search: { id: text },
    page: () => import('#domains/work/tasks/records-page.tsx'),
  },
} satisfies Record<string, Screen>
