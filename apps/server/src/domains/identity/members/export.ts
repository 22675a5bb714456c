import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { csvHead as head, csvLine as line } from '#platform/ingest/csv.ts'
import { organizationFields } from './import-organizations.ts'
import { memberFields } from './member-fields.ts'

const batch = 2000

/** All members as chunks of a CSV file for `import members`. */
export async function* exportMembers(db: Db): AsyncGenerator<string> {
  yield head(memberFields)
  let after = '0'
  for (;;) {
    const { rows } = await sql<{ id: string; cells: (string | null)[] }>`
      select account.id, array[
        account.username, person.name, person.name_en, account.identity_type_code, organization.code, person.mobile, person.email,
        (select string_agg(member_group.code, ';' order by member_group.code) from group_member
         join member_group on member_group.id = group_member.group_id where group_member.account_id = account.id),
        account.status, person.external_key
      ] as cells
      from account join person on person.id = account.person_id join organization on organization.id = account.organization_id
      where account.id > ${after}::bigint order by account.id limit ${batch}`.execute(db)
    if (rows.length === 0) return
    yield rows.map(({ cells }) => line(cells)).join('')
    after = rows.at(-1)?.id ?? after
  }
}

/** All organisations as chunks of a CSV file for `import organisations`, parents first. */
export async function* exportOrganizations(db: Db): AsyncGenerator<string> {
  yield head(organizationFields)
  const { rows } = await sql<{ cells: (string | null)[] }>`
    select array[o.code, o.name, o.name_en, parent.code, o.position::text] as cells
    from organization o left join organization parent on parent.id = o.parent_id
    order by cardinality(o.path), o.position, o.id`.execute(db)
  for (let offset = 0; offset < rows.length; offset += batch)
    yield rows
      .slice(offset, offset + batch)
      .map(({ cells }) => line(cells))
      .join('')
}
