import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { flag, optional, text } from '#shell/navigation/search.ts'

export const messagesScreens = {
  '/pagesA/message/entry': {
    area: 'messages',
    title: m.messages_title,
    access: 'member',
    search: {
      appId: optional(text),
      typeCode: optional(text),
      unread: flag,
      starred: flag,
      keyWords: optional(text),
    },
    staysMounted: true,
    page: () => import('#domains/work/messages/entry-page.tsx'),
  },
  '/pagesA/message/detail': {
    area: 'messages',
    title: m.messages_detail_title,
    access: 'member',
    search: { id: text },
    beside: ['/pagesA/message/entry'],
    page: () => import('#domains/work/messages/detail-page.tsx'),
  },
} satisfies Record<string, Screen>
