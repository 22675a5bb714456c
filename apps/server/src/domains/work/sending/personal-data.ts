import { sql } from 'kysely'
import { accountsOf, type PersonalData } from '#platform/personal-data.ts'

export const sendingPersonalData: PersonalData = {
  sending: {
    column: 'author_account_id',
    also: ['approver_account_id'],
    title: { zh: '发送的消息', en: 'Messages you have sent' },
    hide: ['key', 'within', 'message_id'],
    closing: {
      anonymise: (owner) =>
        sql`
          update sending set
            author_account_id = case when author_account_id = ${accountsOf(owner)} then null else author_account_id end,
            approver_account_id = case when approver_account_id = ${accountsOf(owner)} then null else approver_account_id end
          where author_account_id = ${accountsOf(owner)} or approver_account_id = ${accountsOf(owner)}`,
    },
  },
  sending_draft: {
    column: 'account_id',
    title: { zh: '正在写的消息', en: 'The message you are writing' },
    closing: 'delete',
  },
  sending_recipient: {
    column: 'account_id',
    untold: 'that the messages in the inbox were sent',
    closing: {
      anonymise: (owner) =>
        sql`update sending_recipient set account_id = null where account_id = ${accountsOf(owner)}`,
    },
  },
}
