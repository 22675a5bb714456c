import { sql } from 'kysely'
import { accountsOf, type PersonalData } from '#platform/personal-data.ts'

export const operatorsPersonalData: PersonalData = {
  operator_grant: {
    column: 'account_id',
    title: { zh: '管理权限', en: 'Operator permissions' },
    rows: (owner) => sql`
      select jsonb_build_object('permission', p.permission, 'organization', p.organization_code) as row
      from operator_permission p where p.account_id = ${accountsOf(owner)}`,
    closing: 'delete',
  },
  audit_entry: {
    column: 'operator_account_id',
    untold: 'what was done as an operator speaks of others, and is the institution’s',
    closing: { keep: 'the institution has to answer for what was done in its name' },
  },
  member_lookup: {
    column: 'account_id',
    untold: 'a counter of the last minute',
    closing: 'delete',
  },
}
