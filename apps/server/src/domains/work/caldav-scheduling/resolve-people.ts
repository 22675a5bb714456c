import { sql } from 'kysely'
import { listRefusing, visibleFields } from '#domains/member/privacy/settings.ts'
import type { Viewer } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'
import { addressKey, type CalendarAddress } from './addresses.ts'

/** The member who writes the event or makes the request. */
export type Writer = {
  accountId: string
  username: string
  name: string
  nameEn: string
  email: string
}
/** The person behind an address, or why they cannot be invited, as SCHEDULE-STATUS (RFC 6638 §3.2.9). */
export type ResolvedPerson = { accountId: string } | { email: string } | { status: '3.7' | '3.8' }
/** Results keyed by address. */
export type ResolvedPeople = ReadonlyMap<string, ResolvedPerson>

type MatchedMember = { key: string; accountId: string }

/**
 * Resolves addresses to people. A mail address is resolved to a member only if they show it to the writer and nobody
 * else has it; otherwise it counts as outside, so that inviting an address does not reveal whose it is. Call it before
 * the transaction.
 */
export async function resolvePeople(
  platform: Platform,
  writer: Writer,
  addresses: readonly (CalendarAddress | undefined)[],
): Promise<ResolvedPeople> {
  const people = addresses.filter((one) => one !== undefined)
  const usernames = people.flatMap((one) => ('username' in one ? one.username : []))
  const emails = people.flatMap((one) => ('email' in one ? one.email : []))
  const byName = await platform.db
    .selectFrom('account')
    .select(['id as accountId', 'username'])
    .where('username', '=', sql<string>`any(${usernames}::text[])`)
    .where('status', '<>', 'disabled')
    .execute()
  const members: MatchedMember[] = [
    ...byName.map(({ accountId, username }) => ({ key: addressKey({ username }), accountId })),
    ...(await listByMail(platform, writer, emails)),
  ]
  const ids = [...new Set(members.map(({ accountId }) => accountId))]
  const refusing = new Set(await listRefusing(platform, ids, writer.accountId))
  const resolved = new Map<string, ResolvedPerson>()
  for (const one of people)
    resolved.set(addressKey(one), 'email' in one ? { email: one.email } : { status: '3.7' })
  for (const { key, accountId } of members)
    resolved.set(
      key,
      refusing.has(accountId) && accountId !== writer.accountId ? { status: '3.8' } : { accountId },
    )
  return resolved
}

async function listByMail(
  platform: Platform,
  writer: Writer,
  emails: readonly string[],
): Promise<MatchedMember[]> {
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
    .map(({ email, accountId, own }) => ({
      key: addressKey({ email }),
      accountId: own ?? accountId,
    }))
}
