import { sql } from 'kysely'
import { accountsOf, type PersonalData } from '#platform/personal-data.ts'

export const privacyPersonalData: PersonalData = {
  privacy_setting: {
    column: 'account_id',
    title: { zh: '隐私设置', en: 'Privacy settings' },
    hide: ['account_id'],
    closing: 'delete',
  },
  member_block: {
    column: 'account_id',
    also: ['blocked_account_id'],
    title: { zh: '黑名单', en: 'Blocked members' },
    rows: (owner) => sql`
      select jsonb_build_object('name', p.name, 'created_at', b.created_at) as row
      from member_block b join account a on a.id = b.blocked_account_id join person p on p.id = a.person_id
      where b.account_id = ${accountsOf(owner)} order by b.created_at`,
    closing: 'delete',
  },
  account_closing: {
    column: 'person_id',
    also: ['account_id'],
    title: { zh: '注销申请', en: 'Closing requests' },
    hide: ['id', 'person_id', 'account_id'],
    closing: { keep: 'shows that the closing was asked for' },
  },
  personal_export: {
    column: 'person_id',
    also: ['account_id'],
    untold: 'this very file',
    closing: 'delete',
  },
}
