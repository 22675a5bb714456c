import type { Recipient, sendingChannels } from '@atrium/contract/work/sending'
import { sendingKinds } from '@atrium/contract/work/sending/texts'
import type { SendingPolicy } from '@atrium/contract/work/sending.operator'
import { sql } from 'kysely'
import { isGroupUsable } from '#domains/member/address-book/contact-groups.ts'
import { acceptsMessagesFrom } from '#domains/member/privacy/settings.ts'
import { operatesCalendar } from '#domains/work/schedule/queries.ts'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import { operatedIn } from '#platform/permissions.ts'
import type { Platform } from '#platform/platform.ts'
import { getPolicy } from './policy.ts'
import { isWithin, type SendingScope } from './recipients.ts'

/** Limits for members without the permission: recipients per message, messages per hour. */
const maxRecipientsAsMember = 20
const maxPerHourAsMember = 10
/** Messages per sender and hour; limits the damage of a mistake or a stolen session. */
const maxPerHour = 60

/** What a sender may send, and to whom. */
export type Sender = {
  within: SendingScope
  /** without the permission: only to named members, as a personal message */
  asMember: boolean
  kinds: readonly (typeof sendingKinds)[number][]
  /** null: unlimited */
  maxRecipients: number | null
  maxPerHour: number
  policy: SendingPolicy
}

/** @throws session.forbidden if the viewer may not send at all */
export async function getSender(db: Db, viewer: Member): Promise<Sender> {
  const policy = await getPolicy(db)
  const within = operatedIn(viewer, 'send')
  if (within?.length === 0) {
    if (!policy.members) fail('session.forbidden')
    return {
      within: null,
      asMember: true,
      kinds: ['notice'],
      maxRecipients: maxRecipientsAsMember,
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

/** The scope of a sender with the permission. @throws session.forbidden for members, who may only name recipients */
export async function getSendingScope(db: Db, viewer: Member): Promise<SendingScope> {
  const { within, asMember } = await getSender(db, viewer)
  return asMember ? fail('session.forbidden') : within
}

/**
 * Whether the author of a stored message may still send it: the account is active, and has the permission for the whole
 * stored scope or, for a message between members, the policy allows those. A test goes only to its author.
 */
export async function mayStillSend(
  db: Db,
  sending: {
    author_account_id: string | null
    as_member: boolean
    test: boolean
    within: SendingScope
  },
): Promise<boolean> {
  const { author_account_id: author, within } = sending
  if (author === null) return false
  const { rows } = await sql<{ codes: (string | null)[] }>`
    select array(select organization_code from operator_permission may
      where may.account_id = account.id and may.permission = 'send') as codes
    from account where account.id = ${author}::bigint and account.status = 'active'`.execute(db)
  const [active] = rows
  if (!active) return false
  if (sending.test) return true
  if (sending.as_member) return (await getPolicy(db)).members
  const mayEverywhere = active.codes.includes(null)
  const codes = active.codes.filter((code) => code !== null)
  if (mayEverywhere || within === null || codes.length === 0) return mayEverywhere
  const outside = await db
    .selectFrom('organization')
    .select('id')
    .where('code', '=', sql<string>`any(${within as string[]}::text[])`)
    .where(sql<boolean>`not ${isWithin(codes)}`)
    .limit(1)
    .executeTakeFirst()
  return outside === undefined
}

/**
 * Filters the recipients: removes lists, courses and events the sender may not use and, for a sender without the
 * permission, people who do not accept their messages.
 * @throws request.invalid if a member names anything but single members or uses channels other than push,
 * sending.too_many for too many
 */
export async function filterRecipients(
  platform: Platform,
  { asMember, within }: Sender,
  viewer: Member,
  requested: readonly Recipient[],
  channels: readonly (typeof sendingChannels)[number][],
): Promise<{ recipients: readonly Recipient[]; declined: string[]; closed: string[] }> {
  const { recipients, closed } = await removeUnusable(platform.db, viewer, within, requested)
  if (!asMember) return { recipients, declined: [], closed }
  const usernames = recipients.flatMap((one) =>
    'accountName' in one ? [one.accountName.trim().toLowerCase()] : [],
  )
  if (usernames.length !== requested.length)
    fail('request.invalid', { fields: { recipients: 'choice' } })
  if (usernames.length > maxRecipientsAsMember) fail('sending.too_many')
  if (channels.some((channel) => channel !== 'push'))
    fail('request.invalid', { fields: { channels: 'choice' } })
  const accounts = await platform.db
    .selectFrom('account')
    .select(['id', 'username'])
    .where('username', '=', sql<string>`any(${usernames}::text[])`)
    .execute()
  const accepted = await Promise.all(
    accounts.map(({ id }) => acceptsMessagesFrom(platform, id, viewer.accountId)),
  )
  const declined = accounts.flatMap(({ username }, index) => (accepted[index] ? [] : [username]))
  return {
    recipients: recipients.filter(
      (one) => 'accountName' in one && !declined.includes(one.accountName.trim().toLowerCase()),
    ),
    declined,
    closed,
  }
}

/**
 * Accounts that may approve this sender's messages: their scope covers the sender's and they are another person.
 * @param within the sender's scope
 */
export const listApprovers = async (db: Db, authorAccountId: string, within: SendingScope) => {
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

/** SQL condition on `sending`: this member may approve it. */
export const mayApprove = (viewer: Member, within: SendingScope) => sql<boolean>`(
  sending.author_account_id not in (select id from account where person_id = ${viewer.personId})
  and ${
    within === null
      ? sql`true`
      : sql`coalesce(sending.within <@ array(select code from organization where path && ${within as string[]}::text[]), false)`
  })`

/** SQL condition on `course`: the sender may choose it, because they teach it or may send to everybody. */
export const isCourseUsable = (viewer: Member, within: SendingScope) =>
  within === null
    ? sql<boolean>`true`
    : sql<boolean>`exists (select from calendar_member teacher where teacher.calendar_id = course.calendar_id
        and teacher.account_id = ${viewer.accountId} and teacher.role = 'teaches')`

/** SQL condition on `event` joined with its `calendar`: the sender may choose its participants. */
export const isEventUsable = (viewer: Member) =>
  sql<boolean>`(event.account_id = ${viewer.accountId} or ${operatesCalendar(viewer)})`

/**
 * Removes lists, courses and events the sender may not use. Checked when the message is written; a scheduled message
 * goes to whoever is in them at sending time.
 */
async function removeUnusable(
  db: Db,
  viewer: Member,
  within: SendingScope,
  recipients: readonly Recipient[],
): Promise<{ recipients: readonly Recipient[]; closed: string[] }> {
  const chosen = (read: (one: Recipient) => string | undefined) =>
    recipients.flatMap((one) => read(one) ?? [])
  const lists = chosen((one) => ('listId' in one ? one.listId : undefined))
  const courses = chosen((one) => ('courseId' in one ? one.courseId : undefined))
  const events = chosen((one) => ('eventId' in one ? one.eventId : undefined))
  if (lists.length + courses.length + events.length === 0) return { recipients, closed: [] }
  const { rows } = await sql<{ key: string }>`
    select 'listId ' || g.id as key from address_book_group g
    where g.id = any(${lists}::bigint[]) and ${isGroupUsable(viewer)}
    union all select 'courseId ' || course.id from course
    where course.id = any(${courses}::bigint[]) and ${isCourseUsable(viewer, within)}
    union all select 'eventId ' || event.id from event join calendar on calendar.id = event.calendar_id
    where event.id = any(${events}::bigint[]) and ${isEventUsable(viewer)}`.execute(db)
  const usable = new Set(rows.map(({ key }) => key))
  const closed: string[] = []
  const allowed = recipients.filter((one) => {
    const [[kind = '', id = ''] = []] = Object.entries(one) as [string, string][]
    if (!['listId', 'courseId', 'eventId'].includes(kind) || usable.has(`${kind} ${id}`))
      return true
    closed.push(id)
    return false
  })
  return { recipients: allowed, closed }
}
