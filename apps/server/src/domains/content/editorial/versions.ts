import { ArticleText } from '@atrium/contract/content/editorial.operator'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { readStored } from '#platform/database/parse-json-column.ts'

type WrittenVersion = { articleId: string; number: number; text: ArticleText; accountId: string }

export const insertVersion = (db: Db, version: WrittenVersion) =>
  db
    .insertInto('article_version')
    .values({
      article_id: version.articleId,
      number: version.number,
      content: JSON.stringify(version.text),
      writer_account_id: version.accountId,
    })
    .execute()

/** Autosaves of the same account extend a version for this many minutes. */
const versionMinutes = 10

/** Stores an autosave in the current version. @returns false if a new version is due */
export async function continueVersion(db: Db, version: WrittenVersion) {
  const { numUpdatedRows } = await db
    .updateTable('article_version')
    .set({ content: JSON.stringify(version.text), written_at: sql`now()` })
    .where('article_id', '=', version.articleId)
    .where('number', '=', version.number)
    .where('writer_account_id', '=', version.accountId)
    .where('started_at', '>', sql<string>`now() - ${versionMinutes} * interval '1 minute'`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Whether this account wrote exactly this text as this version. */
export async function isStoredVersion(db: Db, version: WrittenVersion) {
  const found = await db
    .selectFrom('article_version')
    .select('number')
    .where('article_id', '=', version.articleId)
    .where('number', '=', version.number)
    .where('writer_account_id', '=', version.accountId)
    .where('content', '=', sql<string>`${JSON.stringify(version.text)}::jsonb`)
    .executeTakeFirst()
  return found !== undefined
}

/** Whether this person, with any account, contributed to the changes since the last approved text. */
export async function hasWrittenSince(
  db: Db,
  id: string,
  approved: number | null,
  personId: string,
) {
  const found = await db
    .selectFrom('article_version as version')
    .innerJoin('account', 'account.id', 'version.writer_account_id')
    .select('version.number')
    .where('version.article_id', '=', id)
    .where('version.number', '>', approved ?? 0)
    .where('account.person_id', '=', personId)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

export const listVersions = (db: Db, articleId: string) =>
  db
    .selectFrom('article_version as version')
    .leftJoin('account', 'account.id', 'version.writer_account_id')
    .leftJoin('person', 'person.id', 'account.person_id')
    .select(['version.number', 'version.written_at as writtenAt'])
    .select([
      sql<string>`version.content ->> 'title'`.as('title'),
      sql<string>`coalesce(person.name, '')`.as('writtenBy'),
    ])
    .where('article_id', '=', articleId)
    .orderBy('number', 'desc')
    .limit(200)
    .execute()

export async function findVersion(db: Db, articleId: string, number: number) {
  const row = await db
    .selectFrom('article_version')
    .select('content')
    .where('article_id', '=', articleId)
    .where('number', '=', number)
    .executeTakeFirst()
  return row && readText(row.content)
}

/** The author's account of a version. */
export const findWriter = async (db: Db, articleId: string, number: number) =>
  (
    await db
      .selectFrom('article_version')
      .select('writer_account_id')
      .where('article_id', '=', articleId)
      .where('number', '=', number)
      .executeTakeFirst()
  )?.writer_account_id ?? null

/** A stored text, unvalidated if necessary: imported titles may exceed our limits. */
export function readText(content: unknown): ArticleText {
  const read = readStored(ArticleText, content)
  return 'value' in read ? read.value : (content as ArticleText)
}
