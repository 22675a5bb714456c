import type { Body } from '@atrium/contract/define'
import type { appointments } from '@atrium/contract/work/appointments'
import { sql } from 'kysely'
import { listRefusing } from '#domains/member/privacy/settings.ts'
import { sendMessage } from '#domains/work/messages/send.ts'
import type { Db } from '#platform/database/db.ts'
import { announce } from '#platform/database/topics.ts'
import { fail, type IssueKind } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'
import { describeTime } from './describe-time.ts'
import { appointmentMessages, detailPage } from './messages.ts'
import { defaultReminders, insertReminders } from './reminders.ts'

type ParticipantInput = NonNullable<Body<typeof appointments.create>['participants']>
/** The people to invite: members by account, others by email address. */
export type Invited = { accounts: string[]; external: { email: string; name: string }[] }

/**
 * Resolves the people to invite. Call it before the transaction, because it reads everybody's settings.
 * @throws request.invalid, event.declined
 */
export async function resolveParticipants(
  platform: Platform,
  viewer: Member,
  inputs: ParticipantInput,
): Promise<Invited> {
  const names = inputs.flatMap(({ accountName }) => accountName?.toLowerCase() ?? [])
  const accounts = await platform.db
    .selectFrom('account')
    .select(['id', 'username'])
    .where('username', '=', sql<string>`any(${names}::text[])`)
    .where('status', '<>', 'disabled')
    .execute()
  const byName = new Map(accounts.map(({ id, username }) => [username, id]))
  const fields: Record<string, IssueKind> = {}
  const accountIds = new Set<string>()
  const external = new Map<string, string>()
  for (const [index, { accountName, email, name }] of inputs.entries()) {
    const field = `participants.${index}`
    if ((accountName === undefined) === (email === undefined)) fields[field] = 'required'
    else if (email !== undefined) external.set(email.toLowerCase(), name?.trim() ?? '')
    else {
      const id = byName.get(accountName?.toLowerCase() ?? '')
      if (!id) fields[field] = 'unknown'
      else if (id === viewer.accountId) fields[field] = 'choice'
      else accountIds.add(id)
    }
  }
  if (Object.keys(fields).length > 0) fail('request.invalid', { fields })
  const refusing = new Set(await listRefusing(platform, [...accountIds], viewer.accountId))
  if (refusing.size > 0)
    fail('event.declined', {
      fields: Object.fromEntries(
        inputs.flatMap(({ accountName }, index) =>
          refusing.has(byName.get(accountName?.toLowerCase() ?? '') ?? '')
            ? [[`participants.${index}`, 'choice'] as const]
            : [],
        ),
      ),
    })
  return {
    accounts: [...accountIds],
    external: [...external].map(([email, name]) => ({ email, name })),
  }
}

/** Sets the participants and notifies those added and removed. Call in a transaction. */
export async function setParticipants(
  db: Db,
  viewer: Pick<Member, 'name' | 'nameEn'>,
  eventId: string,
  { accounts, external }: Invited,
) {
  const emails = external.map(({ email }) => email)
  const { rows: removed } = await sql<{ account_id: string | null }>`
    delete from event_participant where event_id = ${eventId}
      and (account_id is not null and account_id <> all(${accounts}::bigint[])
        or account_id is null and email <> all(${emails}::text[]))
    returning account_id`.execute(db)
  const removedAccounts = removed.flatMap(({ account_id }) => account_id ?? [])
  if (removedAccounts.length > 0) {
    await sql`delete from event_reminder where event_id = ${eventId} and account_id = any(${removedAccounts}::bigint[])`.execute(
      db,
    )
    await notifyParticipants(db, viewer, eventId, removedAccounts, 'cancelled')
  }
  const { rows: added } = await sql<{ account_id: string }>`
    insert into event_participant (event_id, account_id)
    select ${eventId}::bigint, unnest(${accounts}::bigint[])
    on conflict do nothing returning account_id`.execute(db)
  await sql`
    insert into event_participant (event_id, email, name)
    select ${eventId}::bigint, given.email, given.name
    from unnest(${emails}::text[], ${external.map(({ name }) => name)}::text[]) as given (email, name)
    on conflict do nothing`.execute(db)
  const invited = added.map(({ account_id }) => account_id)
  if (invited.length === 0) return
  await insertReminders(db, eventId, await defaultReminders(db, eventId, invited))
  await notifyParticipants(db, viewer, eventId, invited, 'invited')
}

/** Members who are invited and have not declined, except the one making the change. */
export async function listInvited(db: Db, eventId: string, exceptAccountId: string) {
  const rows = await db
    .selectFrom('event_participant')
    .select('account_id')
    .where('event_id', '=', eventId)
    .where('account_id', 'is not', null)
    .where('account_id', '<>', exceptAccountId)
    .where('answer', '<>', 'no')
    .execute()
  return rows.flatMap(({ account_id }) => account_id ?? [])
}

const changeTexts = {
  invited: { zh: '邀请你参加', en: 'invited you' },
  changed: { zh: '更改了日程', en: 'changed an event' },
  cancelled: { zh: '取消了日程', en: 'cancelled an event' },
}

/**
 * Notifies members of a change to an event, which must still exist. Call in a transaction.
 * @param startsAt start of the occurrence concerned
 */
export async function notifyParticipants(
  db: Db,
  viewer: Pick<Member, 'name' | 'nameEn'>,
  eventId: string,
  accounts: readonly string[],
  kind: keyof typeof changeTexts,
  startsAt?: string,
) {
  if (accounts.length === 0) return
  const { title } = await db
    .selectFrom('event')
    .select('title')
    .where('id', '=', eventId)
    .executeTakeFirstOrThrow()
  const { zh, en } = changeTexts[kind]
  await sendMessage(db, {
    kind: appointmentMessages.kinds[kind === 'invited' ? 'invited' : 'changed'],
    to: { accounts },
    title: {
      zh: `${viewer.name} ${zh}：${title}`,
      en: `${viewer.nameEn || viewer.name} ${en}: ${title}`,
    },
    summary: await describeTime(db, eventId, startsAt),
    ...(kind !== 'cancelled' && { url: detailPage(eventId, startsAt) }),
  })
  await announce(db, { kind: 'inbox', key: accounts.join(',') })
}
