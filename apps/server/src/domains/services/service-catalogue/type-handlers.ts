import type {
  serviceSynonyms,
  serviceTypes,
} from '@atrium/contract/services/service-types.operator'
import { sql } from 'kysely'
import { type Db, sqlState } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { changeCatalogue } from './change.ts'
import { normalizeTexts, textIssues } from './rules.ts'

const selectTypes = (db: Db) =>
  db
    .selectFrom('service_type as type')
    .select([
      'type.id',
      'type.code',
      'type.name',
      'type.name_en as nameEn',
      'type.parent_id as parentId',
      'type.position',
      'type.version',
      sql<number>`(select count(*)::integer from service where service.type_id = type.id)`.as(
        'services',
      ),
    ])
    .orderBy('type.position')
    .orderBy('type.id')

type TypeContent = {
  code: string
  name: string
  nameEn: string
  parentId: string | null
  position: number
}

/** @param ownId the type's own id: neither it nor a descendant can be its parent */
async function assertType(db: Db, content: TypeContent, ownId?: string) {
  const fields = textIssues(content)
  if (content.parentId !== null) {
    const { rows } = await sql<{ id: string }>`
      with recursive above as (
        select id, parent_id from service_type where id = ${content.parentId}
        union select parent.id, parent.parent_id from service_type parent join above on parent.id = above.parent_id)
      select id from above`.execute(db)
    if (rows.length === 0 || rows.some(({ id }) => id === ownId)) fields.parentId = 'unknown'
  }
  if (Object.keys(fields).length > 0) fail('request.invalid', { fields })
}

const columnsOf = ({ code, name, nameEn, parentId, position }: TypeContent) => ({
  code,
  name,
  name_en: nameEn,
  parent_id: parentId,
  position,
})
const refuseDuplicate = (error: unknown): never => {
  if (sqlState(error) === '23505') fail('service.type_taken')
  throw error
}

async function lockType(db: Db, id: string, version: number) {
  // Serialises changes of the tree, since two concurrent ones could form a cycle.
  await sql`select pg_advisory_xact_lock(7301, 36)`.execute(db)
  const row = await db
    .selectFrom('service_type')
    .select('version')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) fail('service.type_not_found')
  if (row.version !== version) fail('service.changed_meanwhile')
}
const getType = async (db: Db, id: string) =>
  (await selectTypes(db).where('type.id', '=', id).executeTakeFirst()) ??
  fail('service.type_not_found')

export const serviceTypeHandlers: Handlers<typeof serviceTypes> = {
  list: ({ db }) => selectTypes(db).execute(),

  create({ platform, body }) {
    const content = normalizeTexts(body)
    return changeCatalogue(platform, async (db) => {
      await assertType(db, content)
      const { id } = await db
        .insertInto('service_type')
        .values(columnsOf(content))
        .returning('id')
        .executeTakeFirstOrThrow()
        .catch(refuseDuplicate)
      return getType(db, id)
    })
  },

  update({ platform, params: { id }, body: { version, ...input } }) {
    const content = normalizeTexts(input)
    return changeCatalogue(platform, async (db) => {
      await lockType(db, id, version)
      await assertType(db, content, id)
      await db
        .updateTable('service_type')
        .set({ ...columnsOf(content), version: version + 1 })
        .where('id', '=', id)
        .execute()
        .catch(refuseDuplicate)
      return getType(db, id)
    })
  },

  async remove({ platform, params: { id }, query: { version } }) {
    await changeCatalogue(platform, async (db) => {
      await lockType(db, id, version)
      await db
        .deleteFrom('service_type')
        .where('id', '=', id)
        .execute()
        .catch((error) => {
          if (sqlState(error) === '23503') fail('service.type_in_use')
          throw error
        })
    })
    return null
  },
}

/** Trims words and rejects duplicates, which are compared as in a search: ignoring case and compatibility forms. */
function normalizeWords(input: readonly string[]) {
  const words = normalizeTexts([...input])
  const normalized = words.map((word) => word.normalize('NFKC').toLowerCase())
  const fields = textIssues({ words })
  for (const [index, word] of normalized.entries())
    if (normalized.indexOf(word) < index) fields[`words.${index}`] = 'twice'
  if (Object.keys(fields).length > 0) fail('request.invalid', { fields })
  return words
}

async function lockSynonyms(db: Db, id: string, version: number) {
  const row = await db
    .selectFrom('service_synonym')
    .select('version')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) fail('service.synonyms_not_found')
  if (row.version !== version) fail('service.changed_meanwhile')
}

export const serviceSynonymHandlers: Handlers<typeof serviceSynonyms> = {
  list: ({ db }) =>
    db.selectFrom('service_synonym').select(['id', 'words', 'version']).orderBy('id').execute(),

  create({ platform, body }) {
    const words = normalizeWords(body.words)
    return changeCatalogue(platform, (db) =>
      db
        .insertInto('service_synonym')
        .values({ words })
        .returning(['id', 'words', 'version'])
        .executeTakeFirstOrThrow(),
    )
  },

  update({ platform, params: { id }, body: { version, ...body } }) {
    const words = normalizeWords(body.words)
    return changeCatalogue(platform, async (db) => {
      await lockSynonyms(db, id, version)
      return db
        .updateTable('service_synonym')
        .set({ words, version: version + 1 })
        .where('id', '=', id)
        .returning(['id', 'words', 'version'])
        .executeTakeFirstOrThrow()
    })
  },

  async remove({ platform, params: { id }, query: { version } }) {
    await changeCatalogue(platform, async (db) => {
      await lockSynonyms(db, id, version)
      await db.deleteFrom('service_synonym').where('id', '=', id).execute()
    })
    return null
  },
}
