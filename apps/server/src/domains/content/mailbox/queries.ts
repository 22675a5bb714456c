import type { ReceivedLetter } from '@atrium/contract/content/mailbox'
import { type RawBuilder, sql } from 'kysely'
import { type Rule, visibleTo } from '#platform/audience.ts'
import type { Db } from '#platform/database/db.ts'
import type { Member, Viewer } from '#platform/http/guard.ts'
import {
  cursorPage,
  cursorShapes,
  exactTime,
  pageSizeOf,
  pattern,
  readCursor,
} from '#platform/http/paging.ts'
import { operatedIn } from '#platform/permissions.ts'

type Paged = { cursor?: string; pageSize?: number }
const cursorShape = [cursorShapes.time, cursorShapes.id]
const olderThan = (column: string, time: string, id: string | undefined) =>
  sql<boolean>`(${sql.ref(column)}, letter.id) < (${time}::timestamptz, ${id}::bigint)`

// ---- for members ----

export const listMailboxes = (db: Db, viewer: Viewer) =>
  db
    .selectFrom('mailbox')
    .leftJoin('organization', 'organization.id', 'mailbox.organization_id')
    .select([
      'mailbox.id',
      'mailbox.name',
      'mailbox.name_en as nameEn',
      'mailbox.description',
      'mailbox.description_en as descriptionEn',
      'mailbox.open',
    ])
    .select([
      sql<string>`coalesce(organization.name, '')`.as('departmentName'),
      sql<string>`coalesce(organization.name_en, '')`.as('departmentNameEn'),
    ])
    .where(visibleTo(viewer, 'mailbox.audience_id'))
    .orderBy('mailbox.position')
    .orderBy('mailbox.id')
    .limit(200)
    .execute()

/** A mailbox this viewer may write to. */
export const findMailbox = (db: Db, viewer: Viewer, id: string) =>
  db
    .selectFrom('mailbox')
    .select(['id', 'open'])
    .where('id', '=', id)
    .where(visibleTo(viewer))
    .executeTakeFirst()

const letterColumns = [
  'letter.id',
  'letter.mailbox_id as mailboxId',
  'mailbox.name as mailboxName',
  'mailbox.name_en as mailboxNameEn',
  'letter.title',
  'letter.content',
  'letter.created_at as createdAt',
  'letter.answer',
  'letter.answered_at as answeredAt',
  'letter.may_publish as mayPublish',
] as const
const published = sql<boolean>`letter.published_at is not null`.as('published')

/** A member's own letters remain visible even without the right to write to the mailbox. */
export async function listOwnLetters(db: Db, accountId: string, paged: Paged, id?: string) {
  const [time, after] = readCursor(paged.cursor, cursorShape) ?? []
  const pageSize = pageSizeOf(paged)
  let query = db
    .selectFrom('letter')
    .innerJoin('mailbox', 'mailbox.id', 'letter.mailbox_id')
    .select(letterColumns)
    .select([published, exactTime('letter.created_at').as('exact')])
    .where('letter.account_id', '=', accountId)
  if (id) query = query.where('letter.id', '=', id)
  if (time) query = query.where(olderThan('letter.created_at', time, after))
  const rows = await query
    .orderBy('letter.created_at', 'desc')
    .orderBy('letter.id', 'desc')
    .limit(pageSize + 1)
    .execute()
  return cursorPage(
    rows,
    pageSize,
    (row) => [row.exact, row.id],
    ({ exact: _exact, ...letter }) => letter,
  )
}

/** Counts a person's letters of the last hour and day, over all accounts; locks the person against concurrent letters. */
export async function countRecent(db: Db, personId: string) {
  await db
    .selectFrom('person')
    .select('id')
    .where('id', '=', personId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return db
    .selectFrom('letter')
    .innerJoin('account', 'account.id', 'letter.account_id')
    .select([
      sql<number>`count(*) filter (where letter.created_at > now() - interval '1 hour')::integer`.as(
        'hour',
      ),
      sql<number>`count(*)::integer`.as('day'),
    ])
    .where('account.person_id', '=', personId)
    .where('letter.created_at', '>', sql<string>`now() - interval '1 day'`)
    .executeTakeFirstOrThrow()
}

/** The letter its author sent under this idempotency key. */
export async function findByKey(db: Db, accountId: string, key: string) {
  const row = await db
    .selectFrom('letter')
    .select('id')
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .executeTakeFirst()
  return row && (await listOwnLetters(db, accountId, {}, row.id)).list[0]
}

/** @returns its id */
export async function insertLetter(
  db: Db,
  letter: {
    mailboxId: string
    accountId: string
    title: string
    content: string
    mayPublish: boolean
    key?: string
  },
) {
  const { id } = await db
    .insertInto('letter')
    .values({
      mailbox_id: letter.mailboxId,
      account_id: letter.accountId,
      title: letter.title,
      content: letter.content,
      may_publish: letter.mayPublish,
      key: letter.key ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** @returns whether an unanswered letter was deleted */
export async function deleteUnanswered(db: Db, accountId: string, id: string) {
  const deleted = await db
    .deleteFrom('letter')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('answered_at', 'is', null)
    .executeTakeFirst()
  return deleted.numDeletedRows > 0n
}

/** Published questions and answers, without their authors. */
export async function listPublished(
  db: Db,
  viewer: Viewer,
  filter: Paged & { mailboxId?: string },
) {
  const [time, after] = readCursor(filter.cursor, cursorShape) ?? []
  const pageSize = pageSizeOf(filter)
  let query = db
    .selectFrom('letter')
    .innerJoin('mailbox', 'mailbox.id', 'letter.mailbox_id')
    .select([
      'letter.id',
      'mailbox.name as mailboxName',
      'mailbox.name_en as mailboxNameEn',
      'letter.title',
      'letter.content',
      'letter.answer',
    ])
    .select([
      sql<string>`letter.published_at`.as('publishedAt'),
      exactTime('letter.published_at').as('exact'),
    ])
    .where('letter.published_at', 'is not', null)
    .where(visibleTo(viewer, 'mailbox.audience_id'))
  if (filter.mailboxId) query = query.where('letter.mailbox_id', '=', filter.mailboxId)
  if (time) query = query.where(olderThan('letter.published_at', time, after))
  const rows = await query
    .orderBy('letter.published_at', 'desc')
    .orderBy('letter.id', 'desc')
    .limit(pageSize + 1)
    .execute()
  return cursorPage(
    rows,
    pageSize,
    (row) => [row.exact, row.id],
    ({ exact: _exact, ...letter }) => letter,
  )
}

// ---- for departments ----

/** Condition that a mailbox belongs to a department of the viewer; `organization` is the mailbox's. */
function operatedBy(viewer: Member): RawBuilder<boolean> {
  const codes = operatedIn(viewer, 'messages')
  return codes === null
    ? sql<boolean>`true`
    : sql<boolean>`organization.path && ${codes as string[]}::text[]`
}

export async function listOwnMailboxes(db: Db, viewer: Member, id?: string) {
  const rows = await db
    .selectFrom('mailbox')
    .innerJoin('audience', 'audience.id', 'mailbox.audience_id')
    .leftJoin('organization', 'organization.id', 'mailbox.organization_id')
    .select([
      'mailbox.id',
      'mailbox.revision',
      'mailbox.name',
      'mailbox.name_en as nameEn',
      'mailbox.description',
      'mailbox.description_en as descriptionEn',
      'mailbox.open',
      'mailbox.position',
      'organization.code as organization',
      'audience.rules',
    ])
    .select([
      sql<string>`coalesce(organization.name, '')`.as('departmentName'),
      sql<string>`coalesce(organization.name_en, '')`.as('departmentNameEn'),
      sql<number>`(select count(*)::integer from letter where mailbox_id = mailbox.id and answered_at is null)`.as(
        'waiting',
      ),
    ])
    .where(operatedBy(viewer))
    .$if(id !== undefined, (query) => query.where('mailbox.id', '=', id as string))
    .orderBy('mailbox.position')
    .orderBy('mailbox.id')
    .limit(500)
    .execute()
  return rows.map(({ rules, ...row }) => ({
    ...row,
    audience: (rules as Rule[])
      .filter((rule) => rule.kind !== 'account')
      .map((rule) => ({ target: '', ...rule })) as {
      effect: 'include' | 'exclude'
      kind: 'everybody' | 'guests' | 'identity' | 'organization' | 'group'
      target: string
    }[],
  }))
}

export type MailboxValues = {
  name: string
  name_en: string
  description: string
  description_en: string
  organization_id: string | null
  audience_id: number
  open: boolean
  position: number
}

/** @returns the mailbox's id */
export const insertMailbox = async (db: Db, values: MailboxValues) =>
  (await db.insertInto('mailbox').values(values).returning('id').executeTakeFirstOrThrow()).id

/** @returns false if the mailbox has been changed since that revision */
export async function updateMailbox(db: Db, id: string, revision: number, values: MailboxValues) {
  const changed = await db
    .updateTable('mailbox')
    .set({ ...values, revision: sql`revision + 1` })
    .where('id', '=', id)
    .where('revision', '=', revision)
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

/** @returns whether the mailbox was empty and has been deleted */
export async function deleteEmptyMailbox(db: Db, id: string) {
  const deleted = await db
    .deleteFrom('mailbox')
    .where('id', '=', id)
    .where(sql<boolean>`not exists (select from letter where mailbox_id = mailbox.id)`)
    .executeTakeFirst()
  return deleted.numDeletedRows > 0n
}

type ReceivedFilter = { mailboxId?: string; state?: string; q?: string }

function receivedLetters(db: Db, viewer: Member, filter: ReceivedFilter) {
  let query = db
    .selectFrom('letter')
    .innerJoin('mailbox', 'mailbox.id', 'letter.mailbox_id')
    .leftJoin('organization', 'organization.id', 'mailbox.organization_id')
    .where(operatedBy(viewer))
  if (filter.mailboxId) query = query.where('letter.mailbox_id', '=', filter.mailboxId)
  if (filter.state === 'waiting') query = query.where('letter.answered_at', 'is', null)
  if (filter.state === 'answered') query = query.where('letter.answered_at', 'is not', null)
  if (filter.state === 'published') query = query.where('letter.published_at', 'is not', null)
  if (filter.q?.trim())
    query = query.where(
      sql<boolean>`(letter.title ilike ${pattern(filter.q)} or letter.content ilike ${pattern(filter.q)})`,
    )
  return query
}

/** Total number of letters for `listReceived`. */
export async function countReceived(db: Db, viewer: Member, filter: ReceivedFilter) {
  const { count } = await receivedLetters(db, viewer, filter)
    .select(sql<number>`count(*)::integer`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export async function listReceived(
  db: Db,
  viewer: Member,
  filter: Paged & ReceivedFilter,
  id?: string,
) {
  const [time, after] = readCursor(filter.cursor, cursorShape) ?? []
  const pageSize = pageSizeOf(filter)
  let query = receivedLetters(db, viewer, filter)
    .innerJoin('account as writer', 'writer.id', 'letter.account_id')
    .innerJoin('person', 'person.id', 'writer.person_id')
    .innerJoin('organization as home', 'home.id', 'writer.organization_id')
    .leftJoin('account as answerer', 'answerer.id', 'letter.answerer_account_id')
    .leftJoin('person as colleague', 'colleague.id', 'answerer.person_id')
    .select(letterColumns)
    .select(['letter.revision', 'letter.account_id', published])
    .select([
      sql<
        ReceivedLetter['writer']
      >`jsonb_build_object('name', person.name, 'nameEn', person.name_en,
        'organizationName', home.name, 'organizationNameEn', home.name_en)`.as('writer'),
      sql<string>`coalesce(colleague.name, '')`.as('answeredBy'),
      exactTime('letter.created_at').as('exact'),
    ])
  if (id) query = query.where('letter.id', '=', id)
  if (time) query = query.where(olderThan('letter.created_at', time, after))
  const rows = await query
    .orderBy('letter.created_at', 'desc')
    .orderBy('letter.id', 'desc')
    .limit(pageSize + 1)
    .execute()
  return cursorPage(
    rows,
    pageSize,
    (row) => [row.exact, row.id],
    ({ exact: _exact, account_id, ...row }) => ({ ...row, accountId: account_id }),
  )
}

/** @returns false if the letter has been changed since that revision */
export async function updateAnswer(
  db: Db,
  letter: { id: string; revision: number; answer: string; accountId: string },
) {
  const changed = await db
    .updateTable('letter')
    .set({
      answer: letter.answer,
      answerer_account_id: letter.accountId,
      answered_at: sql`coalesce(answered_at, now())`,
      revision: sql`revision + 1`,
    })
    .where('id', '=', letter.id)
    .where('revision', '=', letter.revision)
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

/** @returns false if the letter has been changed since that revision */
export async function updatePublished(
  db: Db,
  letter: { id: string; revision: number; published: boolean },
) {
  const changed = await db
    .updateTable('letter')
    .set({
      published_at: letter.published ? sql`coalesce(published_at, now())` : null,
      revision: sql`revision + 1`,
    })
    .where('id', '=', letter.id)
    .where('revision', '=', letter.revision)
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}
