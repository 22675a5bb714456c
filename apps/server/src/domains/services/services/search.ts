import { sql } from 'kysely'
import { cachedRead } from '#platform/area-state.ts'
import type { Db } from '#platform/database/db.ts'
import { invalidate } from '#platform/database/topics.ts'
import type { Platform } from '#platform/platform.ts'
import { pinyinOf } from '#platform/text/pinyin.ts'
import { plainText, queryText, wordsToFind, wordsToIndex } from '#platform/text/tokenize-chinese.ts'

/** A database search: words with their synonyms, and a LIKE pattern of the text. */
export type SearchQuery = { query: string; pattern: string; text: string }

/** Services indexed per statement. */
const batch = 200
type Unindexed = {
  id: string
  name: string
  name_en: string
  summary: string
  summary_en: string
  service_no: string
  tags: string[]
}

/**
 * Indexes the services that have no search words. Called after changes to services, and before a search in case one was
 * missed.
 */
export async function indexServices(db: Db) {
  for (;;) {
    const { rows } = await sql<Unindexed>`
      select id, name, name_en, summary, summary_en, service_no, tags
      from service where search is null order by id limit ${batch}`.execute(db)
    if (rows.length === 0) return
    const made = await Promise.all(
      rows.map(async (row) => {
        const sounds = pinyinOf(row.name)
        const { name, name_en, summary, summary_en, service_no, tags } = row
        return {
          ...sounds,
          id: row.id,
          names: (await wordsToIndex([name, name_en, service_no].join(' '))).join(' '),
          tags: (await wordsToIndex(tags.join(' '))).join(' '),
          rest: (await wordsToIndex(`${summary} ${summary_en}`)).join(' '),
          was: [name, name_en, summary, summary_en, service_no, tags],
          text: plainText(
            [name, name_en, service_no, sounds.pinyin, sounds.initials, ...tags].join('\n'),
          ),
        }
      }),
    )
    // Only if unchanged since it was read; services changed concurrently are indexed in the next round.
    await sql`
      update service set
        search = setweight(to_tsvector('simple', made.names), 'A') || setweight(to_tsvector('simple', made.tags), 'B')
          || setweight(to_tsvector('simple', made.rest), 'C'),
        search_text = made.text, pinyin = made.pinyin, initials = made.initials
      from jsonb_to_recordset(${JSON.stringify(made)}::jsonb)
        as made(id bigint, names text, tags text, rest text, was jsonb, text text, pinyin text, initials text)
      where service.id = made.id and service.search is null
        and jsonb_build_array(service.name, service.name_en, service.summary, service.summary_en, service.service_no,
          service.tags) = made.was`.execute(db)
    if (rows.length < batch) return
  }
}

/** Every word with synonyms, mapped to its whole group. */
export const currentSynonyms = cachedRead(['services'], ({ db }) => readSynonyms(db))

/** Adds synonyms, extending an existing group that contains one of the words. Applied on this node when it returns. */
export async function addSynonyms(platform: Platform, given: readonly string[]) {
  await platform.db.transaction().execute(async (db) => {
    const words = [...new Set(given.map((word) => plainText(word).trim()))]
    const groups = await db
      .selectFrom('service_synonym')
      .select(['id', 'words'])
      .orderBy('id')
      .forUpdate()
      .execute()
    const known = groups.find((group) =>
      group.words.some((word) => words.includes(plainText(word))),
    )
    if (known)
      await db
        .updateTable('service_synonym')
        .set({
          words: [...new Set([...known.words, ...words])],
          version: sql`version + 1`,
        })
        .where('id', '=', known.id)
        .execute()
    else await db.insertInto('service_synonym').values({ words }).execute()
    await invalidate(db, 'services')
  })
  // The caller may search with them in the same request.
  await platform.topics.flushed()
}

async function readSynonyms(db: Db) {
  const groups = await db.selectFrom('service_synonym').select('words').orderBy('id').execute()
  const known = new Map<string, string[]>()
  for (const { words } of groups)
    for (const word of words) {
      const plain = plainText(word)
      known.set(plain, [...new Set([...(known.get(plain) ?? []), ...words.map(plainText)])])
    }
  return known
}

/** Converts typed text into a database search. */
export async function toSearchQuery(platform: Platform, typed: string): Promise<SearchQuery> {
  const text = plainText(typed).trim()
  const synonyms = await currentSynonyms(platform)
  const whole = synonyms.get(text)
  const words = (await wordsToFind(text)).map((word) => synonyms.get(word) ?? [word])
  const parts = [queryText(words), whole ? queryText([whole]) : '']
  return {
    text,
    query: parts.filter(Boolean).join(' | '),
    // Wildcards in the text are escaped.
    pattern: `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`,
  }
}
