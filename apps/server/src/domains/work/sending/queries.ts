import type { Sending, SendingDraft } from '@atrium/contract/work/sending'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import type { Member } from '#platform/http/guard.ts'
import type { SendingScope } from './recipients.ts'
import { mayApprove } from './senders.ts'

/** The stored status, or `paused` while an unfinished message is paused. */
export const displayStatus = sql<Sending['status']>`case
  when sending.paused_at is not null and sending.status in ('scheduled', 'sending') then 'paused' else sending.status end`

/** The kind the author chose; personal messages offer no choice and are shown as `notice`. */
export const displayKind = (kind: string): SendingDraft['kind'] =>
  kind === 'event' || kind === 'urgent' ? kind : 'notice'

const selectSummary = (db: Db) =>
  db
    .selectFrom('sending')
    .select([
      'sending.id as sendId',
      'sending.title',
      'sending.title_en as titleEn',
      displayStatus.as('status'),
      'sending.send_at as sendTime',
      sql<number>`coalesce(sending.recipients, sending.expected)`.as('recipients'),
    ])

/** Number of recipients processed; for a completed message, the stored total. */
export const deliveredCount = sql<number>`case
  when sending.status in ('sent', 'stopped') then sending.recipients when sending.message_id is null then 0
  when sending.members is not null then sending.dealt_with else (
  select count(*)::integer from sending_recipient recipient
  where recipient.sending_id = sending.id and (recipient.delivered_at is not null or recipient.failure is not null)) end`

export const listSendings = (db: Db, accountId: string, limit: number, offset: number) =>
  selectSummary(db)
    .select(deliveredCount.as('delivered'))
    .where('author_account_id', '=', accountId)
    .where('test', '=', false)
    .orderBy('sending.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

export async function countSendings(db: Db, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('sending')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('author_account_id', '=', accountId)
    .where('test', '=', false)
    .executeTakeFirstOrThrow()
  return count
}

// ---- approval ----

const selectPending = (db: Db, viewer: Member, within: SendingScope) =>
  db.selectFrom('sending').where('sending.status', '=', 'pending').where(mayApprove(viewer, within))

export const listPending = (
  db: Db,
  viewer: Member,
  within: SendingScope,
  limit: number,
  offset: number,
) =>
  selectSummary(db)
    .select([deliveredCount.as('delivered'), 'sending.author'])
    .where('sending.status', '=', 'pending')
    .where(mayApprove(viewer, within))
    .orderBy('sending.id')
    .limit(limit)
    .offset(offset)
    .execute()

export async function countPending(db: Db, viewer: Member, within: SendingScope): Promise<number> {
  const { count } = await selectPending(db, viewer, within)
    .select(sql<number>`count(*)::integer`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** A message that the viewer wrote, may approve or has decided. */
export const findSending = (db: Db, viewer: Member, within: SendingScope, id: string) =>
  selectSummary(db)
    .select([
      sql<boolean>`coalesce(sending.author_account_id = ${viewer.accountId}, false)`.as('own'),
      'sending.kind',
      'sending.author',
      'sending.per_minute as perMinute',
      'sending.files',
      'sending.choices',
      'sending.channels as by',
      'sending.chosen',
      'sending.approver',
      'sending.decided_at as decidedAt',
      'sending.refusal',
      'sending.content',
      'sending.content_en as contentEn',
      'sending.format',
      'sending.variables',
      'sending.url',
      'sending.asks_confirmation as confirm',
      'sending.confirm_until as confirmUntil',
      'sending.expected',
      'sending.finished_at as finishedAt',
      'sending.withdrawn_at as withdrawnAt',
      'sending.message_id',
      'sending.members',
      'sending.delivered_members',
      'sending.failed_members',
      deliveredCount.as('delivered'),
    ])
    .where('sending.id', '=', id)
    .where(
      sql<boolean>`(sending.author_account_id = ${viewer.accountId} or sending.approver_account_id = ${viewer.accountId}
        or (sending.status = 'pending' and ${mayApprove(viewer, within)}))`,
    )
    .executeTakeFirst()
export type SendingRow = NonNullable<Awaited<ReturnType<typeof findSending>>>

export const findSendingByKey = (db: Db, accountId: string, key: string) =>
  db
    .selectFrom('sending')
    .select(['id', displayStatus.as('status')])
    .where('author_account_id', '=', accountId)
    .where('key', '=', key)
    .executeTakeFirst()

export async function countSentInHour(db: Db, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('sending')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('author_account_id', '=', accountId)
    .where('created_at', '>', sql<string>`now() - interval '1 hour'`)
    .executeTakeFirstOrThrow()
  return count
}

/** The sender's name as shown to recipients: organisation and name. */
export async function nameSender(db: Db, accountId: string): Promise<string> {
  const { organization, name } = await db
    .selectFrom('account')
    .innerJoin('organization', 'organization.id', 'account.organization_id')
    .innerJoin('person', 'person.id', 'account.person_id')
    .select(['organization.name as organization', 'person.name'])
    .where('account.id', '=', accountId)
    .executeTakeFirstOrThrow()
  return `${organization} ${name}`
}

/** Locks the author's message; waits for a running batch of it to finish. */
export const lockSending = (db: Db, accountId: string, id: string) =>
  db
    .selectFrom('sending')
    .select(['id', 'status', 'message_id', 'paused_at'])
    .where('id', '=', id)
    .where('author_account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst()

export const setWithdrawn = (db: Db, id: string) =>
  db
    .updateTable('sending')
    .set({ status: 'withdrawn', withdrawn_at: sql`now()` })
    .where('id', '=', id)
    .execute()

export async function setStopped(db: Db, id: string) {
  await sql`update sending_recipient set failure = 'stopped'
    where sending_id = ${id} and delivered_at is null and failure is null`.execute(db)
  await db
    .updateTable('sending')
    .set({ status: 'stopped', finished_at: sql`now()`, paused_at: null })
    .where('id', '=', id)
    .execute()
}

export const setPaused = (db: Db, id: string, paused: boolean) =>
  db
    .updateTable('sending')
    .set({ paused_at: paused ? sql`now()` : null })
    .where('id', '=', id)
    .execute()

// ---- drafts ----

export const findDraft = async (db: Db, accountId: string) => {
  const row = await db
    .selectFrom('sending_draft')
    .select('draft')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return (row?.draft as unknown as SendingDraft | undefined) ?? null
}

export async function saveDraft(db: Db, accountId: string, draft: SendingDraft) {
  const text = JSON.stringify(draft)
  await db
    .insertInto('sending_draft')
    .values({ account_id: accountId, draft: text })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet({ draft: text, saved_at: sql`now()` }),
    )
    .execute()
}

export const deleteDraft = (db: Db, accountId: string) =>
  db.deleteFrom('sending_draft').where('account_id', '=', accountId).execute()
