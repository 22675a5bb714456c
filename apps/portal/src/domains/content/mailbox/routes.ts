import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'

export const mailboxScreens = {
  '/msgCenter/pages/news/throughTrain': {
    area: 'mailbox',
    title: m.mailbox_page_title,
    access: 'member',
    page: () => import('#domains/content/mailbox/through-train-page.tsx'),
  },
} satisfies Record<string, Screen>
