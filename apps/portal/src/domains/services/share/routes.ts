import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { text } from '#shell/navigation/search.ts'

export const shareScreens = {
  '/pages/service/serviceShare': {
    area: 'share',
    title: m.share_service_title,
    access: 'public',
    search: { serviceInfo: text },
    page: () => import('#domains/services/share/service-share-page.tsx'),
  },
  '/pagesA/news/midTrans': {
    area: 'share',
    title: m.share_news_title,
    access: 'public',
    search: { data: text },
    page: () => import('#domains/services/share/news-share-page.tsx'),
  },
} satisfies Record<string, Screen>
