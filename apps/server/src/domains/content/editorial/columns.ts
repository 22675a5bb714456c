import type { Static } from '@atrium/contract/define'
import type { AudienceRule } from '@atrium/contract/shell/launch.operator'
import { sql } from 'kysely'
import { listGrants } from '#domains/identity/operators/queries.ts'
import { audienceFor, type Rule } from '#platform/audience.ts'
import { checkedAudience } from '#platform/checked-audience.ts'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import { mayOperate } from '#platform/permissions.ts'
import { operatedBy } from './queries.ts'

export type ColumnFields = {
  name: string
  nameEn: string
  parentId: string | null
  organization: string | null
  audience: Static<typeof AudienceRule>[]
  position: number
  enabled: boolean
}

export async function listOwnColumns(db: Db, viewer: Member, id?: string) {
  const rows = await db
    .selectFrom('news_column')
    .innerJoin('audience', (join) =>
      join.on(
        'audience.id',
        '=',
        sql<number>`coalesce(news_column.resting_audience_id, news_column.audience_id)`,
      ),
    )
    .leftJoin('organization', 'organization.id', 'news_column.organization_id')
    .select([
      'news_column.id',
      'news_column.code',
      'news_column.name',
      'news_column.name_en as nameEn',
      'news_column.parent_id as parentId',
      'news_column.position',
      'organization.code as organization',
      'audience.rules',
    ])
    .select(
      sql<number>`(select count(*)::integer from article where column_id = news_column.id)`.as(
        'articles',
      ),
    )
    .select(sql<boolean>`news_column.resting_audience_id is null`.as('enabled'))
    .where(operatedBy(viewer))
    .$if(id !== undefined, (query) => query.where('news_column.id', '=', id as string))
    .orderBy('news_column.position')
    .orderBy('news_column.id')
    .limit(500)
    .execute()
  return rows.map(({ rules, ...row }) => ({
    ...row,
    audience: (rules as Rule[])
      // Rules for a single account cannot be expressed in this interface.
      .filter((rule) => rule.kind !== 'account')
      .map((rule) => ({ target: '', ...rule })) as Static<typeof AudienceRule>[],
  }))
}

/** Validates the fields and converts them to table columns. */
async function columnValues(db: Db, viewer: Member, fields: ColumnFields, columnId?: string) {
  const { name, nameEn, parentId, position } = fields
  const organization = await getOperatedOrganization(db, viewer, 'content', fields.organization)
  if (parentId !== null) {
    const [parent] = await listOwnColumns(db, viewer, parentId)
    // Two levels at most: a child column cannot have children.
    const child = columnId
      ? await db
          .selectFrom('news_column')
          .select('id')
          .where('parent_id', '=', columnId)
          .limit(1)
          .executeTakeFirst()
      : undefined
    if (!parent || parent.id === columnId || parent.parentId !== null || child)
      fail('request.invalid', { fields: { parentId: 'unknown' } })
  }
  const audienceId = await audienceFor(db, await checkedAudience(db, fields.audience))
  return {
    name: name.trim(),
    name_en: nameEn.trim(),
    parent_id: parentId,
    position,
    organization_id: organization?.id ?? null,
    // All news queries check the audience: an empty one turns the column off everywhere.
    audience_id: fields.enabled ? audienceId : await audienceFor(db, []),
    resting_audience_id: fields.enabled ? null : audienceId,
  }
}

/** The organisation with this code, if the viewer may operate there. @throws request.invalid */
export async function getOperatedOrganization(
  db: Db,
  viewer: Member,
  permission: 'content' | 'messages',
  code: string | null,
) {
  if (code === null)
    return mayOperate(viewer, permission, null)
      ? null
      : fail('request.invalid', { fields: { organization: 'required' } })
  const place = await db
    .selectFrom('organization')
    .select(['id', 'path'])
    .where('code', '=', code)
    .executeTakeFirst()
  return place && mayOperate(viewer, permission, place.path)
    ? place
    : fail('request.invalid', { fields: { organization: 'unknown' } })
}

/** @returns the column's id; undefined if the code is taken */
export async function insertColumn(
  db: Db,
  viewer: Member,
  { code, ...fields }: ColumnFields & { code: string },
) {
  const created = await db
    .insertInto('news_column')
    .values({ code, ...(await columnValues(db, viewer, fields)) })
    .onConflict((conflict) => conflict.column('code').doNothing())
    .returning('id')
    .executeTakeFirst()
  return created?.id
}

export async function updateColumn(db: Db, viewer: Member, id: string, fields: ColumnFields) {
  const values = await columnValues(db, viewer, fields, id)
  await db.updateTable('news_column').set(values).where('id', '=', id).execute()
}

/** @returns whether the column was empty and has been deleted */
export async function deleteEmptyColumn(db: Db, id: string) {
  const deleted = await db
    .deleteFrom('news_column')
    .where('id', '=', id)
    .where(
      sql<boolean>`not exists (select from article where column_id = news_column.id)
        and not exists (select from news_feed where column_id = news_column.id)
        and not exists (select from news_column child where child.parent_id = news_column.id)`,
    )
    .executeTakeFirst()
  return deleted.numDeletedRows > 0n
}

/** Reorders these columns within the positions they occupy. */
export async function reorderColumns(db: Db, ids: readonly string[]) {
  const rows = await db
    .selectFrom('news_column')
    .select(['id', 'position'])
    .where('id', '=', sql<string>`any(${ids as string[]}::bigint[])`)
    .orderBy('position')
    .forUpdate()
    .execute()
  const positions: number[] = []
  // Columns that shared a position get consecutive ones.
  for (const { position } of rows) positions.push(Math.max(position, (positions.at(-1) ?? -1) + 1))
  await sql`
    update news_column set position = input.position
    from unnest(${ids as string[]}::bigint[], ${positions}::integer[]) as input (id, position)
    where news_column.id = input.id`.execute(db)
}

/** Members who write and review for a department; without one, those who do so for all. */
export async function listEditors(db: Db, code: string | undefined) {
  const path = code
    ? (
        await db
          .selectFrom('organization')
          .select('path')
          .where('code', '=', code)
          .executeTakeFirst()
      )?.path
    : []
  const grants = (await listGrants(db)).filter(
    ({ permissions, organizationCode }) =>
      permissions.includes('content') &&
      (organizationCode === null || path?.includes(organizationCode)),
  )
  // A member with two grants is listed once, with the wider one.
  const byPerson = new Map<string, (typeof grants)[number]>()
  for (const grant of grants) {
    const existing = byPerson.get(grant.personId)
    if (!existing || grant.organizationCode === null) byPerson.set(grant.personId, grant)
  }
  return [...byPerson.values()].slice(0, 100).map(({ name, nameEn, organizationCode }) => ({
    name,
    nameEn,
    organization: organizationCode,
  }))
}
