import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { optional, text } from '#shell/navigation/search.ts'

export const loginScreens = {
  '/pages/login/login': {
    area: 'login',
    title: m.login_title,
    access: 'public',
    search: { returnTarget: optional(text) },
    page: () => import('#domains/identity/login/login-page.tsx'),
  },
  '/pages/login/pwdLogin': {
    area: 'login',
    title: m.login_title,
    access: 'public',
    search: { returnTarget: optional(text) },
    page: () => import('#domains/identity/login/login-page.tsx'),
  },
  '/pages/login/accountLogin': {
    area: 'login',
    title: m.login_title,
    access: 'public',
    search: { returnTarget: optional(text) },
    page: () => import('#domains/identity/login/login-page.tsx'),
  },
  '/pages/login/changAccount': {
    area: 'login',
    title: m.login_account_change,
    access: 'public',
    page: () => import('#domains/identity/login/change-account-page.tsx'),
  },
  '/pages/set/changeAccount': {
    area: 'login',
    title: m.login_account_change,
    access: 'member',
    page: () => import('#domains/identity/login/change-account-page.tsx'),
  },
} satisfies Record<string, Screen>
