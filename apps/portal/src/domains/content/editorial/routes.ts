import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { oneOf, optional, text } from '#shell/navigation/search.ts'

const filter = oneOf('draft', 'review', 'refused', 'approved', 'shown', 'withdrawn', 'confirming')

export const editorialScreens = {
  '/pages/secondWork/news/news': {
    area: 'editorial',
    title: m.editorial_news_title,
    access: 'member',
    search: { department: optional(text), state: filter },
    staysMounted: true,
    page: () => import('#domains/content/editorial/news-page.tsx'),
  },
  '/pages/secondWork/news/calendar': {
    area: 'editorial',
    title: m.editorial_calendar_title,
    access: 'member',
    search: { department: optional(text), month: optional(text) },
    staysMounted: true,
    page: () => import('#domains/content/editorial/calendar-page.tsx'),
  },
  '/pages/secondWork/gonggao/gonggaoList': {
    area: 'editorial',
    title: m.editorial_announcements_title,
    access: 'member',
    search: { department: optional(text), state: filter },
    staysMounted: true,
    page: () => import('#domains/content/editorial/announcements-page.tsx'),
  },
  '/pages/secondWork/columnSet': {
    area: 'editorial',
    title: m.editorial_columns_title,
    access: 'member',
    search: { department: optional(text), id: optional(text) },
    staysMounted: true,
    page: () => import('#domains/content/editorial/columns-page.tsx'),
  },
} satisfies Record<string, Screen>
