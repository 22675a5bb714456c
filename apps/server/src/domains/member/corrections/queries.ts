import type { Body } from '@atrium/contract/define'
import type { corrections } from '@atrium/contract/member/corrections'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'

const ownColumns = [
  'correction.id',
  'correction.field',
  'correction.value',
  'correction.note',
  'correction.status',
  'correction.answer',
  'correction.requested_at as requestedAt',
  'correction.decided_at as decidedAt',
] as const

export const listOwnCorrections = (db: Db, accountId: string, id?: string) =>
  db
    .selectFrom('correction')
    .select(ownColumns)
    .where('account_id', '=', accountId)
    .$if(id !== undefined, (query) => query.where('id', '=', id as string))
    .orderBy('id', 'desc')
    .limit(50)
    .execute()

/** @returns undefined if the maximum number of requests is open */
export async function insertCorrection(
  db: Db,
  accountId: string,
  { field, value, note }: Body<typeof corrections.request>,
  max: number,
): Promise<string | undefined> {
  await sql`select pg_advisory_xact_lock(7302, hashtext(${accountId}))`.execute(db)
  const { rows } = await sql<{ id: string }>`
    insert into correction (account_id, field, value, note)
    select ${accountId}, ${field}, ${value.trim()}, ${note.trim()}
    where (select count(*) from correction where account_id = ${accountId} and status = 'waiting') < ${max}
    returning id`.execute(db)
  return rows[0]?.id
}

/** Closes an open request. @returns the account it belongs to */
export const decideCorrection = (
  db: Db,
  id: string,
  by: { accountId?: string; decidedBy?: string },
  status: 'withdrawn' | 'done' | 'refused',
  answer = '',
) =>
  db
    .updateTable('correction')
    .set({
      status,
      answer,
      decided_at: sql`now()`,
      decided_by_account_id: by.decidedBy ?? null,
    })
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .$if(by.accountId !== undefined, (query) =>
      query.where('account_id', '=', by.accountId as string),
    )
    .returning(['account_id as accountId', 'field'])
    .executeTakeFirst()

/** @param within organisation codes; null: all organisations */
export const listCorrectionRequests = (db: Db, within: readonly string[] | null, id?: string) =>
  db
    .selectFrom('correction')
    .innerJoin('account', 'account.id', 'correction.account_id')
    .innerJoin('person', 'person.id', 'account.person_id')
    .innerJoin('organization', 'organization.id', 'account.organization_id')
    .innerJoin('identity_type', 'identity_type.code', 'account.identity_type_code')
    .select(ownColumns)
    .select([
      'person.id as personId',
      'account.username',
      'person.name',
      'organization.name as organizationName',
      sql<string>`coalesce(person.external_key, '')`.as('number'),
      sql<string>`case correction.field when 'name' then person.name when 'nameEn' then person.name_en
        when 'number' then coalesce(person.external_key, '') when 'identity' then identity_type.name
        when 'organization' then organization.name when 'mobile' then person.mobile when 'email' then person.email
        else '' end`.as('now'),
      sql<string>`coalesce(
        (select directory.code from directory_entry entry join directory on directory.id = entry.directory_id
          where entry.account_id = account.id limit 1),
        (select 'scim' from scim_user where scim_user.account_id = account.id limit 1), '')`.as(
        'keptBy',
      ),
    ])
    .$if(within !== null, (query) =>
      query.where(sql<boolean>`organization.path && ${within as string[]}::text[]`),
    )
    .$if(id !== undefined, (query) => query.where('correction.id', '=', id as string))
    .orderBy(sql`correction.status <> 'waiting'`)
    .orderBy('correction.id', 'desc')
    .limit(200)
    .execute()
