import type { AttentionSettings } from '@atrium/contract/work/notifications'
import { type RawBuilder, sql } from 'kysely'
import { fillPersonalText } from '#domains/work/messages/personal-text.ts'
import type { Db } from '#platform/database/db.ts'
import { announce } from '#platform/database/topics.ts'
import { isSignedIn } from './push.ts'

/** Days for which sent notifications are stored; the hourly limit needs only the last hour. */
const retentionDays = 3

const defaults: AttentionSettings = {
  quietFrom: '22:30',
  quietUntil: '07:00',
  daysOff: [],
  digest: 'none',
  digestAt: '18:00',
  digestDay: 5,
  maxPerHour: 0,
}

// ---- announcing ----

/**
 * SQL array of the channels by which an account gets messages of a kind; empty if the application is muted. A sender's
 * selection replaces the kind's defaults and limits the result.
 * @param only channels selected by the sender; null: the kind decides
 */
export const chosenChannels = (only: RawBuilder<unknown>) => sql<string[]>`array(
  select channel from unnest(
    case when coalesce(box.muted, false) then '{}'
         when kind.can_turn_off then coalesce(choice.channels, ${only}, kind.default_channels)
         else coalesce(${only}, kind.default_channels) || coalesce(choice.channels, '{}') end) as channel
  where ${only} is null or channel = any(${only}))`

/**
 * SQL array of those channels that can reach the person: a subscribed device, a verified address or number, a bound
 * WeCom or WeChat account.
 */
export const reachableChannels = (only: RawBuilder<unknown>) => sql<string[]>`array(
  select distinct channel from unnest(${chosenChannels(only)}) as channel
  where channel = any(kind.channels) and (
    (channel = 'push' and exists (select from push_subscription where account_id = account.id and ${isSignedIn}))
    or (channel = 'mail' and person.email <> '' and person.email_verified_at is not null)
    or (channel = 'sms' and person.mobile <> '' and person.mobile_verified_at is not null)
    or (channel in ('wecom', 'wechat') and exists (
      select from federated_identity identity join identity_provider provider on provider.id = identity.provider_id
      where identity.person_id = person.id and ${canNotify('provider')}
        and provider.kind = any(case channel when 'wecom' then '{wecom}'::text[] else ${wechatKinds} end)))))`

/** Queues a message for every account that some channel reaches. */
export async function insertQueued(
  db: Db,
  { messageId, accounts }: { messageId: string; accounts: readonly string[] },
) {
  const { numAffectedRows } = await sql`
    insert into notification_waiting (account_id, message_id, urgent, says)
    select account.id, message.id, message.urgent, md5(concat_ws(' ', message.app_id, message.title, message.summary,
      case when message.variables <> '{}' then (select variables::text from message_delivery delivery
        where delivery.account_id = account.id and delivery.message_id = message.id and delivery.sent_at = message.sent_at) end))
    from message
    join message_kind kind on kind.id = message.kind_id and kind.channels <> '{}'
    join unnest(${accounts as string[]}::bigint[]) as recipient (id) on true
    join account on account.id = recipient.id
    join person on person.id = account.person_id
    left join message_box box on box.account_id = account.id and box.app_id = message.app_id
    left join notification_choice choice on choice.account_id = account.id and choice.kind_id = kind.id
    where message.id = ${messageId} and ${reachableChannels(sql`message.channels`)} <> '{}'
    on conflict do nothing`.execute(db)
  if (numAffectedRows) await announce(db, { kind: 'notification', key: '' })
}

/**
 * Queues a message again as a reminder for these accounts, by these channels unless turned off. Accounts that have done
 * what it asks are skipped when the queue is processed.
 * @returns the accounts that some channel reaches, with those channels
 */
export async function insertReminders(
  db: Db,
  {
    messageId,
    accounts,
    channels,
  }: { messageId: string; accounts: readonly string[]; channels: readonly string[] },
): Promise<{ accountId: string; channels: string[] }[]> {
  const only = sql`${channels as string[]}::text[]`
  const { rows } = await sql<{ accountId: string; channels: string[] }>`
    with recipient as (
      select account.id, ${reachableChannels(only)} as channels
      from message
      join message_kind kind on kind.id = message.kind_id
      join account on account.id = any(${accounts as string[]}::bigint[])
      join person on person.id = account.person_id
      left join message_box box on box.account_id = account.id and box.app_id = message.app_id
      left join notification_choice choice on choice.account_id = account.id and choice.kind_id = kind.id
      where message.id = ${messageId}
    ), waiting as (
      insert into notification_waiting (account_id, message_id, urgent, says, channels)
      select recipient.id, message.id, message.urgent, md5(message.id || ' ' || now()), ${only}
      from recipient join message on message.id = ${messageId} where recipient.channels <> '{}'
      on conflict (account_id, message_id) do update set says = excluded.says, due_at = least(notification_waiting.due_at, now()),
        channels = array(
          select unnest(coalesce(notification_waiting.channels, (select channels from message where id = ${messageId}), '{}'))
          union select unnest(excluded.channels))
      returning account_id
    )
    select recipient.id as "accountId", recipient.channels from recipient join waiting on waiting.account_id = recipient.id`.execute(
    db,
  )
  if (rows.length > 0) await announce(db, { kind: 'notification', key: '' })
  return rows
}

/** Claims accounts with due messages; other nodes skip them. */
export async function claimAccounts(
  db: Db,
  leaseSeconds: number,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with due as (
      select account_id, message_id from notification_waiting where due_at <= now()
      order by due_at limit ${limit} for update skip locked
    ), claimed as (
      update notification_waiting w set due_at = now() + make_interval(secs => ${leaseSeconds})
      from due where w.account_id = due.account_id and w.message_id = due.message_id
      returning w.account_id
    )
    select distinct account_id as id from claimed`.execute(db)
  return rows.map(({ id }) => id)
}

export async function secondsToNext(db: Db) {
  const { seconds } = await db
    .selectFrom('notification_waiting')
    .select(sql<number | null>`extract(epoch from min(due_at) - now())::float8`.as('seconds'))
    .executeTakeFirstOrThrow()
  return seconds
}

/**
 * Queued messages of these accounts, with their texts and channels. `gone` is true once a message was read, hidden or
 * has expired; for a reminder, once its reader has done what was asked.
 */
export async function listQueued(db: Db, accounts: readonly string[]) {
  const { rows } = await sql<{
    account_id: string
    message_id: string
    urgent: boolean
    says: string
    at: string
    gone: boolean
    title: string
    title_en: string
    summary: string
    summary_en: string
    app_name: string
    app_name_en: string
    kind_id: string
    mails_content: boolean
    variables: unknown
    channels: string[]
    /** of a reminder: when it was requested */
    reminds_since: string | null
  }>`
    select w.account_id, w.message_id, case when w.channels is not null then w.created_at end as reminds_since, w.urgent, w.says, w.created_at as at,
           (case when w.channels is null then d.read_at is not null
                 else (d.confirmed_at is not null or not message.asks_confirmation) and (d.answer is not null or message.choices = '[]') end
             or d.hidden is not null or coalesce(message.valid_until < now(), false)) is not false as gone,
           message.title, message.title_en, message.summary, message.summary_en,
           app.name as app_name, app.name_en as app_name_en, kind.id as kind_id, message.mails_content, d.variables,
           ${reachableChannels(sql`coalesce(w.channels, message.channels)`)} as channels
    from notification_waiting w
    join message on message.id = w.message_id
    join message_app app on app.id = message.app_id
    join message_kind kind on kind.id = message.kind_id
    join account on account.id = w.account_id
    join person on person.id = account.person_id
    left join message_delivery d on d.account_id = w.account_id and d.message_id = w.message_id
    left join message_box box on box.account_id = w.account_id and box.app_id = message.app_id
    left join notification_choice choice on choice.account_id = w.account_id and choice.kind_id = kind.id
    where w.account_id = any(${accounts as string[]}::bigint[])`.execute(db)
  return rows.map(fillPersonalText)
}
/** The full texts of these messages, for mails that contain them. */
export async function listContents(
  db: Db,
  messageIds: readonly string[],
): Promise<ReadonlyMap<string, Content>> {
  if (messageIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('message')
    .select(['id', 'content', 'content_en'])
    .where('id', '=', sql<string>`any(${messageIds as string[]}::bigint[])`)
    .execute()
  return new Map(rows.map(({ id, ...content }) => [id, content]))
}
export type Content = { content: string; content_en: string }
export type QueuedRow = Awaited<ReturnType<typeof listQueued>>[number]

/** Time zone, addresses and settings of accounts, and their notifications of the last hour. */
export async function listRecipients(db: Db, accounts: readonly string[]) {
  const { rows } = await sql<{
    id: string
    time_zone: string | null
    email: string
    mobile: string
    person_id: string
    /** other accounts of the same person */
    others: string[]
    settings: AttentionSettings | null
    sent: { at: number; urgent: boolean; says: string[] }[]
  }>`
    select account.id, person.time_zone, person.email, person.mobile, person.id as person_id, own.settings,
           array(select other.id::text from account other where other.person_id = person.id and other.id <> account.id) as others,
           coalesce((select jsonb_agg(jsonb_build_object('at', floor(extract(epoch from n.sent_at) * 1000), 'urgent', n.urgent, 'says', n.says))
             from notification n where n.account_id = account.id and n.sent_at > now() - interval '1 hour'), '[]') as sent
    from account join person on person.id = account.person_id
    left join attention_setting own on own.account_id = account.id
    where account.id = any(${accounts as string[]}::bigint[])`.execute(db)
  return rows
}
/**
 * Which of these messages another account of the same person already got by mail or SMS: nobody gets the same text
 * twice. Locks the person, so that their accounts are processed one after the other. Call it in a transaction.
 * @returns keys `message channel`
 */
export async function listAlreadyNotified(
  db: Db,
  { person_id, others }: Recipient,
  rows: readonly QueuedRow[],
): Promise<ReadonlySet<string>> {
  if (others.length === 0) return new Set()
  await sql`select from person where id = ${person_id} for no key update`.execute(db)
  const { rows: notified } = await sql<{ key: string }>`
    select asked.id || ' ' || channel as key
    from unnest(${rows.map(({ message_id }) => message_id)}::bigint[],
      ${rows.map(({ reminds_since }) => reminds_since)}::timestamptz[]) as asked (id, since)
    cross join unnest('{mail,sms}'::text[]) as channel
    where exists (select from notification told where told.account_id = any(${others}::bigint[])
      and asked.id = any(told.message_ids) and channel = any(told.channels)
      and told.sent_at >= coalesce(asked.since, '-infinity'))`.execute(db)
  return new Set(notified.map(({ key }) => key))
}
export type Recipient = Awaited<ReturnType<typeof listRecipients>>[number]

/** Removes messages from the queue. @returns those that were still queued: only this caller announces them */
export async function claimQueued(db: Db, accountId: string, messageIds: readonly string[]) {
  const rows = await db
    .deleteFrom('notification_waiting')
    .where('account_id', '=', accountId)
    .where('message_id', '=', sql<string>`any(${messageIds as string[]}::bigint[])`)
    .returning('message_id')
    .execute()
  return new Set(rows.map(({ message_id }) => message_id))
}

export const setDue = (db: Db, accountId: string, dueAt: Date) =>
  db
    .updateTable('notification_waiting')
    .set({ due_at: dueAt.toISOString() })
    .where('account_id', '=', accountId)
    .execute()

export const listSubscriptions = (db: Db, accountId: string) =>
  db
    .selectFrom('push_subscription')
    .select('id')
    .where('account_id', '=', accountId)
    .where(isSignedIn)
    .execute()

/** Official accounts can notify followers, mini-programs can notify subscribers. */
const wechatKinds = sql`'{wechat-mp,wechat-mini}'::text[]`

/** SQL condition: the provider can send messages to people who bound it. WeChat also needs a template. */
const canNotify = (provider: string) => sql<boolean>`(${sql.ref(`${provider}.enabled`)}
  and (${sql.ref(`${provider}.kind`)} = 'wecom' or ${sql.ref(`${provider}.settings`)} ->> 'templateId' <> ''))`

type State = { available: boolean; reachable: boolean }

/** Whether WeCom and WeChat are configured for messages, and whether this person has bound them. */
export async function findBoundStates(
  db: Db,
  personId: string,
): Promise<{ wecom: State; wechat: State }> {
  const { rows } = await sql<State & { kind: string }>`
    select asked.kind,
      exists (select from identity_provider provider where provider.kind = any(asked.kinds) and ${canNotify('provider')}) as available,
      exists (select from federated_identity identity join identity_provider provider on provider.id = identity.provider_id
        where identity.person_id = ${personId} and provider.kind = any(asked.kinds) and ${canNotify('provider')}) as reachable
    from (values ('wecom', '{wecom}'::text[]), ('wechat', ${wechatKinds})) as asked (kind, kinds)`.execute(
    db,
  )
  const stateOf = (kind: string): State => {
    const { available = false, reachable = false } = rows.find((row) => row.kind === kind) ?? {}
    return { available, reachable }
  }
  return { wecom: stateOf('wecom'), wechat: stateOf('wechat') }
}

export const deleteOldNotifications = async (db: Db) => {
  await db
    .deleteFrom('notification')
    .where('sent_at', '<', sql<string>`now() - make_interval(days => ${retentionDays})`)
    .execute()
}

// ---- members' settings ----

export async function getDefaultAttention(db: Db): Promise<AttentionSettings> {
  const row = await db.selectFrom('attention_default').select('settings').executeTakeFirst()
  return (row?.settings as unknown as AttentionSettings | undefined) ?? defaults
}

export async function getAttention(db: Db, accountId: string): Promise<AttentionSettings> {
  const row = await db
    .selectFrom('attention_setting')
    .select('settings')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return (row?.settings as unknown as AttentionSettings | undefined) ?? getDefaultAttention(db)
}

/** Queued notifications are re-evaluated immediately. */
export async function saveAttention(db: Db, accountId: string, settings: AttentionSettings) {
  const text = JSON.stringify(settings)
  await db
    .insertInto('attention_setting')
    .values({ account_id: accountId, settings: text })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet({ settings: text, updated_at: sql`now()` }),
    )
    .execute()
  await setDue(db, accountId, new Date())
  await announce(db, { kind: 'notification', key: '' })
}

export async function saveDefaultAttention(db: Db, settings: AttentionSettings) {
  const text = JSON.stringify(settings)
  await db
    .insertInto('attention_default')
    .values({ settings: text })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ settings: text }))
    .execute()
  await sql`update notification_waiting set due_at = now()`.execute(db)
  await announce(db, { kind: 'notification', key: '' })
}

/** Kinds the member may receive: those of applications in their inbox, and the portal's own. */
export async function listReceiveSettings(db: Db, accountId: string) {
  const rows = await db
    .selectFrom('message_kind as kind')
    .innerJoin('message_app as app', 'app.id', 'kind.app_id')
    .leftJoin('message_box as box', (join) =>
      join.onRef('box.app_id', '=', 'app.id').on('box.account_id', '=', accountId),
    )
    .leftJoin('notification_choice as choice', (join) =>
      join.onRef('choice.kind_id', '=', 'kind.id').on('choice.account_id', '=', accountId),
    )
    .select([
      'kind.id as kindId',
      'app.id as appId',
      'app.name as appName',
      'app.name_en as appNameEn',
      'kind.name',
      'kind.name_en as nameEn',
      'kind.channels',
      'kind.default_channels',
      'choice.channels as chosen',
      'kind.can_turn_off as canTurnOff',
      'kind.urgent',
    ])
    .where((where) =>
      where.or([where('box.account_id', 'is not', null), where('app.code', 'like', 'atrium-%')]),
    )
    .where('kind.channels', '<>', sql<string[]>`'{}'::text[]`)
    .orderBy('app.position')
    .orderBy('app.id')
    .orderBy('kind.position')
    .orderBy('kind.id')
    .limit(500)
    .execute()
  return rows.map(({ default_channels, chosen, ...row }) => ({
    ...row,
    chosen: row.canTurnOff
      ? (chosen ?? default_channels)
      : [...new Set([...default_channels, ...(chosen ?? [])])],
  }))
}

export const saveChoice = (db: Db, accountId: string, kindId: string, channels: string[]) =>
  db
    .insertInto('notification_choice')
    .values({ account_id: accountId, kind_id: kindId, channels })
    .onConflict((conflict) => conflict.columns(['account_id', 'kind_id']).doUpdateSet({ channels }))
    .execute()
