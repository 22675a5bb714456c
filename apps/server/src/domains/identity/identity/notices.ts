import type { Language } from '@atrium/contract/error-texts'
import type { FastifyRequest } from 'fastify'
import type { Db } from '#platform/database/db.ts'
import { sendMail, sendSms } from '#platform/delivery/outbox.ts'
import { languageOf } from '#platform/http/negotiation.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'

/** Changes a person is notified of, at their previous contacts. */
export type SecurityEvent =
  | 'password'
  | 'passwordReset'
  | 'passwordFirst'
  | 'mobile'
  | 'mobileRemoved'
  | 'email'
  | 'emailRemoved'
  | 'questions'
  | 'questionsRemoved'
  | 'smsLoginOn'
  | 'smsLoginOff'
  | 'calendarPassword'

const eventTexts: Record<Language, Record<SecurityEvent, string>> = {
  zh: {
    password: '登录密码已修改',
    passwordReset: '登录密码已通过验证码重设',
    passwordFirst: '登录密码已首次设置',
    mobile: '绑定的手机号已变更',
    mobileRemoved: '手机号已解除绑定',
    email: '绑定的邮箱已变更',
    emailRemoved: '邮箱已解除绑定',
    questions: '密保问题已修改',
    questionsRemoved: '密保问题已删除',
    smsLoginOn: '短信验证码登录已开启',
    smsLoginOff: '短信验证码登录已关闭',
    calendarPassword: '新的日历专用密码已生成',
  },
  en: {
    password: 'the password was changed',
    passwordReset: 'the password was reset with a code',
    passwordFirst: 'a password was set for the first time',
    mobile: 'the mobile number was changed',
    mobileRemoved: 'the mobile number was removed',
    email: 'the email address was changed',
    emailRemoved: 'the email address was removed',
    questions: 'the security questions were changed',
    questionsRemoved: 'the security questions were removed',
    smsLoginOn: 'signing in by text message was turned on',
    smsLoginOff: 'signing in by text message was turned off',
    calendarPassword: 'an app password for calendars was created',
  },
}

/** The recipient: account name and the person's contacts. */
export type NoticeRecipient = { username: string; mobile: string; email: string }

/**
 * Notifies the person at both contacts, in the transaction of the change, so that an intruder cannot suppress the
 * notice.
 */
export async function sendSecurityNotice(
  { platform, request }: { platform: Platform; request: FastifyRequest },
  db: Db,
  recipient: NoticeRecipient,
  event: SecurityEvent,
) {
  const language = languageOf(request.headers['accept-language'])
  const { schoolName, schoolNameEn } = await currentSettings(platform)
  await sendSecurityNoticeIn(
    language,
    language === 'zh' ? schoolName : schoolNameEn,
    db,
    recipient,
    event,
  )
}

/** As `sendSecurityNotice`, in a given language, for changes without a request. */
export async function sendSecurityNoticeIn(
  language: Language,
  school: string,
  db: Db,
  { username, mobile, email }: NoticeRecipient,
  event: SecurityEvent,
) {
  const what = eventTexts[language][event]
  if (mobile)
    await sendSms(db, {
      to: mobile,
      template: `account.${language}`,
      values: { username, what },
      text:
        language === 'zh'
          ? `【${school}】账号 ${username} 的${what}。如非本人操作，请立即联系学校信息部门。`
          : `[${school}] Account ${username}: ${what}. If this was not you, contact your IT department at once.`,
    })
  if (email)
    await sendMail(
      db,
      language === 'zh'
        ? {
            to: email,
            subject: `账号安全提醒：${what}`,
            text: `你的账号 ${username} 的${what}。\n\n如果是你本人操作，无需理会这封邮件。\n如果不是，请立即联系学校信息部门，账号可能已被他人使用。\n\n${school}`,
          }
        : {
            to: email,
            subject: `Account security: ${what}`,
            text: `For your account ${username}, ${what}.\n\nIf this was you, there is nothing to do.\nIf it was not, contact your IT department at once: somebody else may be using your account.\n\n${school}`,
          },
    )
}
