import type { Permission } from '@atrium/contract/define'
import { type RawBuilder, sql } from 'kysely'
import { findAccountByUsername, listOrganizationPaths } from '#domains/identity/identity/queries.ts'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import { hasAll, mayOperate } from '#platform/permissions.ts'

/**
 * Whether all accounts of a person are within the operator's scope. All, because sessions and second factors belong to
 * the person and affect every account.
 */
export async function mayOperatePerson(db: Db, viewer: Member, personId: string): Promise<boolean> {
  const paths = await listOrganizationPaths(db, personId)
  return paths.every((path) => mayOperate(viewer, 'identity', path))
}

/** The person of an account; undefined if outside the operator's scope. */
export async function findOperatedPerson(
  db: Db,
  viewer: Member,
  username: string,
): Promise<string | undefined> {
  const account = await findAccountByUsername(db, username)
  return account && (await mayOperatePerson(db, viewer, account.personId))
    ? account.personId
    : undefined
}

/**
 * Requires that the operator has every permission that the persons have: ending sessions, resetting factors or setting
 * the identity of a more powerful person would allow impersonation. Counts the permissions of all the person's
 * accounts.
 * @param persons one id, or a query of ids
 * @throws operator.member_may_more
 */
export async function assertMayActOn(
  db: Db,
  viewer: Member,
  persons: string | RawBuilder<unknown>,
): Promise<void> {
  const { rows } = await sql<{ permission: Permission; path: string[] | null }>`
    select distinct may.permission, organization.path
    from operator_permission may
    join account on account.id = may.account_id
    left join organization on organization.id = may.organization_id
    where account.person_id in (${persons})`.execute(db)
  if (!rows.every(({ permission, path }) => hasAll(viewer, [permission], path)))
    fail('operator.member_may_more')
}
