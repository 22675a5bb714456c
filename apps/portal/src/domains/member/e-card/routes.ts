import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'

export const eCardScreens = {
  '/pages/myInfo/eCard': {
    area: 'e-card',
    title: m.e_card_title,
    access: 'member',
    page: () => import('#domains/member/e-card/e-card-page.tsx'),
  },
  '/pages/myInfo/payCode': {
    area: 'e-card',
    title: m.e_card_code_title,
    access: 'member',
    page: () => import('#domains/member/e-card/pay-code-page.tsx'),
  },
} satisfies Record<string, Screen>
