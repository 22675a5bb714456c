import { sql } from 'kysely'
import { accountsOf, type PersonalData } from '#platform/personal-data.ts'

export const serviceCataloguePersonalData: PersonalData = {
  service_placement_cancel: {
    column: 'account_id',
    title: { zh: '移除的部门推荐服务', en: 'Departments’ services taken off' },
    rows: (owner) => sql`
      select jsonb_build_object('service', s.name, 'created_at', c.created_at) as row
      from service_placement_cancel c join service s on s.id = c.service_id
      where c.account_id = ${accountsOf(owner)} order by c.created_at desc`,
    closing: 'delete',
  },
  service_owner: {
    column: 'account_id',
    title: { zh: '负责的服务', en: 'Services answered for' },
    rows: (owner) => sql`
      select jsonb_build_object('service', s.name, 'created_at', o.created_at) as row
      from service_owner o join service s on s.id = o.service_id
      where o.account_id = ${accountsOf(owner)} order by s.name`,
    closing: 'delete',
  },
}
