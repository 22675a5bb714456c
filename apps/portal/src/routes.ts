import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/screens.ts'
import { flag, optional, text } from '#shell/search.ts'

/** Map 1: every screen. Paths are the specification's; everything else is ours. */
export const screens = {
  // shell
  '/page/index/index': {
    area: 'shell',
    title: m.shell_return_title,
    access: 'public',
    search: { ticket: optional(text), returnTarget: optional(text) },
    page: () => import('#shell/return-page.tsx'),
  },
  '/pages/fenliu/h5MiddlePage': {
    area: 'shell',
    title: m.shell_return_title,
    access: 'public',
    search: { returnTarget: optional(text) },
    page: () => import('#shell/transit-page.tsx'),
  },

  // home
  '/pages/tab/index/index': {
    area: 'home',
    title: m.home_title,
    access: 'guest',
    tab: 1,
    nav: 'brand',
    page: () => import('#areas/home/home-page.tsx'),
  },

  // services
  '/pages/tab/service/index': {
    area: 'services',
    title: m.services_title,
    access: 'guest',
    tab: 2,
    page: () => import('#areas/services/services-page.tsx'),
  },
  '/pages/service/search': {
    area: 'services',
    title: m.services_search_title,
    access: 'guest',
    search: { keyWords: optional(text) },
    stays: true,
    page: () => import('#areas/services/search-page.tsx'),
  },

  // messages and tasks
  '/pages/msgCenterTab/newtask/newtask': {
    area: 'messages',
    title: m.messages_title,
    access: 'guest',
    tab: 3,
    search: { isactive: optional(text) },
    page: () => import('#areas/messages/messages-page.tsx'),
  },
  '/pagesA/message/entry': {
    area: 'messages',
    title: m.messages_title,
    access: 'member',
    search: { appId: optional(text), unread: flag },
    stays: true,
    page: () => import('#areas/messages/entry-page.tsx'),
  },
  '/pagesA/message/detail': {
    area: 'messages',
    title: m.messages_detail_title,
    access: 'member',
    search: { id: text },
    page: () => import('#areas/messages/detail-page.tsx'),
  },
  '/msgCenter/pages/task/applicationDetail': {
    area: 'tasks',
    title: m.tasks_detail_title,
    access: 'member',
    search: { id: text },
    page: () => import('#areas/tasks/task-page.tsx'),
  },
  '/msgCenter/pages/task/doneDetail': {
    area: 'tasks',
    title: m.tasks_detail_title,
    access: 'member',
    search: { id: text },
    page: () => import('#areas/tasks/task-page.tsx'),
  },
  '/msgCenter/pages/task/handleRecord': {
    area: 'tasks',
    title: m.tasks_records_title,
    access: 'member',
    search: { id: text },
    page: () => import('#areas/tasks/records-page.tsx'),
  },

  // schedule
  '/pages/tab/schedule/schedule': {
    area: 'schedule',
    title: m.schedule_title,
    access: 'guest',
    tab: 4,
    page: () => import('#areas/schedule/schedule-page.tsx'),
  },
  '/pages/shedul/shedulDetail': {
    area: 'schedule',
    title: m.schedule_detail_title,
    access: 'member',
    search: { id: text, startsAt: optional(text) },
    page: () => import('#areas/schedule/event-page.tsx'),
  },
  '/pages/shedul/timeArea': {
    area: 'schedule',
    title: m.schedule_zone_title,
    access: 'member',
    page: () => import('#areas/schedule/time-zone-page.tsx'),
  },
  '/pages/shedul/calendList': {
    area: 'schedule',
    title: m.schedule_calendars,
    access: 'member',
    page: () => import('#areas/schedule/calendars-page.tsx'),
  },

  // personal
  '/pages/tab/my/my': {
    area: 'personal',
    title: m.personal_title,
    access: 'guest',
    tab: 5,
    page: () => import('#areas/personal/me-page.tsx'),
  },
  '/pages/myInfo/myInfo': {
    area: 'personal',
    title: m.personal_profile,
    access: 'member',
    page: () => import('#areas/personal/profile-page.tsx'),
  },
  '/pages/set/set': {
    area: 'personal',
    title: m.personal_settings,
    access: 'member',
    page: () => import('#areas/personal/settings-page.tsx'),
  },
  '/pages/privacyPolicy/index': {
    area: 'personal',
    title: m.personal_privacy,
    access: 'public',
    page: () => import('#areas/personal/policy-page.tsx'),
  },
  '/pages/privacyPolicy/agreement': {
    area: 'personal',
    title: m.personal_agreement,
    access: 'public',
    page: () => import('#areas/personal/policy-page.tsx'),
  },
  '/pages/about/about': {
    area: 'personal',
    title: m.personal_about,
    access: 'public',
    page: () => import('#areas/personal/about-page.tsx'),
  },
  '/pages/about/privacy': {
    area: 'personal',
    title: m.personal_privacy,
    access: 'public',
    page: () => import('#areas/personal/policy-page.tsx'),
  },
  '/pages/about/agreement': {
    area: 'personal',
    title: m.personal_agreement,
    access: 'public',
    page: () => import('#areas/personal/policy-page.tsx'),
  },

  // login
  '/pages/login/login': {
    area: 'login',
    title: m.login_title,
    access: 'public',
    search: { returnTarget: optional(text) },
    page: () => import('#areas/login/login-page.tsx'),
  },
  '/pages/login/pwdLogin': {
    area: 'login',
    title: m.login_title,
    access: 'public',
    search: { returnTarget: optional(text) },
    page: () => import('#areas/login/login-page.tsx'),
  },
  '/pages/login/userAgreement': {
    area: 'login',
    title: m.login_agreement_title,
    access: 'public',
    page: () => import('#areas/personal/policy-page.tsx'),
  },
  '/pages/login/userPrivacy': {
    area: 'login',
    title: m.login_privacy_title,
    access: 'public',
    page: () => import('#areas/personal/policy-page.tsx'),
  },

  // news
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
    stays: true,
    page: () => import('#areas/news/list-page.tsx'),
  },
  '/pages/newsInfo/newsInfo': {
    area: 'news',
    title: m.news_title,
    access: 'guest',
    search: { columnCode: optional(text) },
    stays: true,
    page: () => import('#areas/news/list-page.tsx'),
  },
  '/pages/msgCenterTab/news/news': {
    area: 'news',
    title: m.news_title,
    access: 'guest',
    search: { columnCode: optional(text), isactive: optional(text) },
    stays: true,
    page: () => import('#areas/news/list-page.tsx'),
  },
  '/pages/channel/channel': {
    area: 'news',
    title: m.news_channel_title,
    access: 'guest',
    nav: 'channel',
    search: { columnCode: optional(text) },
    page: () => import('#areas/news/channel-page.tsx'),
  },
  '/pagesA/news/detail': {
    area: 'news',
    title: m.news_detail_title,
    access: 'guest',
    search: { id: text, columnId: optional(text) },
    page: () => import('#areas/news/detail-page.tsx'),
  },

  // web pages
  '/pages/webview/webview': {
    area: 'webview',
    title: m.webview_title,
    access: 'guest',
    search: { url: text },
    page: () => import('#areas/webview/webview-page.tsx'),
  },
} satisfies Record<string, Screen>

type Map = typeof screens
declare module '#shell/screens.ts' {
  interface Screens extends Map {}
}
