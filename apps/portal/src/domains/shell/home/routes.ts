import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'

export const homeScreens = {
  '/pages/tab/index/clean': {
    area: 'home',
    title: m.home_title,
    access: 'guest',
    nav: 'brand',
    bare: true,
    page: () => import('#domains/shell/home/home-page.tsx'),
  },
  '/pages/set/home': {
    area: 'home',
    title: m.home_arrange_title,
    access: 'member',
    page: () => import('#domains/shell/home/arrange-page.tsx'),
  },
} satisfies Record<string, Screen>
