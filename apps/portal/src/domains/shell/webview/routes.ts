import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { text } from '#shell/navigation/search.ts'

export const webviewScreens = {
  '/pages/webview/webview': {
    area: 'webview',
    title: m.webview_title,
    access: 'guest',
    search: { url: text },
    page: () => import('#domains/shell/webview/webview-page.tsx'),
  },
  '/pages/webview/plus-webview': {
    area: 'webview',
    title: m.webview_title,
    access: 'guest',
    search: { url: text },
    page: () => import('#domains/shell/webview/webview-page.tsx'),
  },
  '/pages/webview/news-webview': {
    area: 'webview',
    title: m.news_title,
    access: 'guest',
    page: () => import('#domains/shell/webview/configured-page.tsx'),
  },
  '/pages/webview/newtask-webview': {
    area: 'webview',
    title: m.webview_tasks_title,
    access: 'member',
    page: () => import('#domains/shell/webview/configured-page.tsx'),
  },
} satisfies Record<string, Screen>
