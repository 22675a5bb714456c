import type { IncomingHttpHeaders } from 'node:http'
import type { Language } from '@atrium/contract/error-texts'
import { type Appearance, readAppearance } from '@atrium/rules/appearance'
import { pageLanguage } from '#platform/http/server-page.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'

export const texts = {
  zh: {
    title: '统一身份认证',
    username: '学号 / 工号',
    password: '密码',
    submit: '登录',
    forgotten: '忘记密码',
    activate: '激活账号',
    otherWays: '其他登录方式',
    agreeTo: ['登录即表示同意', '《用户协议》', '和', '《隐私政策》'],
    other: 'English',
    signedIn: (name: string) => `${name}，你已登录`,
    signedInHint: '可以关闭此页面，或前往门户。',
    signedOut: '已退出登录',
    signedOutHint: '为了账号安全，请关闭浏览器。',
    refused: '无法登录该应用',
    portal: '前往门户',
    intro: '使用学校账号登录，即可访问已接入的应用。',
    demo: '演示账号',
    demoHint: '密码',
    retry: (seconds: number) =>
      seconds < 120 ? `请在 ${seconds} 秒后重试` : `请在 ${Math.ceil(seconds / 60)} 分钟后重试`,
    goingTo: (service: string) => `登录后将前往“${service}”`,
    warn: '登录其他应用前提醒我',
    remember: (days: number) => `在此设备上保持登录 ${days} 天`,
    consent: (service: string) => `“${service}”需要你的授权`,
    consentIntro: (name: string) => `${name}，登录该应用后，它将获得以下信息：`,
    purpose: '用途',
    offline: '退出登录后，它仍可继续获取以上信息，直到你撤回授权。',
    agree: '同意并继续',
    decline: '不同意',
    consentHint: '你可以随时在门户的“授权管理”中撤回。',
    declined: '你没有授权',
    declinedHint: (service: string) => `“${service}”没有获得你的任何信息，你也没有登录该应用。`,
    warned: (service: string) => `即将登录“${service}”`,
    warnedHint: (name: string) => `你当前的身份是 ${name}。`,
    go: '继续',
    stay: '不登录',
    stayed: '没有登录',
    stayedHint: (service: string) => `你没有登录“${service}”。`,
    logout: '退出所有应用？',
    logoutHint: '退出后，门户和其他已登录的应用也会一并退出。',
    logoutYes: '全部退出',
    logoutNo: '只退出该应用',
    post: (service: string) => `返回“${service}”`,
    postHint: '身份验证已完成。',
  },
  en: {
    title: 'Sign in',
    username: 'Student or staff number',
    password: 'Password',
    submit: 'Sign in',
    forgotten: 'Forgot password?',
    activate: 'Activate an account',
    otherWays: 'Other ways to sign in',
    agreeTo: [
      'By signing in you agree to the ',
      'user agreement',
      ' and the ',
      'privacy statement',
    ],
    other: '简体中文',
    signedIn: (name: string) => `You are signed in, ${name}`,
    signedInHint: 'You can close this page or go to the portal.',
    signedOut: 'You are signed out',
    signedOutHint: 'On a shared device, please close the browser.',
    refused: 'You cannot sign in to this service',
    portal: 'Go to the portal',
    intro: 'Sign in once with your university account for every connected service.',
    demo: 'Demo accounts',
    demoHint: 'Password',
    retry: (seconds: number) =>
      seconds < 120
        ? `Please try again in ${seconds} seconds`
        : `Please try again in ${Math.ceil(seconds / 60)} minutes`,
    goingTo: (service: string) => `After signing in, you will continue to ${service}`,
    warn: 'Ask me before signing me in to another service',
    remember: (days: number) => `Keep me signed in on this device for ${days} days`,
    consent: (service: string) => `${service} needs your permission`,
    consentIntro: (name: string) => `${name}, when you sign in to this service, it receives:`,
    purpose: 'Purpose',
    offline:
      'It can still get this information after you sign out, until you withdraw the authorisation.',
    agree: 'Agree and continue',
    decline: 'Do not agree',
    consentHint: 'You can withdraw this at any time in the portal, under Connected services.',
    declined: 'You have not agreed',
    declinedHint: (service: string) =>
      `${service} has received no information about you, and you are not signed in there.`,
    warned: (service: string) => `You are about to sign in to ${service}`,
    warnedHint: (name: string) => `You are signed in as ${name}.`,
    go: 'Continue',
    stay: 'Do not sign in',
    stayed: 'Not signed in',
    stayedHint: (service: string) => `You have not been signed in to ${service}.`,
    logout: 'Sign out everywhere?',
    logoutHint: 'The portal and every other service you are signed in to will be signed out too.',
    logoutYes: 'Sign out everywhere',
    logoutNo: 'Sign out of this service only',
    post: (service: string) => `Back to ${service}`,
    postHint: 'Your identity has been verified.',
  },
}

/** Common data of all pages: the language, the institution, and the reader's display settings from the portal. */
export type Frame = {
  language: Language
  school: string
  logoUrl: string
  appearance: Appearance
}

/** @param wanted language from the address */
export async function readFrame(
  platform: Platform,
  wanted: string | undefined,
  headers: IncomingHttpHeaders,
): Promise<Frame> {
  const { schoolName, schoolNameEn, logoUrl } = await currentSettings(platform)
  const language = pageLanguage(wanted, headers)
  const school = language === 'zh' ? schoolName : schoolNameEn
  return { language, school, logoUrl, appearance: readAppearance(headers.cookie) }
}
