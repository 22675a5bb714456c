import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { optional, text } from '#shell/navigation/search.ts'

export const robotScreens = {
  '/pages/robot/robot': {
    area: 'robot',
    title: m.robot_page_title,
    access: 'member',
    search: { dialogId: optional(text), question: optional(text) },
    staysMounted: true,
    page: () => import('#domains/discovery/robot/robot-page.tsx'),
  },
  '/pages/robot/AI': {
    area: 'robot',
    title: m.robot_ai_title,
    access: 'member',
    search: { dialogId: optional(text), question: optional(text) },
    staysMounted: true,
    page: () => import('#domains/discovery/robot/ai-page.tsx'),
  },
  '/pages/robot/dialogs': {
    area: 'robot',
    title: m.robot_dialogs_title,
    access: 'member',
    page: () => import('#domains/discovery/robot/dialogs-page.tsx'),
  },
} satisfies Record<string, Screen>
