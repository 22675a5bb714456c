import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { oneOf, optional, text } from '#shell/navigation/search.ts'

export const mailboxScreens = {
  '/msgCenter/pages/news/throughTrain': {
    area: 'mailbox',
    title: m.mailbox_page_title,
    access: 'member',
    page: () => import('#domains/content/mailbox/through-train-page.tsx'),
  },
  '/pages/secondWork/letters': {
    area: 'mailbox',
    title: m.mailbox_received_title,
    access: 'member',
    search: {
      department: optional(text),
      state: oneOf('waiting', 'answered', 'published', 'all'),
      keyWords: optional(text),
    },
    staysMounted: true,
    page: () => import('#domains/content/mailbox/received-page.tsx'),
  },
} satisfies Record<string, Screen>
