import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { flag, oneOf, optional, text } from '#shell/navigation/search.ts'

export const newsScreens = {
  '/pagesA/news/news': {
    area: 'news',
    title: m.news_title,
    access: 'guest',
    search: {
      columnCode: optional(text),
      isHideReturnBtn: flag,
      tab: optional(text),
      data: optional(text),
    },
    staysMounted: true,
    page: () => import('#domains/content/news/list-page.tsx'),
  },
  '/pages/newsInfo/newsInfo': {
    area: 'news',
    title: m.news_title,
    access: 'guest',
    search: { columnCode: optional(text) },
    staysMounted: true,
    page: () => import('#domains/content/news/list-page.tsx'),
  },
  '/pages/msgCenterTab/news/news': {
    area: 'news',
    title: m.news_title,
    access: 'guest',
    search: { columnCode: optional(text), isactive: optional(text) },
    staysMounted: true,
    page: () => import('#domains/content/news/list-page.tsx'),
  },
  '/pages/channel/channel': {
    area: 'news',
    title: m.news_channel_title,
    access: 'guest',
    nav: 'channel',
    search: { columnCode: optional(text) },
    page: () => import('#domains/content/news/channel-page.tsx'),
  },
  '/msgCenter/pages/news/personalSettingCenter': {
    area: 'news',
    title: m.news_settings_title,
    access: 'member',
    page: () => import('#domains/content/news/settings-page.tsx'),
  },
  '/msgCenter/pages/news/adjustmentOrder': {
    area: 'news',
    title: m.news_order_title,
    access: 'member',
    page: () => import('#domains/content/news/order-page.tsx'),
  },
  '/msgCenter/pages/news/applicationGroup': {
    area: 'news',
    title: m.news_groups_title,
    access: 'member',
    page: () => import('#domains/content/news/groups-page.tsx'),
  },
  '/pages/search/news': {
    area: 'news',
    title: m.news_search_title,
    access: 'guest',
    staysMounted: true,
    search: {
      keyWords: optional(text),
      columnId: optional(text),
      department: optional(text),
      from: optional(text),
      to: optional(text),
      order: optional(oneOf('relevance', 'newest')),
    },
    page: () => import('#domains/content/news/search-page.tsx'),
  },
} satisfies Record<string, Screen>
