import { sql } from 'kysely'
import type { PersonalData } from '#platform/personal-data.ts'

export const federationPersonalData: PersonalData = {
  federated_identity: {
    column: 'person_id',
    title: { zh: '绑定的第三方登录', en: 'Linked sign-ins' },
    rows: ({ personId }) => sql`
      select jsonb_build_object('provider', p.name, 'subject', i.subject, 'display', i.display, 'created_at', i.created_at,
        'last_used_at', i.last_used_at) as row
      from federated_identity i join identity_provider p on p.id = i.provider_id
      where i.person_id = ${personId} order by i.id`,
    closing: 'delete',
  },
}
