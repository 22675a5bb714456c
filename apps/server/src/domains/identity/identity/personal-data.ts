import { sql } from 'kysely'
import { accountsOf, type PersonalData } from '#platform/personal-data.ts'

export const identityPersonalData: PersonalData = {
  person: {
    column: 'id',
    title: { zh: '个人资料', en: 'Profile' },
    hide: ['id', 'password_hash', 'portrait_file_id'],
    closing: {
      anonymise: ({ personId }) => sql`
        update person set name = '已注销用户', name_en = 'Closed account', external_key = null, mobile = '', email = '',
          mobile_verified_at = null, email_verified_at = null, portrait_file_id = null, password_hash = null, time_zone = null
        where id = ${personId}`,
    },
  },
  account: {
    column: 'person_id',
    title: { zh: '账号', en: 'Accounts' },
    rows: (owner) => sql`
      select jsonb_build_object('username', a.username, 'identity', i.name, 'organization', o.name, 'status', a.status,
        'created_at', a.created_at) as row
      from account a join identity_type i on i.code = a.identity_type_code join organization o on o.id = a.organization_id
      where a.id = ${accountsOf(owner)} order by a.id`,
    // The row stays, because retained records refer to it; the username becomes available again.
    closing: {
      anonymise: (owner) =>
        sql`update account set status = 'disabled', username = 'closed-' || id where id = ${accountsOf(owner)}`,
    },
  },
  group_member: {
    column: 'account_id',
    title: { zh: '所在群组', en: 'Groups' },
    rows: (owner) => sql`
      select jsonb_build_object('group', g.name) as row from group_member m join member_group g on g.id = m.group_id
      where m.account_id = ${accountsOf(owner)} order by g.name`,
    closing: 'delete',
  },
  account_name_word: {
    column: 'account_id',
    untold: 'what the name and the username are found by',
    closing: 'delete',
  },
  account_name_due: { column: 'account_id', untold: 'lives for a second', closing: 'delete' },
  session: {
    column: 'account_id',
    title: { zh: '登录设备', en: 'Sessions' },
    hide: ['id', 'account_id', 'secret_hash', 'central_session_id', 'federated_login_id'],
    closing: 'delete',
  },
  known_device: {
    column: 'person_id',
    title: { zh: '用过的设备', en: 'Known devices' },
    hide: ['person_id', 'key_hash'],
    closing: 'delete',
  },
  authentication_log: {
    column: 'person_id',
    also: ['account_id'],
    title: { zh: '登录记录', en: 'Sign-in log' },
    hide: ['id', 'person_id', 'account_id'],
    closing: 'delete',
  },
  sign_in: {
    column: 'person_id',
    also: ['account_id'],
    untold: 'lives for ten minutes',
    closing: 'delete',
  },
}
