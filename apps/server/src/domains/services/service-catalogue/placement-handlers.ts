import type {
  ManagedPlacement,
  PlacementContent,
  servicePlacements,
} from '@atrium/contract/services/service-themes.operator'
import { sql } from 'kysely'
import { audienceFor, type Rule } from '#platform/audience.ts'
import { type Db, sqlState } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import { pageOf } from '#platform/http/paging.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { mayOperate, operatedIn } from '#platform/permissions.ts'
import { assertNoIssues, audienceIssues, changeCatalogue } from './change.ts'
import { editableAudience, findKnownServices, findOrganizationPath, toRule } from './queries.ts'

const selectPlacements = (db: Db) =>
  db
    .selectFrom('service_placement as placement')
    .innerJoin('service', 'service.id', 'placement.service_id')
    .innerJoin('audience', 'audience.id', 'placement.audience_id')
    .leftJoin('organization', 'organization.id', 'placement.organization_id')

/** @param codes organisations of the operator, including descendants; null: all */
async function listPlacements(
  db: Db,
  codes: readonly string[] | null,
  serviceId: string | undefined,
  page: { pageSize: number; offset: number },
) {
  let placements = selectPlacements(db)
  if (codes)
    placements = placements.where(sql<boolean>`organization.path && ${codes as string[]}::text[]`)
  if (serviceId) placements = placements.where('placement.service_id', '=', serviceId)
  const [{ total }, rows] = await Promise.all([
    placements.select(sql<number>`count(*)::integer`.as('total')).executeTakeFirstOrThrow(),
    columnsFrom(placements)
      .orderBy('placement.position')
      .orderBy('placement.id')
      .limit(page.pageSize)
      .offset(page.offset)
      .execute(),
  ])
  return { total, list: rows.map(toPlacement) }
}

const columnsFrom = (query: ReturnType<typeof selectPlacements>) =>
  query.select([
    'placement.id',
    'placement.service_id',
    'service.service_no',
    'service.name',
    'placement.organization_id',
    'organization.name as organization_name',
    'organization.path',
    'audience.rules',
    'placement.position',
    'placement.version',
  ])
type Row = Awaited<ReturnType<ReturnType<typeof columnsFrom>['execute']>>[number]

const toPlacement = (row: Row): ManagedPlacement => ({
  id: row.id,
  serviceId: row.service_id,
  serviceNo: row.service_no,
  serviceName: row.name,
  organizationId: row.organization_id,
  organizationName: row.organization_name,
  audience: editableAudience(row.rules as Rule[]),
  position: row.position,
  version: row.version,
})

/** A placement in the operator's scope; any other looks like a missing one. */
async function getPlacement(db: Db, viewer: Member, id: string) {
  const row = await columnsFrom(selectPlacements(db))
    .where('placement.id', '=', id)
    .executeTakeFirst()
  return row && mayOperate(viewer, 'services', row.path) ? row : fail('service.placement_not_found')
}

async function lockPlacement(db: Db, viewer: Member, id: string, version: number) {
  await db.selectFrom('service_placement').select('id').where('id', '=', id).forUpdate().execute()
  const row = await getPlacement(db, viewer, id)
  if (row.version !== version) fail('service.changed_meanwhile')
}

/** A department may place services only among the favourites of its own members. */
async function assertPlacement(db: Db, viewer: Member, content: PlacementContent) {
  const { serviceId, organizationId, audience } = content
  const issues = await audienceIssues(db, audience)
  if (!(await findKnownServices(db, [serviceId])).has(serviceId)) issues.serviceId = 'unknown'
  const path = organizationId === null ? null : await findOrganizationPath(db, organizationId)
  if (path === undefined) issues.organizationId = 'unknown'
  else if (!mayOperate(viewer, 'services', path))
    issues.organizationId = path === null ? 'required' : 'unknown'
  if (operatedIn(viewer, 'services') !== null)
    for (const [index, { effect, kind, target }] of audience.entries()) {
      if (effect === 'exclude' || issues[`audience.${index}.target`]) continue
      const targetPath = kind === 'organization' ? await findPathByCode(db, target) : undefined
      if (!targetPath || !mayOperate(viewer, 'services', targetPath))
        issues[`audience.${index}.target`] = 'unknown'
    }
  assertNoIssues(issues)
}

const findPathByCode = async (db: Db, code: string) =>
  (await db.selectFrom('organization').select('path').where('code', '=', code).executeTakeFirst())
    ?.path

const columnsOf = async (db: Db, content: PlacementContent) => ({
  service_id: content.serviceId,
  organization_id: content.organizationId,
  audience_id: await audienceFor(db, content.audience.map(toRule)),
  position: content.position,
})
const refuseDuplicate = (error: unknown): never => {
  if (sqlState(error) === '23505') fail('service.placed_already')
  throw error
}

export const servicePlacementHandlers: Handlers<typeof servicePlacements> = {
  async list({ db, viewer, query }) {
    const { pageNo, pageSize, offset } = pageOf(query)
    const codes = operatedIn(viewer, 'services')
    const page = await listPlacements(db, codes, query.serviceId, { pageSize, offset })
    return { ...page, pageNo, pageSize }
  },

  create: ({ platform, viewer, body }) =>
    changeCatalogue(platform, async (db) => {
      await assertPlacement(db, viewer, body)
      const { id } = await db
        .insertInto('service_placement')
        .values(await columnsOf(db, body))
        .returning('id')
        .executeTakeFirstOrThrow()
        .catch(refuseDuplicate)
      return toPlacement(await getPlacement(db, viewer, id))
    }),

  update: ({ platform, viewer, params: { id }, body: { version, ...content } }) =>
    changeCatalogue(platform, async (db) => {
      await lockPlacement(db, viewer, id, version)
      await assertPlacement(db, viewer, content)
      await db
        .updateTable('service_placement')
        .set({ ...(await columnsOf(db, content)), version: version + 1 })
        .where('id', '=', id)
        .execute()
        .catch(refuseDuplicate)
      return toPlacement(await getPlacement(db, viewer, id))
    }),

  async remove({ platform, viewer, params: { id }, query: { version } }) {
    await changeCatalogue(platform, async (db) => {
      await lockPlacement(db, viewer, id, version)
      await db.deleteFrom('service_placement').where('id', '=', id).execute()
    })
    return null
  },
}
