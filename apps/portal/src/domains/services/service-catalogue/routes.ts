import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { oneOf, optional, text } from '#shell/navigation/search.ts'

export const serviceCatalogueScreens = {
  '/pages/secondWork/service/serviceSet': {
    area: 'service-catalogue',
    title: m.service_catalogue_title,
    access: 'member',
    search: {
      department: optional(text),
      state: oneOf('online', 'offline', 'trouble'),
      keyWords: optional(text),
      id: optional(text),
      part: oneOf('texts', 'guide', 'health', 'pages'),
    },
    staysMounted: true,
    page: () => import('#domains/services/service-catalogue/service-set-page.tsx'),
  },
} satisfies Record<string, Screen>
