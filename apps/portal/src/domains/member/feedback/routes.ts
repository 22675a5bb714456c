import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { oneOf, optional, text } from '#shell/navigation/search.ts'

export const feedbackScreens = {
  '/pages/myInfo/suggest': {
    area: 'feedback',
    title: m.feedback_title,
    access: 'member',
    page: () => import('#domains/member/feedback/feedback-page.tsx'),
  },
  '/pages/myInfo/suggestNew': {
    area: 'feedback',
    title: m.feedback_new_title,
    access: 'member',
    search: { kindId: optional(text), serviceId: optional(text) },
    page: () => import('#domains/member/feedback/new-feedback-page.tsx'),
  },
  '/pages/myInfo/suggestRecord': {
    area: 'feedback',
    title: m.feedback_record_title,
    access: 'member',
    search: { id: optional(text) },
    page: () => import('#domains/member/feedback/record-page.tsx'),
  },
  '/pages/secondWork/feedback': {
    area: 'feedback',
    title: m.feedback_inbox_title,
    access: 'member',
    search: {
      department: optional(text),
      state: oneOf('waiting', 'handling', 'answered', 'closed'),
      kindId: optional(text),
      serviceId: optional(text),
      keyWords: optional(text),
    },
    staysMounted: true,
    page: () => import('#domains/member/feedback/inbox-page.tsx'),
  },
  '/pages/secondWork/feedback/kinds': {
    area: 'feedback',
    title: m.feedback_kinds_title,
    access: 'member',
    search: { id: optional(text) },
    staysMounted: true,
    page: () => import('#domains/member/feedback/kinds-page.tsx'),
  },
  '/pages/secondWork/feedback/detail': {
    area: 'feedback',
    title: m.feedback_received_title,
    access: 'member',
    search: { id: text },
    page: () => import('#domains/member/feedback/received-page.tsx'),
  },
} satisfies Record<string, Screen>
