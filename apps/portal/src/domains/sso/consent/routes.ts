import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'

export const consentScreens = {
  '/pages/myInfo/authorizationManage': {
    area: 'consent',
    title: m.consent_title,
    access: 'member',
    page: () => import('#domains/sso/consent/authorizations-page.tsx'),
  },
} satisfies Record<string, Screen>
