import { degrees } from '#areas/system/degrees.ts'
import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/screens.ts'
import { flag, optional, text } from '#shell/search.ts'

/** Map 1: every screen. Paths are the specification's; everything else is ours. */
export const screens = {
  // shell
  '/': {
    area: 'shell',
    title: m.home_title,
    access: 'guest',
    page: () => import('#shell/entry-page.tsx'),
  },
  '/pages/h5/index': {
    area: 'shell',
    title: m.home_title,
    access: 'guest',
    page: () => import('#shell/entry-page.tsx'),
  },
  '/pages/openPage/openPage': {
    area: 'shell',
    title: m.shell_opening_title,
    access: 'guest',
    bare: true,
    page: () => import('#shell/opening-page.tsx'),
  },
  '/pages/fenliu/fenliu': {
    area: 'shell',
    title: m.shell_diversion_title,
    access: 'member',
    bare: true,
    page: () => import('#shell/diversion-page.tsx'),
  },
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

  // home
  '/pages/tab/index/index': {
    area: 'home',
    title: m.home_title,
    access: 'guest',
    tab: 1,
    nav: 'brand',
    page: () => import('#areas/home/home-page.tsx'),
  },

  // scan
  '/pages/scanCode/plainText': {
    area: 'scan',
    title: m.scan_result_title,
    access: 'guest',
    search: { text },
    page: () => import('#areas/scan/plain-text-page.tsx'),
  },
  '/pages/tab/index/clean': {
    area: 'home',
    title: m.home_title,
    access: 'guest',
    nav: 'brand',
    bare: true,
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
  // sessions
  '/pages/set/devices': {
    area: 'sessions',
    title: m.sessions_devices_title,
    access: 'member',
    page: () => import('#areas/sessions/devices-page.tsx'),
  },
  '/pages/set/signInRecords': {
    area: 'sessions',
    title: m.sessions_records_title,
    access: 'member',
    page: () => import('#areas/sessions/records-page.tsx'),
  },

  // policies
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
  '/pages/privacyPolicy/privacyGuidelines': {
    area: 'personal',
    title: m.personal_privacy_guidelines,
    access: 'public',
    page: () => import('#areas/personal/policy-page.tsx'),
  },
  '/pages/privacyPolicy/faceProtocol': {
    area: 'personal',
    title: m.personal_privacy_face,
    access: 'public',
    page: () => import('#areas/personal/policy-page.tsx'),
  },
  '/pages/privacyPolicy/personalInformation': {
    area: 'personal',
    title: m.personal_privacy_information,
    access: 'public',
    page: () => import('#areas/personal/policy-page.tsx'),
  },
  '/pages/privacyPolicy/thirdParty': {
    area: 'personal',
    title: m.personal_privacy_third_party,
    access: 'public',
    page: () => import('#areas/personal/policy-page.tsx'),
  },
  '/pages/privacyPolicy/privacyProtection': {
    area: 'personal',
    title: m.personal_privacy_protection,
    access: 'public',
    page: () => import('#areas/personal/policy-page.tsx'),
  },
  '/pages/about/detail': {
    area: 'personal',
    title: m.personal_about_detail,
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

  // privacy
  '/pages/privacy/privacy': {
    area: 'privacy',
    title: m.privacy_title,
    access: 'member',
    page: () => import('#areas/privacy/privacy-page.tsx'),
  },
  '/pages/privacy/privacySet': {
    area: 'privacy',
    title: m.privacy_settings_title,
    access: 'member',
    page: () => import('#areas/privacy/settings-page.tsx'),
  },
  '/pages/privacy/blackList': {
    area: 'privacy',
    title: m.privacy_blocked_title,
    access: 'member',
    page: () => import('#areas/privacy/black-list-page.tsx'),
  },
  '/pages/privacy/closeAccount': {
    area: 'privacy',
    title: m.privacy_closing_title,
    access: 'member',
    page: () => import('#areas/privacy/close-account-page.tsx'),
  },

  // account security
  '/pagesA/safeSet/safeSet': {
    area: 'account',
    title: m.account_title,
    access: 'member',
    page: () => import('#areas/account/security-page.tsx'),
  },
  '/pagesA/loginWay/loginWay': {
    area: 'account',
    title: m.account_ways,
    access: 'member',
    page: () => import('#areas/account/login-ways-page.tsx'),
  },
  '/pages/modifyPwd/modifyPwd': {
    area: 'account',
    title: m.account_password_title,
    access: 'member',
    page: () => import('#areas/account/change-password-page.tsx'),
  },
  '/pages/modifyPwd/verfityPwd': {
    area: 'account',
    title: m.account_confirm_title,
    access: 'member',
    search: { next: optional(text), returnTarget: optional(text) },
    page: () => import('#areas/account/verify-password-page.tsx'),
  },
  '/pages/modifyPwd/newPhone': {
    area: 'account',
    title: m.account_mobile_title,
    access: 'member',
    page: () => import('#areas/account/new-phone-page.tsx'),
  },
  '/pages/modifyPwd/oldPhone': {
    area: 'account',
    title: m.account_prove_mobile_title,
    access: 'member',
    search: { next: optional(text) },
    page: () => import('#areas/account/old-phone-page.tsx'),
  },
  '/pages/modifyPwd/email': {
    area: 'account',
    title: m.account_email_title,
    access: 'member',
    page: () => import('#areas/account/email-page.tsx'),
  },
  '/pages/modifyPwd/oldEmail': {
    area: 'account',
    title: m.account_prove_email_title,
    access: 'member',
    search: { next: optional(text) },
    page: () => import('#areas/account/old-email-page.tsx'),
  },
  '/pages/modifyPwd/safeQuestionShow': {
    area: 'account',
    title: m.account_questions,
    access: 'member',
    page: () => import('#areas/account/show-questions-page.tsx'),
  },
  '/pages/modifyPwd/safeQuestionSet': {
    area: 'account',
    title: m.account_questions_set,
    access: 'member',
    page: () => import('#areas/account/set-questions-page.tsx'),
  },
  '/pages/modifyPwd/modifyQuestion': {
    area: 'account',
    title: m.account_questions_change,
    access: 'member',
    page: () => import('#areas/account/set-questions-page.tsx'),
  },
  '/pages/modifyPwd/oldQuestion': {
    area: 'account',
    title: m.account_answers_title,
    access: 'member',
    search: { next: optional(text) },
    page: () => import('#areas/account/old-question-page.tsx'),
  },
  '/pages/modifyPwd/verfityQuestion': {
    area: 'account',
    title: m.account_answers_title,
    access: 'member',
    search: { next: optional(text) },
    page: () => import('#areas/account/verify-question-page.tsx'),
  },
  '/pages/modifyPwd/qPhone': {
    area: 'account',
    title: m.account_prove_mobile_title,
    access: 'member',
    search: { next: optional(text) },
    page: () => import('#areas/account/questions-phone-page.tsx'),
  },
  '/pages/modifyPwd/qEmail': {
    area: 'account',
    title: m.account_prove_email_title,
    access: 'member',
    search: { next: optional(text) },
    page: () => import('#areas/account/questions-email-page.tsx'),
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
  '/pages/login/accountLogin': {
    area: 'login',
    title: m.login_title,
    access: 'public',
    search: { returnTarget: optional(text) },
    page: () => import('#areas/login/login-page.tsx'),
  },
  '/pages/login/changAccount': {
    area: 'login',
    title: m.login_account_change,
    access: 'public',
    page: () => import('#areas/login/change-account-page.tsx'),
  },
  '/pages/set/changeAccount': {
    area: 'login',
    title: m.login_account_change,
    access: 'member',
    page: () => import('#areas/login/change-account-page.tsx'),
  },
  '/pages/login/codeLogin': {
    area: 'passwordless',
    title: m.passwordless_title,
    access: 'public',
    search: { returnTarget: optional(text) },
    page: () => import('#areas/passwordless/code-login-page.tsx'),
  },
  '/pages/login/forgotten': {
    area: 'passwordless',
    title: m.passwordless_forgotten_title,
    access: 'public',
    page: () => import('#areas/passwordless/recovery-page.tsx'),
  },
  '/pages/login/activate': {
    area: 'passwordless',
    title: m.passwordless_activate_title,
    access: 'public',
    page: () => import('#areas/passwordless/recovery-page.tsx'),
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

  // second factor
  '/pagesA/safeSet/secondFactor': {
    area: 'second-factor',
    title: m.second_factor_title,
    access: 'member',
    page: () => import('#areas/second-factor/second-factor-page.tsx'),
  },
  '/pagesA/safeSet/passkeys': {
    area: 'second-factor',
    title: m.second_factor_passkeys_title,
    access: 'member',
    page: () => import('#areas/second-factor/passkeys-page.tsx'),
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

  // pages of the system
  '/preview-image': {
    area: 'system',
    title: m.system_pictures,
    access: 'guest',
    search: { urls: text, current: optional(text) },
    page: () => import('#areas/system/preview-image-page.tsx'),
  },
  '/choose-location': {
    area: 'system',
    title: m.system_choose_location,
    access: 'guest',
    page: () => import('#areas/system/choose-location-page.tsx'),
  },
  '/open-location': {
    area: 'system',
    title: m.system_location,
    access: 'guest',
    search: {
      latitude: degrees(90),
      longitude: degrees(180),
      name: optional(text),
      address: optional(text),
    },
    page: () => import('#areas/system/open-location-page.tsx'),
  },

  // web pages
  '/pages/webview/webview': {
    area: 'webview',
    title: m.webview_title,
    access: 'guest',
    search: { url: text },
    page: () => import('#areas/webview/webview-page.tsx'),
  },
  '/pages/webview/plus-webview': {
    area: 'webview',
    title: m.webview_title,
    access: 'guest',
    search: { url: text },
    page: () => import('#areas/webview/webview-page.tsx'),
  },
  '/pages/webview/tab-webview-1': {
    area: 'webview',
    title: m.webview_title,
    access: 'guest',
    tabInstead: 1,
    page: () => import('#areas/webview/configured-page.tsx'),
  },
  '/pages/webview/tab-webview-2': {
    area: 'webview',
    title: m.webview_title,
    access: 'guest',
    tabInstead: 2,
    page: () => import('#areas/webview/configured-page.tsx'),
  },
  '/pages/webview/tab-webview-3': {
    area: 'webview',
    title: m.webview_title,
    access: 'guest',
    tabInstead: 3,
    page: () => import('#areas/webview/configured-page.tsx'),
  },
  '/pages/webview/tab-webview-4': {
    area: 'webview',
    title: m.webview_title,
    access: 'guest',
    tabInstead: 4,
    page: () => import('#areas/webview/configured-page.tsx'),
  },
  '/pages/webview/tab-webview-5': {
    area: 'webview',
    title: m.webview_title,
    access: 'guest',
    tabInstead: 5,
    page: () => import('#areas/webview/configured-page.tsx'),
  },
  '/pages/webview/news-webview': {
    area: 'webview',
    title: m.news_title,
    access: 'guest',
    page: () => import('#areas/webview/configured-page.tsx'),
  },
  '/pages/webview/newtask-webview': {
    area: 'webview',
    title: m.webview_tasks_title,
    access: 'member',
    page: () => import('#areas/webview/configured-page.tsx'),
  },
  '/pages/webview/schedule-webview': {
    area: 'webview',
    title: m.schedule_title,
    access: 'member',
    tabInstead: 4,
    page: () => import('#areas/webview/configured-page.tsx'),
  },
} satisfies Record<string, Screen>

type Map = typeof screens
declare module '#shell/screens.ts' {
  interface Screens extends Map {}
}
