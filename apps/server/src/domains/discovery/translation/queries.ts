import type { translatable } from '@atrium/contract/discovery/translation'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import type { Secret } from '#platform/secret.ts'

export type Kind = (typeof translatable)[number]
export type Settings = {
  address: string
  sealedKey: string | null
  enabled: boolean
  kinds: Kind[]
  chinese: 'zh' | 'zh-Hans' | 'zh-CN'
  maxCharacters: number
  dailyPerMember: number
  dailyCharacters: number
  seconds: number
}

/** Defaults until an operator configures a service. */
const defaults: Settings = {
  address: '',
  sealedKey: null,
  enabled: false,
  kinds: ['article'],
  chinese: 'zh',
  maxCharacters: 20_000,
  dailyPerMember: 100_000,
  dailyCharacters: 2_000_000,
  seconds: 20,
}

export async function readService(db: Db): Promise<Settings> {
  const row = await db
    .selectFrom('translation_service')
    .select([
      'address',
      'sealed_key as sealedKey',
      'enabled',
      'kinds',
      'chinese',
      'max_characters as maxCharacters',
      'daily_per_member as dailyPerMember',
      'daily_characters as dailyCharacters',
      'seconds',
    ])
    .executeTakeFirst()
  return row
    ? { ...row, kinds: row.kinds as Kind[], chinese: row.chinese as Settings['chinese'] }
    : defaults
}

/** @param key undefined: unchanged; empty: removed */
export async function updateService(
  db: Db,
  secret: Secret,
  settings: Omit<Settings, 'sealedKey'>,
  key: string | undefined,
) {
  const values = {
    address: settings.address,
    enabled: settings.enabled,
    kinds: settings.kinds,
    chinese: settings.chinese,
    max_characters: settings.maxCharacters,
    daily_per_member: settings.dailyPerMember,
    daily_characters: settings.dailyCharacters,
    seconds: settings.seconds,
    ...(key !== undefined && { sealed_key: key === '' ? null : secret.encrypt(key) }),
  }
  await db
    .insertInto('translation_service')
    .values(values)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute()
}

/** Finds a translation and updates its date of use, at most once a day. */
export async function findTranslation(db: Db, hash: Buffer): Promise<string[] | undefined> {
  const row = await db
    .selectFrom('translation')
    .select(['parts', sql<boolean>`used_on < current_date`.as('unused')])
    .where('hash', '=', hash)
    .executeTakeFirst()
  if (row?.unused)
    await db
      .updateTable('translation')
      .set({ used_on: sql`current_date` })
      .where('hash', '=', hash)
      .execute()
  return row?.parts
}

export const insertTranslation = (db: Db, hash: Buffer, kind: Kind, parts: string[]) =>
  db
    .insertInto('translation')
    .values({ hash, kind, parts })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/** Characters sent today for all members. */
export async function readUse(db: Db, day: string) {
  const { rows } = await sql<{ characters: number }>`
    select coalesce(sum(characters), 0)::float8 as characters
    from translation_use where day = ${day}::date`.execute(db)
  return rows[0]?.characters ?? 0
}

/** Counts characters against a member's limit. @returns whether enough were left */
export async function reserveCharacters(
  db: Db,
  accountId: string,
  day: string,
  characters: number,
  maxCharacters: number,
) {
  const { rows } = await sql`
    insert into translation_use (account_id, day, characters)
    select ${accountId}, ${day}::date, ${characters}::integer where ${characters}::integer <= ${maxCharacters}::integer
    on conflict (account_id, day) do update set characters = translation_use.characters + ${characters}::integer
      where translation_use.characters + ${characters}::integer <= ${maxCharacters}::integer
    returning 1`.execute(db)
  return rows.length > 0
}

/** Refunds characters after a failed translation. */
export const refundCharacters = (db: Db, accountId: string, day: string, characters: number) =>
  db
    .updateTable('translation_use')
    .set({ characters: sql`greatest(0, characters - ${characters}::integer)` })
    .where('account_id', '=', accountId)
    .where('day', '=', day)
    .execute()

/** Deletes old translations. Messages are deleted sooner: they are read in their first days and may be personal. */
export async function deleteOldTranslations(db: Db) {
  await sql`delete from translation
    where used_on < current_date - 90 or (kind = 'message' and made_at < now() - interval '7 days')`.execute(
    db,
  )
  await sql`delete from translation_use where day < current_date - 30`.execute(db)
}
