import { sql } from 'kysely'
import { accountsOf, type PersonalData } from '#platform/personal-data.ts'

export const servicesPersonalData: PersonalData = {
  service_use: {
    column: 'account_id',
    title: { zh: '使用过的服务', en: 'Services used' },
    rows: (owner) => sql`
      select jsonb_build_object('service', s.name, 'use_count', u.use_count, 'seconds', u.seconds,
        'last_used_at', u.last_used_at) as row
      from service_use u join service s on s.id = u.service_id
      where u.account_id = ${accountsOf(owner)} order by u.last_used_at desc`,
    closing: 'delete',
  },
  service_guide_alert: {
    column: 'account_id',
    title: { zh: '不再提示的办事指南', en: 'Guides not shown again' },
    rows: (owner) => sql`
      select jsonb_build_object('service', s.name, 'created_at', g.created_at) as row
      from service_guide_alert g join service s on s.id = g.service_id
      where g.account_id = ${accountsOf(owner)} order by g.created_at`,
    closing: 'delete',
  },
}
