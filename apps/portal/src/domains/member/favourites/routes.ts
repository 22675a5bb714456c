import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { oneOf, optional } from '#shell/navigation/search.ts'

export const favouritesScreens = {
  '/pagesA/myFavorite/myFavorite': {
    area: 'favourites',
    title: m.favourites_title,
    access: 'member',
    search: { tab: optional(oneOf('service', 'news', 'file')) },
    staysMounted: true,
    page: () => import('#domains/member/favourites/favourites-page.tsx'),
  },
  '/pagesA/newsHistory/newsHistory': {
    area: 'favourites',
    title: m.history_title,
    access: 'member',
    page: () => import('#domains/member/favourites/history-page.tsx'),
  },
} satisfies Record<string, Screen>
