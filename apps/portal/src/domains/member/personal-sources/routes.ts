import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { oneOf } from '#shell/navigation/search.ts'

export const personalSourcesScreens = {
  '/pages/myInfo/books': {
    area: 'personal-sources',
    title: m.personal_sources_books_title,
    access: 'member',
    page: () => import('#domains/member/personal-sources/books-page.tsx'),
  },
  '/pages/myInfo/mailbox': {
    area: 'personal-sources',
    title: m.personal_sources_mailbox_title,
    access: 'member',
    page: () => import('#domains/member/personal-sources/mailbox-page.tsx'),
  },
  '/pages/myInfo/research': {
    area: 'personal-sources',
    title: m.personal_sources_research_title,
    access: 'member',
    page: () => import('#domains/member/personal-sources/research-page.tsx'),
  },
  '/pages/myInfo/infoCards': {
    area: 'personal-sources',
    title: m.personal_sources_info_title,
    access: 'member',
    page: () => import('#domains/member/personal-sources/info-cards-page.tsx'),
  },
  '/pages/secondWork/personalSources': {
    area: 'personal-sources',
    title: m.personal_sources_operated_title,
    access: 'member',
    page: () => import('#domains/member/personal-sources/operated-sources-page.tsx'),
  },
  '/pages/secondWork/personalSources/detail': {
    area: 'personal-sources',
    title: m.personal_sources_operated_one,
    access: 'member',
    search: { kind: oneOf('ecard', 'books', 'mailbox', 'research', 'info', 'scan') },
    page: () => import('#domains/member/personal-sources/operated-source-page.tsx'),
  },
} satisfies Record<string, Screen>
