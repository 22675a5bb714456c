import type { Db } from '#platform/db.ts'
import type { Member } from '#platform/guard.ts'
import { mayOperate } from '#platform/permissions.ts'
import { findAccountByUsername, listPaths } from './queries.ts'

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
