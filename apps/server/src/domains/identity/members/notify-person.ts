import type { Language } from '@atrium/contract/error-texts'
import type { Db } from '#platform/database/db.ts'
import { sendMail, sendSms } from '#platform/delivery/outbox.ts'

/**
 * Notifies a person of a changed sign-in method, by mail, or by short message if there is no address; in the caller's
 * transaction.
 * @param what a sentence in this language; in Chinese its predicate
 * @param undo additional advice, appended after "change your password"
 */
export async function notifyPerson(
  db: Db,
  personId: string,
  { language, what, undo = '' }: { language: Language; what: string; undo?: string },
) {
  const person = await db
    .selectFrom('person')
    .select(['email', 'mobile'])
    .where('id', '=', personId)
    .executeTakeFirst()
  if (!person) return
  if (person.email) await sendMail(db, { to: person.email, ...mail(language, what, undo) })
  else if (person.mobile)
    await sendSms(db, {
      to: person.mobile,
      text:
        language === 'zh'
          ? `你的账号${what}。如非本人操作，请立即修改密码并联系学校信息部门。`
          : `Your account: ${what} If this was not you, change your password and contact your IT department.`,
      template: 'security_notice',
      values: { what },
    })
}

const mail = (language: Language, what: string, undo: string) =>
  language === 'zh'
    ? {
        subject: '账号安全提醒',
        text: `你好：

你的账号${what}。

如非本人操作，请立即修改密码${undo}，并联系学校信息部门。`,
      }
    : {
        subject: 'Your account’s security',
        text: `Hello,

${what}

If this was not you, please change your password at once${undo} and contact your IT department.`,
      }
