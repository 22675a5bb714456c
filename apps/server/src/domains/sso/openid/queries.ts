import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'

/** A member's claims, before empty values are removed. */
export type Member = {
  username: string
  name: string
  identityTypeCode: string
  identityTypeName: string
  organizationCode: string
  organizationName: string
  email: string
  /** whether the address was confirmed by a code; null without an address */
  email_verified: boolean | null
  phone_number: string
  phone_number_verified: boolean | null
  groups: string[]
}

export async function findMember(db: Db, accountId: string): Promise<Member | undefined> {
  const { rows } = await sql<Member>`
    select account.username, person.name, person.email, person.mobile as phone_number,
      case when person.email <> '' then person.email_verified_at is not null end as email_verified,
      case when person.mobile <> '' then person.mobile_verified_at is not null end as phone_number_verified,
      account.identity_type_code as "identityTypeCode", identity_type.name as "identityTypeName",
      organization.code as "organizationCode", organization.name as "organizationName",
      array(select g.code from group_member m join member_group g on g.id = m.group_id
        where m.account_id = account.id order by g.code) as groups
    from account
    join person on person.id = account.person_id
    join identity_type on identity_type.code = account.identity_type_code
    join organization on organization.id = account.organization_id
    where account.id = ${accountId}::bigint and account.status = 'active'`.execute(db)
  return rows[0]
}
