import type { Language } from '@atrium/contract/error-texts'
import { notifyPerson } from '#domains/identity/members/notify-person.ts'
import type { Db } from '#platform/database/db.ts'

/** Changes a person is notified of, so that changes by an intruder are noticed. */
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
    'codes-renewed': 'New recovery codes were created; the old ones no longer work.',
    'code-used': 'A recovery code was just used.',
    reset: 'An administrator removed all your two-step verification methods.',
  },
}

/** Notifies the person, in the caller's transaction. */
export const notifyFactorChange = (db: Db, personId: string, notice: Notice, language: Language) =>
  notifyPerson(db, personId, { language, what: texts[language][notice] })
