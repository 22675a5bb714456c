import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'

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
} satisfies Record<string, Screen>
