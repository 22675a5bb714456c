import { sql } from 'kysely'
import { listRefusing, visibleFields } from '#domains/member/privacy/settings.ts'
import type { Viewer } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'
import { keyOf, type Named } from './addresses.ts'

/** The member who writes the event or makes the request. */
export type Writer = { accountId: string; username: string; name: string; email: string }
/** The person behind an address, or why they cannot be invited, as SCHEDULE-STATUS (RFC 6638 §3.2.9). */
export type Whom = { accountId: string } | { email: string } | { status: '3.7' | '3.8' }
/** Results keyed by address. */
export type Known = ReadonlyMap<string, Whom>

type Found = { key: string; accountId: string }

/**
 * Resolves addresses to people. A mail address is resolved to a member only if they show it to the writer and nobody
 * else has it; otherwise it counts as outside, so that inviting an address does not reveal whose it is. Call it before
 * the transaction.
 */
export async function resolvePeople(
  platform: Platform,
  writer: Writer,
  given: readonly (Named | undefined)[],
): Promise<Known> {
  const named = given.filter((one) => one !== undefined)
  const usernames = named.flatMap((one) => ('username' in one ? one.username : []))
  const emails = named.flatMap((one) => ('email' in one ? one.email : []))
  const byName = await platform.db
    .selectFrom('account')
    .select(['id as accountId', 'username'])
    .where('username', '=', sql<string>`any(${usernames}::text[])`)
    .where('status', '<>', 'disabled')
    .execute()
  const members: Found[] = [
    ...byName.map(({ accountId, username }) => ({ key: keyOf({ username }), accountId })),
    ...(await listByMail(platform, writer, emails)),
  ]
  const ids = [...new Set(members.map(({ accountId }) => accountId))]
  const refusing = new Set(await listRefusing(platform, ids, writer.accountId))
  const known = new Map<string, Whom>()
  for (const one of named)
    known.set(keyOf(one), 'email' in one ? { email: one.email } : { status: '3.7' })
  for (const { key, accountId } of members)
    known.set(
      key,
      refusing.has(accountId) && accountId !== writer.accountId ? { status: '3.8' } : { accountId },
    )
  return known
}

async function listByMail(
  platform: Platform,
  writer: Writer,
  emails: readonly string[],
): Promise<Found[]> {
  if (emails.length === 0) return []
  const { rows } = await sql<{ email: string; accountId: string; own: string | null }>`
    select lower(person.email) as email, min(account.id)::text as "accountId",
      max(account.id) filter (where account.id = ${writer.accountId})::text as own
    from person join account on account.person_id = person.id and account.status <> 'disabled'
    where person.email <> '' and lower(person.email) = any(${emails as string[]}::text[])
    group by 1 having count(distinct person.id) = 1`.execute(platform.db)
  const viewer = { signedIn: true, accountId: writer.accountId } as Viewer
  const visible = await visibleFields(
    platform,
    viewer,
    rows.map(({ accountId }) => accountId),
  )
  return rows
    .filter(({ own, accountId }) => own !== null || visible.get(accountId)?.email)
    .map(({ email, accountId, own }) => ({ key: keyOf({ email }), accountId: own ?? accountId }))
}
