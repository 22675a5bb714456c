import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { optional, text } from '#shell/navigation/search.ts'

export const passwordlessScreens = {
  '/pages/login/codeLogin': {
    area: 'passwordless',
    title: m.passwordless_title,
    access: 'public',
    search: { returnTarget: optional(text) },
    page: () => import('#domains/identity/passwordless/code-login-page.tsx'),
  },
  '/pages/login/forgotten': {
    area: 'passwordless',
    title: m.passwordless_forgotten_title,
    access: 'public',
    search: { returnTarget: optional(text) },
    page: () => import('#domains/identity/passwordless/recovery-page.tsx'),
  },
  '/pages/login/activate': {
    area: 'passwordless',
    title: m.passwordless_activate_title,
    access: 'public',
    search: { returnTarget: optional(text) },
    page: () => import('#domains/identity/passwordless/recovery-page.tsx'),
  },
} satisfies Record<string, Screen>
