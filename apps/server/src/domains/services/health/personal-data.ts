import { sql } from 'kysely'
import { accountsOf, type PersonalData } from '#platform/personal-data.ts'

export const healthPersonalData: PersonalData = {
  service_report: {
    column: 'account_id',
    title: { zh: '报告过打不开的服务', en: 'Services reported as not opening' },
    rows: (owner) => sql`
      select jsonb_build_object('service', s.name, 'reported_at', r.reported_at) as row
      from service_report r join service s on s.id = r.service_id
      where r.account_id = ${accountsOf(owner)} order by r.reported_at desc`,
    closing: 'delete',
  },
}
