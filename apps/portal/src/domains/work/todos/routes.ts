import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { optional, text } from '#shell/navigation/search.ts'

export const todoScreens = {
  '/msgCenter/pages/task/personaltodo': {
    area: 'todos',
    title: m.todos_title,
    access: 'member',
    search: { part: optional(text), keyWords: optional(text), tag: optional(text) },
    staysMounted: true,
    page: () => import('#domains/work/todos/list-page.tsx'),
  },
  '/msgCenter/pages/task/addtodo': {
    area: 'todos',
    title: m.todos_new_title,
    access: 'member',
    search: {
      id: optional(text),
      message: optional(text),
      article: optional(text),
      columnId: optional(text),
      event: optional(text),
      startsAt: optional(text),
    },
    staysMounted: true,
    page: () => import('#domains/work/todos/edit-page.tsx'),
  },
  '/msgCenter/pages/task/personalDetail': {
    area: 'todos',
    title: m.todos_detail_title,
    access: 'member',
    search: { id: text },
    beside: ['/msgCenter/pages/task/personaltodo'],
    page: () => import('#domains/work/todos/detail-page.tsx'),
  },
  '/msgCenter/pages/task/addReminderTime': {
    area: 'todos',
    title: m.todos_reminders_title,
    access: 'member',
    page: () => import('#domains/work/todos/reminders-page.tsx'),
  },
  '/msgCenter/pages/task/addExecutor': {
    area: 'todos',
    title: m.todos_executors_title,
    access: 'member',
    search: { keyWords: optional(text) },
    staysMounted: true,
    page: () => import('#domains/work/todos/executors-page.tsx'),
  },
} satisfies Record<string, Screen>
