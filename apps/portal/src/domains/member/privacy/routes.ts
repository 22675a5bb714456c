import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'

export const privacyScreens = {
  '/pages/privacy/privacy': {
    area: 'privacy',
    title: m.privacy_title,
    access: 'member',
    page: () => import('#domains/member/privacy/privacy-page.tsx'),
  },
  '/pages/privacy/privacySet': {
    area: 'privacy',
    title: m.privacy_settings_title,
    access: 'member',
    page: () => import('#domains/member/privacy/settings-page.tsx'),
  },
  '/pages/privacy/blackList': {
    area: 'privacy',
    title: m.privacy_blocked_title,
    access: 'member',
    page: () => import('#domains/member/privacy/black-list-page.tsx'),
  },
  '/pages/privacy/closeAccount': {
    area: 'privacy',
    title: m.privacy_closing_title,
    access: 'member',
    page: () => import('#domains/member/privacy/close-account-page.tsx'),
  },
} satisfies Record<string, Screen>
