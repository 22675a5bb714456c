import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'

// ---- black list ----

const maxBlocked = 200

const memberColumns = [
  'account.id as accountId',
  'person.name',
  'person.name_en as nameEn',
  'organization.name as organizationName',
  'organization.name_en as organizationNameEn',
  'portrait.id as portraitId',
  'portrait.is_public as portraitPublic',
  'portrait.media_type as portraitType',
] as const

const selectMembers = (db: Db) =>
  db
    .selectFrom('account')
    .innerJoin('person', 'person.id', 'account.person_id')
    .innerJoin('organization', 'organization.id', 'account.organization_id')
    .leftJoin('file as portrait', 'portrait.id', 'person.portrait_file_id')

export const listBlocked = (db: Db, accountId: string) =>
  selectMembers(db)
    .innerJoin('member_block', 'member_block.blocked_account_id', 'account.id')
    .select(memberColumns)
    .select('member_block.created_at as blockedAt')
    .where('member_block.account_id', '=', accountId)
    .orderBy('member_block.created_at', 'desc')
    .orderBy('account.id')
    .execute()

/** LIKE pattern for texts with this prefix; wildcards are escaped. */
const prefix = (text: string) => `${text.replaceAll(/[\\%_]/g, '\\$&')}%`

/**
 * Other members by the start of the name or the whole username; at most ten, without telling whether there are more.
 */
export const findMembers = (
  db: Db,
  viewer: { accountId: string; personId: string },
  words: string,
  isFindable: RawBuilder<boolean>,
) =>
  selectMembers(db)
    .leftJoin('member_block', (join) =>
      join
        .onRef('member_block.blocked_account_id', '=', 'account.id')
        .on('member_block.account_id', '=', viewer.accountId),
    )
    .select(memberColumns)
    .select('member_block.created_at as blockedAt')
    .where((where) =>
      where.or([
        where('account.username', '=', words.toLowerCase()),
        where('person.name', 'like', prefix(words)),
        where(sql<string>`lower(person.name_en)`, 'like', prefix(words.toLowerCase())),
      ]),
    )
    .where('person.id', '<>', viewer.personId)
    .where('account.status', '<>', 'disabled')
    .where(isFindable)
    .orderBy('person.name')
    .orderBy('account.id')
    .limit(10)
    .execute()

/** Counts a search of the account. @returns the number within the current minute */
export async function countLookup(db: Db, accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    insert into member_lookup as lookup (account_id) values (${accountId})
    on conflict (account_id) do update set
      count = case when lookup.since < now() - interval '1 minute' then 1 else lookup.count + 1 end,
      since = case when lookup.since < now() - interval '1 minute' then now() else lookup.since end
    returning count`.execute(db)
  return rows[0]?.count ?? 0
}

/** Adds a block unless the list is full. @returns whether the account is blocked now */
export async function insertBlock(db: Db, accountId: string, blockedId: string): Promise<boolean> {
  // Serialises concurrent calls, which could otherwise exceed the limit.
  await sql`select from account where id = ${accountId} for update`.execute(db)
  const { rows } = await sql<{ on_list: boolean }>`
    with added as (
      insert into member_block (account_id, blocked_account_id)
      select ${accountId}, ${blockedId}
      where (select count(*) from member_block where account_id = ${accountId}) < ${maxBlocked}
      on conflict do nothing
      returning 1
    )
    select exists (select from added) or exists (
      select from member_block where account_id = ${accountId} and blocked_account_id = ${blockedId}
    ) as on_list`.execute(db)
  return rows[0]?.on_list ?? false
}

export async function deleteBlock(db: Db, accountId: string, blockedId: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom('member_block')
    .where('account_id', '=', accountId)
    .where('blocked_account_id', '=', blockedId)
    .returning('account_id')
    .executeTakeFirst()
  return deleted !== undefined
}

// ---- export ----

export const findExport = (db: Db, personId: string) =>
  db
    .selectFrom('personal_export')
    .select([
      'status',
      'file_id as fileId',
      'requested_at as requestedAt',
      'expires_at as expiresAt',
      sql<boolean>`coalesce(expires_at > now(), false)`.as('alive'),
      sql<string>`requested_at + interval '1 hour'`.as('nextAt'),
      sql<number>`ceil(extract(epoch from requested_at + interval '1 hour' - now()))::integer`.as(
        'waitSeconds',
      ),
    ])
    .where('person_id', '=', personId)
    .executeTakeFirst()

/** Requests an export, unless the last request is less than an hour old; of concurrent calls, one succeeds. */
export async function requestExport(
  db: Db,
  { personId, accountId }: { personId: string; accountId: string },
): Promise<boolean> {
  const { rows } = await sql`
    insert into personal_export as last (person_id, account_id) values (${personId}, ${accountId})
    on conflict (person_id) do update set
      account_id = excluded.account_id, status = 'waiting', requested_at = now(), ready_at = null, expires_at = null
    where last.requested_at <= now() - interval '1 hour'
    returning 1`.execute(db)
  return rows.length === 1
}

// ---- closing ----

export const findClosing = (db: Db, personId: string) =>
  db
    .selectFrom('account_closing')
    .select(['id', 'status', 'requested_at as requestedAt', 'due_at as dueAt', 'answer'])
    .where('person_id', '=', personId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** @returns false if a request is already waiting */
export async function insertClosing(
  db: Db,
  closing: { personId: string; accountId: string; reason: string; days: number },
): Promise<boolean> {
  const added = await db
    .insertInto('account_closing')
    .values({
      person_id: closing.personId,
      account_id: closing.accountId,
      reason: closing.reason,
      due_at: sql<string>`now() + make_interval(days => ${closing.days})`,
    })
    .onConflict((conflict) =>
      conflict.column('person_id').where('status', '=', sql.lit('waiting')).doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  return added !== undefined
}

/** Closes a waiting request; of concurrent decisions, one succeeds. @returns whose request it was */
export const decideClosing = (
  db: Db,
  by: { personId: string } | { id: string },
  status: 'withdrawn' | 'refused',
  answer = '',
) =>
  db
    .updateTable('account_closing')
    .set({ status, answer, decided_at: sql`now()` })
    .where((where) => ('id' in by ? where('id', '=', by.id) : where('person_id', '=', by.personId)))
    .where('status', '=', 'waiting')
    .returning(['person_id as personId', 'account_id as accountId'])
    .executeTakeFirst()

/** @param within organisation codes; null: all organisations */
export const listClosings = (db: Db, within: readonly string[] | null, id?: string) =>
  db
    .selectFrom('account_closing')
    .innerJoin('account', 'account.id', 'account_closing.account_id')
    .innerJoin('person', 'person.id', 'account.person_id')
    .innerJoin('organization', 'organization.id', 'account.organization_id')
    .select([
      'account_closing.id',
      'account_closing.person_id as personId',
      'account.username',
      'person.name',
      'organization.name as organizationName',
      'account_closing.status',
      'account_closing.reason',
      'account_closing.answer',
      'account_closing.requested_at as requestedAt',
      'account_closing.due_at as dueAt',
    ])
    .$if(within !== null, (query) =>
      query.where(sql<boolean>`organization.path && ${within as string[]}::text[]`),
    )
    .$if(id !== undefined, (query) => query.where('account_closing.id', '=', id as string))
    .orderBy('account_closing.id', 'desc')
    .limit(200)
    .execute()

export const listUsernames = async (db: Db, personId: string): Promise<string[]> =>
  (
    await db
      .selectFrom('account')
      .select('username')
      .where('person_id', '=', personId)
      .where('status', '<>', 'disabled')
      .orderBy('id')
      .execute()
  ).map(({ username }) => username)

/** Whether any account of the person is an operator. */
export async function isOperatorPerson(db: Db, personId: string): Promise<boolean> {
  const found = await db
    .selectFrom('operator_grant')
    .innerJoin('account', 'account.id', 'operator_grant.account_id')
    .select('account.id')
    .where('account.person_id', '=', personId)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
