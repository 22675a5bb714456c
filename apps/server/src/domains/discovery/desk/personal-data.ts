import { sql } from 'kysely'
import { accountsOf, type PersonalData } from '#platform/personal-data.ts'

export const deskPersonalData: PersonalData = {
  desk_agent: {
    column: 'account_id',
    title: { zh: '你所在的服务台', en: 'Service desks you answer at' },
    rows: (owner) => sql`
      select jsonb_build_object('desk', desk.name) as row
      from desk_agent join desk on desk.id = desk_agent.desk_id
      where desk_agent.account_id = ${accountsOf(owner)} order by desk.id`,
    closing: 'delete',
  },
  desk_case: {
    column: 'agent_account_id',
    title: { zh: '你接待的对话', en: 'Conversations you have taken' },
    rows: (owner) => sql`
      select jsonb_build_object('state', state, 'requested_at', requested_at) as row
      from desk_case where agent_account_id = ${accountsOf(owner)} order by dialog_id`,
    closing: {
      anonymise: (owner) => sql`
        update desk_case set agent_account_id = null, state = case state when 'agent' then 'waiting' else state end
        where agent_account_id = ${accountsOf(owner)}`,
    },
  },
}
