import type { SendingResult } from '@atrium/contract/work/sending'
import type { SendingRecipient } from '@atrium/contract/work/sending-ledger'
import { type RawBuilder, sql } from 'kysely'
import type { Notified } from '#domains/work/notifications/worker.ts'
import type { Db } from '#platform/database/db.ts'
import type { OutboxResult } from '#platform/delivery/outbox.ts'
import { cursorPage, cursorShapes, readCursor } from '#platform/http/paging.ts'
import type { Channel } from './recipients.ts'

// ---- writes ----

/** Records the notifications of sent messages as they enter the outbox. */
export async function recordNotifications(
  db: Db,
  accountId: string,
  notified: readonly Notified[],
) {
  if (notified.length === 0) return
  await sql`
    insert into sending_channel (outbox_id, sending_id, recipient_id, channel)
    select note.outbox_id, recipient.sending_id, recipient.id, note.channel
    from unnest(${notified.map(({ messageId }) => messageId)}::bigint[], ${notified.map(({ outboxId }) => outboxId)}::bigint[],
      ${notified.map(({ channel }) => channel)}::text[]) as note (message_id, outbox_id, channel)
    join sending on sending.message_id = note.message_id
    join sending_recipient recipient on recipient.sending_id = sending.id and recipient.account_id = ${accountId}`.execute(
    db,
  )
}

export async function recordOutcomes(db: Db, results: readonly OutboxResult[]) {
  await sql`
    update sending_channel set status = result.status, error = result.error, finished_at = now()
    from unnest(${results.map(({ id }) => id)}::bigint[], ${results.map(({ status }) => status)}::text[],
      ${results.map(({ error }) => error)}::text[]) as result (id, status, error)
    where sending_channel.outbox_id = result.id`.execute(db)
}

// ---- reads ----

export type SentMessage = {
  id: string
  message_id: string | null
  status: string
  /** whether readers are asked to confirm, and to answer */
  confirm: boolean
  asksAnswer: boolean
  /** member counts maintained by the batches; undefined for messages older than these counts */
  counts?: { members: number; delivered: number; failed: number } | undefined
}
/** Read receipts are reported only if the message asks for a confirmation or an answer. */
export const reportsReading = ({
  confirm,
  asksAnswer,
}: Pick<SentMessage, 'confirm' | 'asksAnswer'>) => confirm || asksAnswer

/** SQL condition on `delivery`: the reader has confirmed and answered as asked. */
const isDone = ({ confirm, asksAnswer }: SentMessage) =>
  sql<boolean>`(${reportsReading({ confirm, asksAnswer })} and (delivery.confirmed_at is not null or not ${confirm}::boolean)
    and (delivery.answer is not null or not ${asksAnswer}::boolean))`

/**
 * Each recipient with its inbox state. A message hidden by its reader still counts as delivered. By default deliveries
 * are looked up per recipient, so that reading one page costs only that page.
 */
const recipientsOf = (sent: SentMessage, deliveries: RawBuilder<unknown> = ofEach(sent)) => {
  const { id, status } = sent
  return sql`
  select recipient.id, recipient.account_id, recipient.contact, recipient.channels, recipient.failure,
    case when recipient.account_id is null and recipient.contact_kind is not null then 'none'
         when recipient.failure = 'stopped' then 'withdrawn'
         when recipient.failure is not null or recipient.account_id is null then 'failed'
         when delivery.hidden = 'withdrawn' or (delivery.message_id is null and ${status === 'withdrawn'}) then 'withdrawn'
         when delivery.message_id is null then 'waiting'
         when ${isDone(sent)} then 'confirmed'
         when delivery.read_at is not null then 'read'
         else 'delivered' end as inbox,
    delivery.read_at is not null as was_read,
    recipient.delivered_at is null and recipient.failure is null and ${status !== 'withdrawn'} as open
  from sending_recipient recipient
  ${deliveries}
  where recipient.sending_id = ${id}`
}
const isDelivery = ({ message_id }: SentMessage) => sql`
  delivery.message_id = ${message_id}::bigint and delivery.account_id = recipient.account_id
  and delivery.sent_at = (select sent_at from message where id = ${message_id}::bigint)`
const ofEach = (sent: SentMessage) => sql`
  left join lateral (select * from message_delivery delivery where ${isDelivery(sent)} offset 0) delivery on true`
const ofAll = (sent: SentMessage) => sql`left join message_delivery delivery on ${isDelivery(sent)}`

/**
 * For queries over all recipients: disables nested loops. The planner has no statistics yet about a message being sent;
 * a nested-loop plan based on older ones takes minutes.
 */
async function withoutNestedLoops<T>(db: Db, read: (db: Db) => Promise<T>): Promise<T> {
  const run = async (db: Db) => {
    await sql`set local enable_nestloop = off; set local work_mem = '32MB'`.execute(db)
    const answer = await read(db)
    await sql`set local enable_nestloop to default; set local work_mem to default`.execute(db)
    return answer
  }
  return db.isTransaction ? run(db) : db.transaction().execute(run)
}

/** The state of each channel of a recipient; with several devices, the best one. */
const channelsOf = ({ id, message_id }: SentMessage, recipients: RawBuilder<unknown>) => sql`
  select recipient.id, channel,
    case note.best when 3 then 'sent' when 2 then 'queued' when 1 then 'failed'
      else case when recipient.open or (waiting.message_id is not null and recipient.inbox <> 'withdrawn')
        then 'waiting' else 'skipped' end end as status,
    coalesce(note.error, '') as error
  from ${recipients} as recipient
  cross join unnest(recipient.channels) as channel
  left join (
    select recipient_id, channel as by, max(case status when 'sent' then 3 when 'queued' then 2 else 1 end) as best,
      max(error) as error
    from sending_channel where sending_id = ${id} group by recipient_id, channel
  ) note on note.recipient_id = recipient.id and note.by = channel
  left join notification_waiting waiting on waiting.message_id = ${message_id}::bigint
    and waiting.account_id = recipient.account_id`

type Figures = Pick<SendingResult, 'inbox' | 'channels' | 'tooLate' | 'answers' | 'reminders'>

type Inbox = Figures['inbox']

/** Counts every recipient with an inbox once. */
async function countInboxes(db: Db, sent: SentMessage): Promise<Inbox> {
  const isReported = reportsReading(sent)
  const { rows } = await sql<{ inbox: string; count: number; read: number }>`
    select inbox, count(*)::integer as count, (count(*) filter (where was_read))::integer as read
    from (${recipientsOf(sent, ofAll(sent))}) as recipient group by inbox`.execute(db)
  const countOf = (inbox: string) => rows.find((row) => row.inbox === inbox)?.count ?? 0
  return {
    total: rows.reduce((sum, row) => sum + (row.inbox === 'none' ? 0 : row.count), 0),
    waiting: countOf('waiting'),
    delivered: countOf('delivered') + countOf('read') + countOf('confirmed'),
    withdrawn: countOf('withdrawn'),
    failed: countOf('failed'),
    read: isReported ? rows.reduce((sum, row) => sum + row.read, 0) : null,
    confirmed: isReported ? countOf('confirmed') : null,
  }
}

/**
 * The same figures from the counts maintained by the batches. An account deleted since counts as failed, as in the
 * list.
 */
async function inboxesOf(
  db: Db,
  sent: SentMessage,
  { members, delivered, failed }: NonNullable<SentMessage['counts']>,
): Promise<Inbox> {
  const [{ rows: deletedAccounts }, { rows: done }] = await Promise.all([
    sql<{ count: number }>`
      select count(*)::integer as count from sending_recipient
      where sending_id = ${sent.id} and account_id is null and contact_kind is null and failure is null
        and delivered_at is not null`.execute(db),
    reportsReading(sent)
      ? sql<{ read: number; confirmed: number }>`
          select (count(*) filter (where read_at is not null))::integer as read,
            (count(*) filter (where ${isDone(sent)}))::integer as confirmed
          from message_delivery delivery where message_id = ${sent.message_id}::bigint
            and sent_at = (select sent_at from message where id = ${sent.message_id}::bigint)
            and (read_at is not null or confirmed_at is not null or answer is not null)`.execute(db)
      : { rows: [] },
  ])
  const deletedCount = deletedAccounts[0]?.count ?? 0
  const remaining = members - delivered - failed
  return {
    total: members,
    waiting: sent.status === 'stopped' ? 0 : remaining,
    delivered: delivered - deletedCount,
    withdrawn: sent.status === 'stopped' ? remaining : 0,
    failed: failed + deletedCount,
    read: reportsReading(sent) ? (done[0]?.read ?? 0) : null,
    confirmed: reportsReading(sent) ? (done[0]?.confirmed ?? 0) : null,
  }
}

/** Recipients with channels, for channel figures only: does not read each recipient's inbox. */
const recipientsWithChannels = ({ id }: SentMessage) => sql`(
  select id, account_id, channels, case when failure = 'stopped' then 'withdrawn' else 'delivered' end as inbox,
    delivered_at is null and failure is null as open
  from sending_recipient where sending_id = ${id} and channels <> '{}')`

/** Figures by inbox and channel. Every recipient with an inbox counts once, and so does each of their channels. */
export async function countOutcomes(
  db: Db,
  sent: SentMessage,
  choices: readonly { text: string; textEn: string }[],
): Promise<Figures> {
  // A withdrawn message is counted from the inboxes.
  const counts = sent.status === 'withdrawn' ? undefined : sent.counts
  const allRecipients = sql`(${recipientsOf(sent, ofAll(sent))} and recipient.channels <> '{}')`
  const [inbox, byChannel, answers, reminders] = await withoutNestedLoops(db, (db) =>
    Promise.all([
      counts ? inboxesOf(db, sent, counts) : countInboxes(db, sent),
      sql<{ channel: Channel; status: ChannelStatus; count: number }>`
      select channel, status, count(*)::integer as count
      from (${channelsOf(sent, counts ? recipientsWithChannels(sent) : allRecipients)}) as state group by channel, status`.execute(
        db,
      ),
      sent.asksAnswer ? countAnswers(db, sent) : [],
      listReminders(db, sent.id),
    ]),
  )
  const channels = Map.groupBy(byChannel.rows, ({ channel }) => channel)
  return {
    inbox,
    channels: [...channels].map(([channel, rows]) => {
      const countOf = (status: ChannelStatus) =>
        rows.find((row) => row.status === status)?.count ?? 0
      return {
        channel,
        total: rows.reduce((sum, { count }) => sum + count, 0),
        waiting: countOf('waiting'),
        queued: countOf('queued'),
        sent: countOf('sent'),
        failed: countOf('failed'),
        skipped: countOf('skipped'),
      }
    }),
    answers: choices.map((choice, index) => ({
      ...choice,
      count: answers.find(({ answer }) => answer === answerOf(index))?.count ?? 0,
    })),
    reminders,
    tooLate:
      sent.status === 'withdrawn' ? (inbox.read ?? 0) + (await countSentExternal(db, sent)) : 0,
  }
}

/** The answer key of a choice in the inbox: its position, from 1. */
export const answerOf = (index: number) => String(index + 1)

async function countAnswers(db: Db, { message_id }: SentMessage) {
  const { rows } = await sql<{ answer: string; count: number }>`
    select answer, count(*)::integer as count from message_delivery
    where message_id = ${message_id}::bigint and sent_at = (select sent_at from message where id = ${message_id}::bigint)
      and answer is not null
    group by answer`.execute(db)
  return rows
}

/** The next recipients by id who have the message but have not done what was asked. */
export async function listOutstanding(db: Db, sent: SentMessage, after: string, limit: number) {
  const { rows } = await sql<{ id: string; account_id: string | null }>`
    select id, account_id from (${recipientsOf(sent)}) as recipient
    where inbox in ('delivered', 'read') and id > ${after}::bigint
    order by id limit ${limit}`.execute(db)
  return rows
}

const listReminders = (db: Db, id: string) =>
  db
    .selectFrom('sending_reminder')
    .select([
      'created_at as at',
      sql<Channel[]>`channels`.as('channels'),
      'reminded as recipients',
      sql<boolean>`finished_at is not null`.as('finished'),
    ])
    .where('sending_id', '=', id)
    .orderBy('id')
    .execute()

/** Number of intervals on the curve. */
const maxPoints = 48

/** Cumulative numbers of deliveries and of completed responses over time. */
export const curveOf = (db: Db, sent: SentMessage) =>
  withoutNestedLoops(db, async (db) => {
    const { rows } = await sql<{ at: string; delivered: number; confirmed: number }>`
    with moment as (
      select recipient.delivered_at as had,
        case when ${isDone(sent)} then greatest(delivery.confirmed_at, delivery.answered_at) end as done
      from sending_recipient recipient
      ${ofAll(sent)}
      where recipient.sending_id = ${sent.id} and recipient.delivered_at is not null
    ), span as (
      select min(had) as first, greatest(max(had), max(done), min(had) + interval '1 minute') as last from moment
    ), stepped as (
      select ceil(extract(epoch from had - first) / extract(epoch from last - first) * ${maxPoints})::integer as had,
        ceil(extract(epoch from done - first) / extract(epoch from last - first) * ${maxPoints})::integer as done
      from moment, span
    ), delivered as (select had as step, count(*) as n from stepped group by 1),
    confirmed as (select done as step, count(*) as n from stepped where done is not null group by 1)
    select first + (last - first) * step / ${maxPoints} as at,
      (sum(coalesce(delivered.n, 0)) over (order by step))::integer as delivered,
      (sum(coalesce(confirmed.n, 0)) over (order by step))::integer as confirmed
    from span cross join generate_series(0, ${maxPoints}) step
    left join delivered using (step) left join confirmed using (step)
    where first is not null order by step`.execute(db)
    return rows
  })

/** Outside contacts already reached: mail and SMS cannot be recalled. */
async function countSentExternal(db: Db, { id }: SentMessage): Promise<number> {
  const { count } = await db
    .selectFrom('sending_recipient as recipient')
    .innerJoin('sending_channel as note', (join) =>
      join
        .onRef('note.sending_id', '=', 'recipient.sending_id')
        .onRef('note.recipient_id', '=', 'recipient.id'),
    )
    .select(sql<number>`count(distinct recipient.id)::integer`.as('count'))
    .where('recipient.sending_id', '=', id)
    .where('recipient.contact_kind', 'is not', null)
    .where('note.status', '=', 'sent')
    .executeTakeFirstOrThrow()
  return count
}

type ChannelStatus = SendingRecipient['channels'][number]['status']

export type RecipientFilter =
  | 'waiting'
  | 'delivered'
  | 'read'
  | 'confirmed'
  | 'unconfirmed'
  | 'failed'

const filters: Record<RecipientFilter, RawBuilder<boolean>> = {
  waiting: sql`recipient.inbox = 'waiting'`,
  delivered: sql`recipient.inbox in ('delivered', 'read', 'confirmed')`,
  read: sql`recipient.inbox in ('read', 'confirmed')`,
  confirmed: sql`recipient.inbox = 'confirmed'`,
  unconfirmed: sql`recipient.inbox in ('waiting', 'delivered', 'read')`,
  failed: sql`(recipient.inbox = 'failed' or exists (
    select from sending_channel note where note.sending_id = recipient.sending_id and note.recipient_id = recipient.id and note.status = 'failed'))`,
}

/** One page of recipients with their channel states. */
export async function listRecipients(
  db: Db,
  sent: SentMessage,
  query: { cursor?: string | undefined; pageSize: number; status?: RecipientFilter | undefined },
) {
  const [after] = readCursor(query.cursor, [cursorShapes.id]) ?? ['0']
  const { rows } = await sql<Omit<SendingRecipient, 'channels'> & { id: string }>`
    with recipient as (
      select listed.*, ${sent.id}::bigint as sending_id from (${recipientsOf(sent)}) as listed
    )
    select recipient.id, recipient.inbox, coalesce(person.name, '') as name, coalesce(person.name_en, '') as "nameEn",
      coalesce(account.username, recipient.contact) as contact,
      coalesce(organization.name, '') as organization, coalesce(organization.name_en, '') as "organizationEn"
    from recipient
    left join account on account.id = recipient.account_id
    left join person on person.id = account.person_id
    left join organization on organization.id = account.organization_id
    where recipient.id > ${after}::bigint and ${query.status ? filters[query.status] : sql`true`}
    order by recipient.id limit ${query.pageSize + 1}`.execute(db)
  const ids = rows.map(({ id }) => id)
  const states = await sql<{ id: string; channel: Channel; status: ChannelStatus; error: string }>`
    ${channelsOf(sent, sql`(select * from (${recipientsOf(sent)}) as listed where id = any(${ids}::bigint[]))`)}
    order by recipient.id, channel`.execute(db)
  const byRecipient = Map.groupBy(states.rows, ({ id }) => id)
  return cursorPage(
    rows,
    query.pageSize,
    ({ id }) => [id],
    ({ id, inbox, ...row }): SendingRecipient => ({
      ...row,
      inbox: !reportsReading(sent) && inbox === 'read' ? 'delivered' : inbox,
      channels: (byRecipient.get(id) ?? []).map(({ channel, status, error }) => ({
        channel,
        status,
        error: status === 'failed' ? error : '',
      })),
    }),
  )
}

/**
 * Outbox entries of a message that can still be cancelled. Pushes are excluded: one push may announce several messages.
 */
export const listUnsent = async (db: Db, sendingId: string) => {
  const rows = await db
    .selectFrom('sending_channel')
    .select('outbox_id')
    .where('sending_id', '=', sendingId)
    .where('status', '=', 'queued')
    .where('channel', '<>', 'push')
    .execute()
  return rows.map(({ outbox_id }) => outbox_id)
}

/** Deletes the records of outbox entries that were never sent. */
export const deleteChannelRecords = (db: Db, outboxIds: readonly string[]) =>
  db
    .deleteFrom('sending_channel')
    .where('outbox_id', '=', sql<string>`any(${outboxIds as string[]}::bigint[])`)
    .execute()
