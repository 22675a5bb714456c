import { sql } from 'kysely'
import { accountsOf, type PersonalData } from '#platform/personal-data.ts'

export const notificationsPersonalData: PersonalData = {
  attention_setting: {
    column: 'account_id',
    title: { zh: '通知时间', en: 'When you are notified' },
    rows: (owner) => sql`
      select settings as row from attention_setting where account_id = ${accountsOf(owner)}`,
    closing: 'delete',
  },
  notification_choice: {
    column: 'account_id',
    title: { zh: '通知方式', en: 'How you are notified' },
    rows: (owner) => sql`
      select jsonb_build_object('kind', kind.name, 'channels', choice.channels) as row
      from notification_choice choice join message_kind kind on kind.id = choice.kind_id
      where choice.account_id = ${accountsOf(owner)}`,
    closing: 'delete',
  },
  push_subscription: {
    column: 'account_id',
    title: { zh: '接收通知的设备', en: 'Devices that receive notifications' },
    rows: (owner) => sql`
      select jsonb_build_object('service', split_part(endpoint, '/', 3), 'created_at', created_at) as row
      from push_subscription where account_id = ${accountsOf(owner)}`,
    closing: 'delete',
  },
  notification_waiting: {
    column: 'account_id',
    untold: 'which of the messages above are still to be announced',
    closing: 'delete',
  },
  notification: {
    column: 'account_id',
    untold: 'which of the messages above were announced, for a few days',
    closing: 'delete',
  },
}
