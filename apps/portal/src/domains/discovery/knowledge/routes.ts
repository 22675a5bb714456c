import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { text } from '#shell/navigation/search.ts'

export const knowledgeScreens = {
  '/pages/robot/question': {
    area: 'knowledge',
    title: m.knowledge_page_title,
    access: 'guest',
    search: { id: text },
    page: () => import('#domains/discovery/knowledge/question-page.tsx'),
  },
} satisfies Record<string, Screen>
