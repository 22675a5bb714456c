import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { optional, text } from '#shell/navigation/search.ts'

export const servicesScreens = {
  '/pages/service/search': {
    area: 'services',
    title: m.services_search_title,
    access: 'guest',
    search: { keyWords: optional(text), organizationId: optional(text) },
    staysMounted: true,
    page: () => import('#domains/services/services/search-page.tsx'),
  },
  '/pages/service/serviceGuide': {
    area: 'services',
    title: m.services_guide_title,
    access: 'member',
    search: { serviceId: text },
    page: () => import('#domains/services/services/service-guide-page.tsx'),
  },
  '/pages/service/newGuide': {
    area: 'services',
    title: m.services_new_guide_title,
    access: 'member',
    nav: 'brand',
    search: { serviceId: text },
    page: () => import('#domains/services/services/new-guide-page.tsx'),
  },
} satisfies Record<string, Screen>
