import type { Language } from '@atrium/contract/error-texts'
import type { Mail, Sms } from '#platform/delivery/outbox.ts'

type Code = { to: string; language: Language; code: string; minutes: number }

/** The text warns against sharing the code, because that is how most hijacked accounts are lost. */
export const codeSms = ({ to, language, code, minutes }: Code, school: string): Sms => ({
  to,
  template: `code.${language}`,
  values: { code, minutes: String(minutes) },
  text:
    language === 'zh'
      ? `【${school}】验证码 ${code}，${minutes} 分钟内有效。请勿告诉他人，工作人员不会向你索要。`
      : `[${school}] Your code is ${code}, valid for ${minutes} minutes. Do not share it; our staff never ask for it.`,
})

export const codeMail = ({ to, language, code, minutes }: Code, school: string): Mail => ({
  to,
  values: { code },
  ...(language === 'zh'
    ? {
        subject: `${school}验证码：${code}`,
        text: `你的验证码是 ${code}，${minutes} 分钟内有效。\n\n请勿将验证码告诉他人，工作人员不会向你索要。如果不是你本人操作，请忽略这封邮件。\n\n${school}`,
      }
    : {
        subject: `Your ${school} code: ${code}`,
        text: `Your code is ${code}. It is valid for ${minutes} minutes.\n\nDo not share it; our staff never ask for it. If this was not you, ignore this email.\n\n${school}`,
      }),
})
