import {
  DiversionContent,
  OpeningPageContent,
  SlideContent,
  ThemeContent,
} from '@atrium/contract/shell/launch'
import { sql } from 'kysely'
import { audienceFor, type Rule, visibleTo } from '#platform/audience.ts'
import type { Db } from '#platform/database/db.ts'
import type { Viewer } from '#platform/http/guard.ts'
import { signedFiles } from '#platform/storage/file-use.ts'

/** Kinds of launch items and their content schemas. */
export const contents = {
  theme: ThemeContent,
  opening_page: OpeningPageContent,
  diversion: DiversionContent,
  slide: SlideContent,
}
export type Kind = keyof typeof contents

/** Active items for this viewer in the operators' order, with stored content and the ids of files to sign. */
export const listOnline = (db: Db, viewer: Pick<Viewer, 'audiences'>, kind: Kind) =>
  db
    .selectFrom('launch_item')
    .select(['id', 'content', 'position'])
    .select(signedFiles('launch_item.audience_id', sql`launch_item_id = launch_item.id`))
    .where('kind', '=', kind)
    .where('online', '=', true)
    .where(visibleTo(viewer))
    .orderBy('position')
    .orderBy('id')
    .limit(100)
    .execute()

/** All items of a kind, in the operators' form. */
export const listAll = (db: Db, kind: Kind) => managed(db).where('kind', '=', kind).execute()

export const findItem = (db: Db, kind: Kind, id: string) =>
  managed(db).where('kind', '=', kind).where('launch_item.id', '=', id).executeTakeFirst()

const managed = (db: Db) =>
  db
    .selectFrom('launch_item')
    .innerJoin('audience', 'audience.id', 'launch_item.audience_id')
    .select([
      'launch_item.id',
      'content',
      'position',
      'online',
      'audience.rules',
      'updated_at as updatedAt',
    ])
    .orderBy('position')
    .orderBy('launch_item.id')

export type NewItem = {
  content: object
  audience: readonly Rule[]
  position: number
  online: boolean
}

/** @returns its id */
export async function insertItem(db: Db, kind: Kind, item: NewItem): Promise<string> {
  const { id } = await db
    .insertInto('launch_item')
    .values({ kind, ...(await columnsOf(db, item)) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** @returns whether the item exists */
export async function updateItem(db: Db, kind: Kind, id: string, item: NewItem) {
  const changed = await db
    .updateTable('launch_item')
    .set({ ...(await columnsOf(db, item)), updated_at: sql`now()` })
    .where('kind', '=', kind)
    .where('id', '=', id)
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

/** @returns whether the item existed */
export async function deleteItem(db: Db, kind: Kind, id: string) {
  const deleted = await db
    .deleteFrom('launch_item')
    .where('kind', '=', kind)
    .where('id', '=', id)
    .executeTakeFirst()
  return deleted.numDeletedRows > 0n
}

/** Adds the file name to a file's address: an opening page is recognised as picture or video by the extension. */
export async function withFileName(db: Db, address: string): Promise<string> {
  const [, id] = /^\/files\/(\d{1,18})$/.exec(address) ?? []
  if (!id) return address
  const file = await db.selectFrom('file').select('name').where('id', '=', id).executeTakeFirst()
  return file?.name ? `${address}/${encodeURIComponent(file.name)}` : address
}

const columnsOf = async (db: Db, { content, audience, position, online }: NewItem) => ({
  content: JSON.stringify(content),
  audience_id: await audienceFor(db, audience),
  position,
  online,
})
