import { sql } from 'kysely'
import { accountsOf, type PersonalData } from '#platform/personal-data.ts'

export const scimPersonalData: PersonalData = {
  scim_user: {
    column: 'account_id',
    title: { zh: '由其他系统提供的资料', en: 'Pushed by another system' },
    rows: (owner) => sql`
      select jsonb_build_object('system', c.name, 'key', u.external_id, 'resource', u.resource, 'updated_at', u.updated_at) as row
      from scim_user u join scim_client c on c.id = u.client_id where u.account_id = ${accountsOf(owner)}`,
    closing: 'delete',
  },
}
