import type { Language } from '@atrium/contract/error-texts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '../config/queries.ts'

/** Everybody knows these; a database that holds them is never used for real. */
export const demoUsernames = ['student', 'teacher', 'staff', 'admin']
export const demoPassword = 'Atrium-demo-2026'

export const texts = {
  zh: {
    title: '统一身份认证',
    username: '学号 / 工号',
    password: '密码',
    submit: '登录',
    other: 'English',
    signedIn: (name: string) => `${name}，你已登录`,
    signedInHint: '可以关闭此页面，或前往门户。',
    signedOut: '已退出登录',
    signedOutHint: '为了帐号安全，请关闭浏览器。',
    refused: '无法登录该应用',
    portal: '前往门户',
    intro: '使用学校帐号登录，即可访问已接入的应用。',
    demo: '演示帐号',
    demoHint: '密码',
    retry: (seconds: number) => `请在 ${seconds} 秒后重试`,
  },
  en: {
    title: 'Sign in',
    username: 'Student or staff number',
    password: 'Password',
    submit: 'Sign in',
    other: '简体中文',
    signedIn: (name: string) => `You are signed in, ${name}`,
    signedInHint: 'You can close this page or go to the portal.',
    signedOut: 'You are signed out',
    signedOutHint: 'On a shared device, please close the browser.',
    refused: 'This service cannot be signed in to',
    portal: 'Go to the portal',
    intro: 'Sign in once with your university account for every connected service.',
    demo: 'Demo accounts',
    demoHint: 'Password',
    retry: (seconds: number) => `Please try again in ${seconds} seconds`,
  },
}

/** How the institution shows itself. */
export type School = Record<Language, string> & { logoUrl: string }

export async function readSchool(platform: Platform): Promise<School> {
  const { schoolName, schoolNameEn, logoUrl } = await currentSettings(platform)
  return { zh: schoolName, en: schoolNameEn, logoUrl }
}
