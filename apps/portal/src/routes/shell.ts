import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/screens.ts'
import { optional, text } from '#shell/search.ts'

export const shellScreens = {
  '/page/index/index': {
    area: 'shell',
    title: m.shell_return_title,
    access: 'guest',
    search: { returnTarget: optional(text) },
    page: () => import('#shell/return-page.tsx'),
  },
  '/pages/fenliu/h5MiddlePage': {
    area: 'shell',
    title: m.shell_return_title,
    access: 'guest',
    search: { returnTarget: optional(text) },
    page: () => import('#shell/transit-page.tsx'),
  },
} satisfies Record<string, Screen>
