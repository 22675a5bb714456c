import type { Language } from '@atrium/contract/error-texts'
import type { Db } from '#platform/db.ts'
import { sendMail, sendSms } from '#platform/outbox.ts'

/** What a person is told of, so that a change somebody else made does not stay unseen. */
export type Notice =
  | 'totp-added'
  | 'totp-removed'
  | 'passkey-added'
  | 'passkey-removed'
  | 'codes-renewed'
  | 'code-used'
  | 'reset'

const texts: Record<Language, Record<Notice, string>> = {
  zh: {
    'totp-added': '已添加身份验证器，登录时可用它生成验证码',
    'totp-removed': '已移除身份验证器',
    'passkey-added': '已添加一个通行密钥',
    'passkey-removed': '已删除一个通行密钥',
    'codes-renewed': '已重新生成恢复码，之前的恢复码全部失效',
    'code-used': '刚刚使用了一个恢复码进行验证',
    reset: '管理员已清除全部两步验证方式',
  },
  en: {
    'totp-added': 'An authenticator app was added.',
    'totp-removed': 'The authenticator app was removed.',
    'passkey-added': 'A passkey was added.',
    'passkey-removed': 'A passkey was removed.',
    'codes-renewed': 'New recovery codes were made; the ones before are void.',
    'code-used': 'A recovery code was just used.',
    reset: 'An administrator removed every way of two-step verification.',
  },
}

/** Tells the person by mail, or by a short message where no address is known; in the caller's transaction. */
export async function tell(db: Db, personId: string, notice: Notice, language: Language) {
  const person = await db
    .selectFrom('person')
    .select(['email', 'mobile'])
    .where('id', '=', personId)
    .executeTakeFirst()
  if (!person) return
  const what = texts[language][notice]
  if (person.email) await sendMail(db, { to: person.email, ...mail(what, language) })
  else if (person.mobile)
    await sendSms(db, {
      to: person.mobile,
      text:
        language === 'zh'
          ? `你的帐号${what}。如非本人操作，请立即修改密码并联系学校信息部门。`
          : `Your account: ${what} If this was not you, change your password and contact your IT department.`,
      template: 'security_notice',
      values: { what },
    })
}

const mail = (what: string, language: Language) =>
  language === 'zh'
    ? {
        subject: '帐号安全提醒',
        text: `你好：

你的帐号${what}。

如非本人操作，请立即修改密码，并联系学校信息部门。`,
      }
    : {
        subject: 'Your account’s security',
        text: `Hello,

${what}

If this was not you, please change your password at once and contact your IT department.`,
      }
