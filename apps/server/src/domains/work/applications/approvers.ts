import type { FormData } from '@atrium/contract/work/applications'
import type { Approver } from '@atrium/contract/work/applications.operator'
import { sql } from 'kysely'
import { findHeads } from '#domains/identity/members/heads.ts'
import type { Db } from '#platform/database/db.ts'

/** Maximum accounts a step is assigned to. */
const maxApprovers = 50

export type Applicant = {
  accountId: string
  personId: string
  name: string
  /** organisation codes from the root down to the applicant's own */
  organizationPath: readonly string[]
}
export type Person = { id: string; username: string; name: string }

export async function findApplicant(db: Db, accountId: string): Promise<Applicant | undefined> {
  const { rows } = await sql<Applicant>`
    select account.id as "accountId", person.id as "personId", person.name, organization.path as "organizationPath"
    from account join person on person.id = account.person_id
    join organization on organization.id = account.organization_id where account.id = ${accountId}`.execute(
    db,
  )
  return rows[0]
}

/** Accounts that may decide the step: open accounts other than the applicant's, in the order of the rules. */
export async function resolveApprovers(
  db: Db,
  applicant: Applicant,
  approvers: readonly Approver[],
  data: FormData,
): Promise<Person[]> {
  const peopleById = new Map<string, Person>()
  for (const approver of approvers)
    for (const person of await resolveApprover(db, applicant, approver, data))
      peopleById.set(person.id, person)
  return [...peopleById.values()].slice(0, maxApprovers)
}

async function resolveApprover(
  db: Db,
  applicant: Applicant,
  { kind, target, above, inOrganization }: Approver,
  data: FormData,
): Promise<Person[]> {
  if (kind === 'head') return listHeads(db, applicant, above)
  if (kind === 'group')
    return listOpenAccounts(
      db,
      applicant,
      sql`exists (select from group_member member join member_group on member_group.id = member.group_id
          where member.account_id = account.id and member_group.code = ${target})
        and (not ${inOrganization}::boolean or organization.code = any(${applicant.organizationPath as string[]}::text[]))`,
    )
  const username = kind === 'field' ? data[target] : target
  return typeof username === 'string' ? listNamed(db, applicant, [username]) : []
}

export const listNamed = (db: Db, applicant: Applicant, usernames: readonly string[]) =>
  listOpenAccounts(
    db,
    applicant,
    sql`account.username = any(${usernames.map((name) => name.toLowerCase())}::text[])`,
  )

/**
 * The heads of the nearest organisation upwards that has any besides the applicant: nobody decides their own
 * application.
 */
async function listHeads(db: Db, applicant: Applicant, above: number): Promise<Person[]> {
  const path = applicant.organizationPath.slice(0, applicant.organizationPath.length - above)
  const heads = await findHeads(db, path)
  for (const code of path.toReversed()) {
    const ids = heads.get(code) ?? []
    if (ids.length === 0) continue
    const accounts = await listOpenAccounts(db, applicant, sql`account.id = any(${ids}::bigint[])`)
    if (accounts.length > 0) return accounts
  }
  return []
}

async function listOpenAccounts(db: Db, { personId }: Applicant, which: ReturnType<typeof sql>) {
  const { rows } = await sql<Person>`
    select account.id, account.username, person.name
    from account join person on person.id = account.person_id
    join organization on organization.id = account.organization_id
    where account.status <> 'disabled' and account.person_id <> ${personId} and ${which}
    order by account.id limit ${maxApprovers}`.execute(db)
  return rows
}
