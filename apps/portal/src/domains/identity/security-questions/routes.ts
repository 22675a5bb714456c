import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { optional, text } from '#shell/navigation/search.ts'

export const securityQuestionsScreens = {
  '/pages/modifyPwd/safeQuestionShow': {
    area: 'security-questions',
    title: m.account_questions,
    access: 'member',
    page: () => import('#domains/identity/security-questions/show-questions-page.tsx'),
  },
  '/pages/modifyPwd/safeQuestionSet': {
    area: 'security-questions',
    title: m.account_questions_set,
    access: 'member',
    page: () => import('#domains/identity/security-questions/set-questions-page.tsx'),
  },
  '/pages/modifyPwd/modifyQuestion': {
    area: 'security-questions',
    title: m.account_questions_change,
    access: 'member',
    page: () => import('#domains/identity/security-questions/set-questions-page.tsx'),
  },
  '/pages/modifyPwd/oldQuestion': {
    area: 'security-questions',
    title: m.account_answers_title,
    access: 'member',
    search: { next: optional(text) },
    page: () => import('#domains/identity/security-questions/old-question-page.tsx'),
  },
  '/pages/modifyPwd/verfityQuestion': {
    area: 'security-questions',
    title: m.account_answers_title,
    access: 'member',
    search: { next: optional(text) },
    page: () => import('#domains/identity/security-questions/verify-question-page.tsx'),
  },
  '/pages/modifyPwd/qPhone': {
    area: 'security-questions',
    title: m.account_prove_mobile_title,
    access: 'member',
    search: { next: optional(text) },
    page: () => import('#domains/identity/security-questions/questions-phone-page.tsx'),
  },
  '/pages/modifyPwd/qEmail': {
    area: 'security-questions',
    title: m.account_prove_email_title,
    access: 'member',
    search: { next: optional(text) },
    page: () => import('#domains/identity/security-questions/questions-email-page.tsx'),
  },
} satisfies Record<string, Screen>
