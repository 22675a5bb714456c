import type { Body } from '@atrium/contract/define'
import type { SendingTemplate, sendingTemplates } from '@atrium/contract/work/sending/templates'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import type { Member } from '#platform/http/guard.ts'
import { pattern } from '#platform/http/paging.ts'
import { cleanRichText } from '#platform/text/rich-text.ts'

const maxListed = 100

/**
 * SQL condition on `template`: the sender may use it, because it is their own or shared with one of their departments.
 */
const isOpen = (viewer: Member) => sql<boolean>`(template.account_id = ${viewer.accountId}
  or template.shared_organization_id in (select shared.id from organization shared
    join organization own on own.id = ${viewer.organizationId} where shared.code = any(own.path)))`

const select = (db: Db, viewer: Member, which: RawBuilder<boolean>) =>
  db
    .selectFrom('sending_template as template')
    .innerJoin('account as owner', 'owner.id', 'template.account_id')
    .innerJoin('person', 'person.id', 'owner.person_id')
    .leftJoin('organization as place', 'place.id', 'template.shared_organization_id')
    .select([
      'template.id as templateId',
      'template.name',
      sql<boolean>`template.account_id = ${viewer.accountId}`.as('own'),
      'person.name as keeper',
      'person.name_en as keeperEn',
      'place.code',
      'place.name as place',
      'place.name_en as placeEn',
      'template.kind',
      'template.title',
      'template.title_en as titleEn',
    ])
    .where(isOpen(viewer))
    .where(which)

type Row = { code: string | null; place: string | null; placeEn: string | null; kind: string }
const asTemplate = <R extends Row>({ code, place, placeEn, ...row }: R) => ({
  ...row,
  kind: row.kind as SendingTemplate['kind'],
  sharedWith: code === null ? null : { ins_code: code, name: place ?? '', nameEn: placeEn ?? '' },
})

/** The sender's own templates, then those shared with one of their departments. */
export async function listTemplates(db: Db, viewer: Member, keyWords: string | undefined) {
  const words = keyWords?.trim() ? pattern(keyWords) : undefined
  const rows = await select(
    db,
    viewer,
    words
      ? sql<boolean>`(lower(template.name) like ${words} or lower(template.title) like ${words} or lower(template.title_en) like ${words})`
      : sql<boolean>`true`,
  )
    .orderBy('own', 'desc')
    .orderBy(sql`template.name collate "zh-x-icu"`)
    .orderBy('template.id')
    .limit(maxListed + 1)
    .execute()
  return { list: rows.slice(0, maxListed).map(asTemplate), more: rows.length > maxListed }
}

export async function findTemplate(db: Db, viewer: Member, id: string) {
  const row = await select(db, viewer, sql<boolean>`template.id = ${id}`)
    .select(['template.format', 'template.content', 'template.content_en as contentEn'])
    .executeTakeFirst()
  return row && { ...asTemplate(row), format: row.format as 'text' | 'html' }
}

type Fields = Omit<Body<typeof sendingTemplates.create>, 'sharedWith'>
const columnsOf = ({ name, kind, format, title, titleEn, content, contentEn }: Fields) => ({
  name: name.trim(),
  kind,
  format,
  title: title.trim(),
  title_en: titleEn.trim(),
  content: format === 'html' ? cleanRichText(content) : content,
  content_en: format === 'html' ? cleanRichText(contentEn) : contentEn,
})

/** Call in a transaction. @returns undefined if the owner has the maximum number */
export async function insertTemplate(
  db: Db,
  viewer: Member,
  fields: Fields,
  placeId: string | null,
  max: number,
) {
  await sql`select from account where id = ${viewer.accountId} for no key update`.execute(db)
  const { count } = await db
    .selectFrom('sending_template')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('account_id', '=', viewer.accountId)
    .executeTakeFirstOrThrow()
  if (count >= max) return undefined
  return db
    .insertInto('sending_template')
    .values({
      account_id: viewer.accountId,
      shared_organization_id: placeId,
      ...columnsOf(fields),
    })
    .returning('id as templateId')
    .executeTakeFirstOrThrow()
}

/** @returns false if it is not the sender's own */
export async function updateTemplate(
  db: Db,
  viewer: Member,
  id: string,
  fields: Fields,
  placeId: string | null,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sending_template')
    .set({ shared_organization_id: placeId, ...columnsOf(fields), changed_at: sql`now()` })
    .where('id', '=', id)
    .where('account_id', '=', viewer.accountId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** @returns false if it is not the sender's own */
export async function deleteTemplate(db: Db, viewer: Member, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sending_template')
    .where('id', '=', id)
    .where('account_id', '=', viewer.accountId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
