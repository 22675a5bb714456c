import type { sendable } from '@atrium/contract/discovery/assistant.operator'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import type { Secret } from '#platform/secret.ts'
import type { Model } from './model-client.ts'

export type Settings = Omit<Model, 'key'> & {
  enabled: boolean
  sends: (typeof sendable)[number][]
  dailyPerMember: number
  dailyTokens: number
  sealedKey: string | null
}

/** Defaults until an operator configures a model. */
const defaults: Settings = {
  address: '',
  model: '',
  sealedKey: null,
  enabled: false,
  sends: ['question', 'guide', 'service', 'place', 'news'],
  dailyPerMember: 50,
  dailyTokens: 2_000_000,
  seconds: 15,
}

export async function readModel(db: Db): Promise<Settings> {
  const row = await db
    .selectFrom('assistant_model')
    .select([
      'address',
      'model',
      'sealed_key as sealedKey',
      'enabled',
      'sends',
      'daily_per_member as dailyPerMember',
      'daily_tokens as dailyTokens',
      'seconds',
    ])
    .executeTakeFirst()
  return row ? { ...row, sends: row.sends as Settings['sends'] } : defaults
}

/** @param key undefined: unchanged; empty: removed */
export async function updateModel(
  db: Db,
  secret: Secret,
  settings: Omit<Settings, 'sealedKey'>,
  key: string | undefined,
) {
  const values = {
    address: settings.address,
    model: settings.model,
    enabled: settings.enabled,
    sends: settings.sends,
    daily_per_member: settings.dailyPerMember,
    daily_tokens: settings.dailyTokens,
    seconds: settings.seconds,
    ...(key !== undefined && { sealed_key: key === '' ? null : secret.encrypt(key) }),
  }
  await db
    .insertInto('assistant_model')
    .values(values)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute()
}

export const hasAgreed = async (db: Db, accountId: string) =>
  (await db
    .selectFrom('assistant_consent')
    .select('account_id')
    .where('account_id', '=', accountId)
    .executeTakeFirst()) !== undefined

export async function setAgreed(db: Db, accountId: string, agreed: boolean) {
  if (agreed)
    await db
      .insertInto('assistant_consent')
      .values({ account_id: accountId })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  else await db.deleteFrom('assistant_consent').where('account_id', '=', accountId).execute()
}

/** Today's use of the model, by this member and in total. */
export async function readUse(db: Db, accountId: string, day: string) {
  const { rows } = await sql<{ own: number; questions: number; tokens: number }>`
    select coalesce(sum(questions) filter (where account_id = ${accountId}), 0)::integer as own,
      coalesce(sum(questions), 0)::integer as questions, coalesce(sum(tokens), 0)::float8 as tokens
    from assistant_use where day = ${day}::date`.execute(db)
  return rows[0] ?? { own: 0, questions: 0, tokens: 0 }
}

/** Counts a question against a member's limit. @returns whether one was left */
export async function countQuestion(db: Db, accountId: string, day: string, maxQuestions: number) {
  const { rows } = await sql`
    insert into assistant_use (account_id, day, questions) select ${accountId}, ${day}::date, 1 where ${maxQuestions}::integer > 0
    on conflict (account_id, day) do update set questions = assistant_use.questions + 1
      where assistant_use.questions < ${maxQuestions}::integer
    returning 1`.execute(db)
  return rows.length > 0
}

export const addTokens = (db: Db, accountId: string, day: string, tokens: number) =>
  sql`update assistant_use set tokens = tokens + ${tokens}::integer
    where account_id = ${accountId} and day = ${day}::date`.execute(db)

export async function deleteOldUse(db: Db) {
  await sql`delete from assistant_use where day < current_date - 90`.execute(db)
}
