import { sql } from 'kysely'
import { accountsOf, type PersonalData } from '#platform/personal-data.ts'

export const eventsPersonalData: PersonalData = {
  user_event: {
    column: 'account_id',
    title: { zh: '使用记录', en: 'Recorded use' },
    rows: (owner) => sql`
      select jsonb_build_object('occurred_at', occurred_at, 'name', name, 'detail', detail, 'object', object_name,
        'result', result, 'os', os_name, 'device', device_type, 'user_agent', user_agent) as row
      from user_event where account_id = ${accountsOf(owner)} order by occurred_at desc limit 50000`,
    closing: {
      anonymise: (owner) => sql`
        update user_event set account_id = null, operator_code = '', operator_name = '', operator_role_name = '',
          operator_user_type = '', operator_organization_code = '', operator_organization_detail = '',
          operator_organization_name = '', user_agent = ''
        where account_id = ${accountsOf(owner)}`,
    },
  },
}
