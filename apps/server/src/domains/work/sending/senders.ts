import { type Recipient, type sendingChannels, sendingKinds } from '@atrium/contract/work/sending'
import type { SendingPolicy } from '@atrium/contract/work/sending.operator'
import { sql } from 'kysely'
import { hearsFrom } from '#domains/member/privacy/settings.ts'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import { operatedIn } from '#platform/permissions.ts'
import type { Platform } from '#platform/platform.ts'
import { getPolicy } from './policy.ts'
import type { Within } from './recipients.ts'

/** Members that one member writes to at once, and messages of theirs in an hour. */
const maxNamed = 20
const maxPerHourAsMember = 10
/** Messages that one person sends in an hour; a mistake or a stolen session ends there. */
const maxPerHour = 60

/** What somebody may send, and to whom. */
export type Sender = {
  within: Within
  /** without the permission: to named members, as one member to another */
  asMember: boolean
  kinds: readonly (typeof sendingKinds)[number][]
  /** null: as many as there are */
  maxRecipients: number | null
  maxPerHour: number
  policy: SendingPolicy
}

/** @throws session.forbidden for somebody who may write to nobody */
export async function senderOf(db: Db, viewer: Member): Promise<Sender> {
  const policy = await getPolicy(db)
  const within = operatedIn(viewer, 'send')
  if (within?.length === 0) {
    if (!policy.members) fail('session.forbidden')
    return {
      within: null,
      asMember: true,
      kinds: ['notice'],
      maxRecipients: maxNamed,
      maxPerHour: maxPerHourAsMember,
      policy,
    }
  }
  return {
    within,
    asMember: false,
    kinds: within === null ? sendingKinds : policy.kindsInPart,
    maxRecipients: within === null ? null : policy.maxRecipients,
    maxPerHour,
    policy,
  }
}

/**
 * Of a member's recipients those who want to hear from them; a sender with the permission reaches all.
 * @throws request.invalid when a member names others than single members, or too many
 */
export async function hearing(
  platform: Platform,
  { asMember }: Sender,
  viewer: Member,
  recipients: readonly Recipient[],
  channels: readonly (typeof sendingChannels)[number][],
): Promise<{ recipients: readonly Recipient[]; declined: string[] }> {
  if (!asMember) return { recipients, declined: [] }
  const named = recipients.flatMap((one) =>
    'accountName' in one ? [one.accountName.trim().toLowerCase()] : [],
  )
  if (named.length !== recipients.length)
    fail('request.invalid', { fields: { recipients: 'choice' } })
  if (named.length > maxNamed) fail('sending.too_many')
  if (channels.some((channel) => channel !== 'push'))
    fail('request.invalid', { fields: { channels: 'choice' } })
  const accounts = await platform.db
    .selectFrom('account')
    .select(['id', 'username'])
    .where('username', '=', sql<string>`any(${named}::text[])`)
    .execute()
  const hears = await Promise.all(
    accounts.map(({ id }) => hearsFrom(platform, id, viewer.accountId)),
  )
  const declined = accounts.flatMap(({ username }, index) => (hears[index] ? [] : [username]))
  return {
    recipients: recipients.filter(
      (one) => 'accountName' in one && !declined.includes(one.accountName.trim().toLowerCase()),
    ),
    declined,
  }
}

/**
 * Accounts that may approve what this sender writes: they may send wherever the sender may, and are somebody else.
 * @param within where the sender may send
 */
export const listApprovers = async (db: Db, authorAccountId: string, within: Within) => {
  const { rows } = await sql<{ account_id: string }>`
    select distinct may.account_id from operator_permission may
    join account on account.id = may.account_id and account.status <> 'disabled'
    where may.permission = 'send'
      and account.person_id <> (select person_id from account where id = ${authorAccountId})
      and (may.organization_id is null or ${within as string[] | null}::text[] <@ array(
        select code from organization where may.organization_code = any(path)))
    limit 200`.execute(db)
  return rows.map(({ account_id }) => account_id)
}

/** The condition on `sending` that this member may approve it. */
export const mayApprove = (viewer: Member, within: Within) => sql<boolean>`(
  sending.author_account_id not in (select id from account where person_id = ${viewer.personId})
  and ${
    within === null
      ? sql`true`
      : sql`coalesce(sending.within <@ array(select code from organization where path && ${within as string[]}::text[]), false)`
  })`
