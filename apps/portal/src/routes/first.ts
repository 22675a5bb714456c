import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { optional, text } from '#shell/navigation/search.ts'

/**
 * The screens on which a start can end without loading the map: the entry, pages before home, and the tabs. Their
 * entries are bundled with the app, all others are loaded after the first screen.
 */
export const first = {
  '/': {
    area: 'shell',
    title: m.home_title,
    access: 'guest',
    page: () => import('#shell/start/entry-page.tsx'),
  },
  '/pages/h5/index': {
    area: 'shell',
    title: m.home_title,
    access: 'guest',
    page: () => import('#shell/start/entry-page.tsx'),
  },
  '/pages/openPage/openPage': {
    area: 'shell',
    title: m.shell_opening_title,
    access: 'guest',
    bare: true,
    page: () => import('#shell/start/opening-page.tsx'),
  },
  '/pages/fenliu/fenliu': {
    area: 'shell',
    title: m.shell_diversion_title,
    access: 'member',
    bare: true,
    page: () => import('#shell/start/diversion-page.tsx'),
  },
  '/pages/tab/index/index': {
    area: 'home',
    title: m.home_title,
    access: 'guest',
    tab: 1,
    nav: 'brand',
    page: () => import('#domains/shell/home/home-page.tsx'),
  },
  '/pages/tab/service/index': {
    area: 'services',
    title: m.services_title,
    access: 'guest',
    tab: 2,
    page: () => import('#domains/services/services/services-page.tsx'),
  },
  '/pages/msgCenterTab/newtask/newtask': {
    area: 'messages',
    title: m.messages_title,
    access: 'guest',
    tab: 3,
    search: { isactive: optional(text) },
    page: () => import('#domains/work/messages/messages-page.tsx'),
  },
  '/pages/tab/schedule/schedule': {
    area: 'schedule',
    title: m.schedule_title,
    access: 'guest',
    tab: 4,
    page: () => import('#domains/work/schedule/schedule-page.tsx'),
  },
  '/pages/tab/my/my': {
    area: 'personal',
    title: m.personal_title,
    access: 'guest',
    tab: 5,
    page: () => import('#domains/member/personal/me-page.tsx'),
  },
  '/pages/webview/tab-webview-1': {
    area: 'webview',
    title: m.webview_title,
    access: 'guest',
    replacesTab: 1,
    page: () => import('#domains/shell/webview/configured-page.tsx'),
  },
  '/pages/webview/tab-webview-2': {
    area: 'webview',
    title: m.webview_title,
    access: 'guest',
    replacesTab: 2,
    page: () => import('#domains/shell/webview/configured-page.tsx'),
  },
  '/pages/webview/tab-webview-3': {
    area: 'webview',
    title: m.webview_title,
    access: 'guest',
    replacesTab: 3,
    page: () => import('#domains/shell/webview/configured-page.tsx'),
  },
  '/pages/webview/tab-webview-4': {
    area: 'webview',
    title: m.webview_title,
    access: 'guest',
    replacesTab: 4,
    page: () => import('#domains/shell/webview/configured-page.tsx'),
  },
  '/pages/webview/tab-webview-5': {
    area: 'webview',
    title: m.webview_title,
    access: 'guest',
    replacesTab: 5,
    page: () => import('#domains/shell/webview/configured-page.tsx'),
  },
  '/pages/webview/schedule-webview': {
    area: 'webview',
    title: m.schedule_title,
    access: 'member',
    replacesTab: 4,
    page: () => import('#domains/shell/webview/configured-page.tsx'),
  },
} satisfies Record<string, Screen>
