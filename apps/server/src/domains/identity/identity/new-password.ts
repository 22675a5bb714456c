import { passwordIssue as judge, type PasswordOwner } from '@atrium/rules/password'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { fail, type IssueKind } from '#platform/http/errors.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { passwordSources } from './extensions.ts'
import { hashingOf } from './password.ts'

const kinds = {
  short: 'passwordShort',
  long: 'passwordLong',
  common: 'passwordCommon',
  personal: 'passwordPersonal',
  weak: 'passwordWeak',
} as const satisfies Record<string, IssueKind>

/** The issue with a new password, as a field issue kind; undefined if it is acceptable. */
export function passwordIssue(password: string, owner: PasswordOwner): IssueKind | undefined {
  const issue = judge(password, owner)
  return issue && kinds[issue]
}

/**
 * Validates and hashes a new password. Slow, so call it before a transaction begins.
 * @param field the input named in the refusal
 * @throws account.password_refused; account.password_elsewhere for members of a directory
 */
export async function hashNewPassword(
  platform: Platform,
  personId: string,
  password: string,
  field = 'newPassword',
): Promise<string> {
  const refuse = (issue: IssueKind) =>
    fail('account.password_refused', { fields: { [field]: issue } })
  for (const { managesPasswordOf } of passwordSources.all())
    if (await managesPasswordOf(platform.db, personId)) fail('account.password_elsewhere')
  const { schoolName, schoolNameEn } = await currentSettings(platform)
  const { passwordHash, ...owner } = await getPasswordOwner(platform.db, personId)
  const issue = passwordIssue(password, { ...owner, words: [schoolName, schoolNameEn] })
  if (issue) refuse(issue)
  const hashing = hashingOf(platform)
  if (passwordHash && (await hashing.matches(passwordHash, password))) refuse('passwordSame')
  return hashing.hash(password)
}

/** Stores the hash and clears the duty to change the password. */
export const storePassword = (db: Db, personId: string, hash: string) =>
  db
    .updateTable('person')
    .set({ password_hash: hash, password_changed_at: sql`now()`, password_must_change: false })
    .where('id', '=', personId)
    .execute()

/** Data that a password must not contain, and the current hash. */
export async function getPasswordOwner(db: Db, personId: string) {
  const person = await db
    .selectFrom('person')
    .select(['name', 'name_en as nameEn', 'mobile', 'email', 'password_hash as passwordHash'])
    .where('id', '=', personId)
    .executeTakeFirstOrThrow()
  const accounts = await db
    .selectFrom('account')
    .select('username')
    .where('person_id', '=', personId)
    .execute()
  return {
    ...person,
    usernames: accounts.map(({ username }) => username),
  } satisfies PasswordOwner & { passwordHash: string | null }
}
