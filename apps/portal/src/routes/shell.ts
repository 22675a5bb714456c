import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { optional, text } from '#shell/navigation/search.ts'

export const shellScreens = {
  '/page/index/index': {
    area: 'shell',
    title: m.shell_return_title,
    access: 'guest',
    search: { returnTarget: optional(text) },
    page: () => import('#shell/start/return-page.tsx'),
  },
  '/pages/fenliu/h5MiddlePage': {
    area: 'shell',
    title: m.shell_return_title,
    access: 'guest',
    search: { returnTarget: optional(text) },
    page: () => import('#shell/start/transit-page.tsx'),
  },
} satisfies Record<string, Screen>
