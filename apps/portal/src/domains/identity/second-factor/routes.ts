import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'

export const secondFactorScreens = {
  '/pagesA/safeSet/secondFactor': {
    area: 'second-factor',
    title: m.second_factor_title,
    access: 'member',
    page: () => import('#domains/identity/second-factor/second-factor-page.tsx'),
  },
  '/pagesA/safeSet/passkeys': {
    area: 'second-factor',
    title: m.second_factor_passkeys_title,
    access: 'member',
    page: () => import('#domains/identity/second-factor/passkeys-page.tsx'),
  },
} satisfies Record<string, Screen>
