import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { optional, text } from '#shell/navigation/search.ts'

export const federationScreens = {
  '/pages/login/bindAccount': {
    area: 'federation',
    title: m.federation_title,
    access: 'public',
    search: { returnTarget: optional(text) },
    page: () => import('#domains/identity/federation/bind-account-page.tsx'),
  },
} satisfies Record<string, Screen>
