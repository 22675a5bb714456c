import type { Permission } from '@atrium/contract/define'
import { type RawBuilder, sql } from 'kysely'
import { findAccountByUsername, listPaths } from '#domains/identity/identity/queries.ts'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import { hasAll, mayOperate } from '#platform/permissions.ts'

/**
 * Whether an operator looks after a person: every account of theirs belongs to what the operator was given, because
 * sessions and second factors are of the person, and so of the accounts elsewhere too.
 */
export async function operatesPerson(db: Db, viewer: Member, personId: string): Promise<boolean> {
  const paths = await listPaths(db, personId)
  return paths.every((path) => mayOperate(viewer, 'identity', path))
}

/** The person of an account; nobody where the operator does not look after them. */
export async function findOperatedPerson(
  db: Db,
  viewer: Member,
  username: string,
): Promise<string | undefined> {
  const account = await findAccountByUsername(db, username)
  return account && (await operatesPerson(db, viewer, account.personId))
    ? account.personId
    : undefined
}

/**
 * Nobody acts on somebody who may do more than they: whoever ends the sessions or resets the factors of such a person, or
 * says who they are, could take their place. What counts is all that the person may do, with whichever account.
 * @param persons one, or a query of their keys
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
