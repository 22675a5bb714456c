import { sql } from 'kysely'
import { accountsOf, type PersonalData } from '#platform/personal-data.ts'

export const consentPersonalData: PersonalData = {
  consent: {
    column: 'account_id',
    title: { zh: '授权的应用', en: 'Connected services' },
    rows: (owner) => sql`
      select jsonb_build_object('service', coalesce(nullif(p.name, ''), s.name, p.code), 'attributes', c.attributes,
        'given_at', c.given_at) as row
      from consent c join relying_party p on p.id = c.relying_party_id left join service s on s.id = p.service_id
      where c.account_id = ${accountsOf(owner)} order by c.given_at`,
    closing: 'delete',
  },
  attribute_release: {
    column: 'account_id',
    title: { zh: '提供给应用的信息', en: 'Information shared with services' },
    rows: (owner) => sql`
      select jsonb_build_object('service', coalesce(nullif(p.name, ''), s.name, p.code), 'attributes', r.attributes,
        'first_at', r.first_at, 'last_at', r.last_at, 'times', r.release_count) as row
      from attribute_release r join relying_party p on p.id = r.relying_party_id left join service s on s.id = p.service_id
      where r.account_id = ${accountsOf(owner)} order by r.last_at desc`,
    closing: 'delete',
  },
}
