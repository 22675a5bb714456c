import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { optional, text } from '#shell/navigation/search.ts'

const writing = {
  area: 'sending',
  title: m.sending_title,
  access: 'member',
  search: { part: optional(text) },
  staysMounted: true,
  page: () => import('#domains/work/sending/sending-page.tsx'),
} satisfies Screen

export const sendingScreens = {
  '/pages/tab/onlineSend/index': writing,
  '/msgCenter/pages/onlineSend/index': writing,
  '/msgCenter/pages/onlineSend/sendResult': {
    area: 'sending',
    title: m.sending_result_title,
    access: 'member',
    search: { sendId: text, status: optional(text) },
    staysMounted: true,
    page: () => import('#domains/work/sending/result-page.tsx'),
  },
} satisfies Record<string, Screen>
