import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { optional, text } from '#shell/navigation/search.ts'

export const accountScreens = {
  '/pagesA/safeSet/safeSet': {
    area: 'account',
    title: m.account_title,
    access: 'member',
    page: () => import('#domains/identity/account/security-page.tsx'),
  },
  '/pagesA/loginWay/loginWay': {
    area: 'account',
    title: m.account_ways,
    access: 'member',
    page: () => import('#domains/identity/account/login-methods-page.tsx'),
  },
  '/pages/modifyPwd/modifyPwd': {
    area: 'account',
    title: m.account_password_title,
    access: 'member',
    page: () => import('#domains/identity/account/change-password-page.tsx'),
  },
  '/pages/modifyPwd/verfityPwd': {
    area: 'account',
    title: m.account_confirm_title,
    access: 'member',
    search: { next: optional(text), returnTarget: optional(text) },
    page: () => import('#domains/identity/account/verify-password-page.tsx'),
  },
  '/pages/modifyPwd/newPhone': {
    area: 'account',
    title: m.account_mobile_title,
    access: 'member',
    page: () => import('#domains/identity/account/new-phone-page.tsx'),
  },
  '/pages/modifyPwd/oldPhone': {
    area: 'account',
    title: m.account_prove_mobile_title,
    access: 'member',
    search: { next: optional(text) },
    page: () => import('#domains/identity/account/old-phone-page.tsx'),
  },
  '/pages/modifyPwd/email': {
    area: 'account',
    title: m.account_email_title,
    access: 'member',
    page: () => import('#domains/identity/account/email-page.tsx'),
  },
  '/pages/modifyPwd/oldEmail': {
    area: 'account',
    title: m.account_prove_email_title,
    access: 'member',
    search: { next: optional(text) },
    page: () => import('#domains/identity/account/old-email-page.tsx'),
  },
} satisfies Record<string, Screen>
