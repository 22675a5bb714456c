import type {
  ManagedTheme,
  serviceThemes,
  ThemeContent,
} from '@atrium/contract/services/service-themes.operator'
import { sql } from 'kysely'
import { audienceFor, type Rule } from '#platform/audience.ts'
import { type Db, sqlState } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { assertNoIssues, audienceIssues, changeCatalogue } from './change.ts'
import { editableAudience, findKnownServices, toRule } from './queries.ts'
import { normalizeTexts, textIssues } from './rules.ts'

const selectThemes = (db: Db) =>
  db
    .selectFrom('service_aggregation as theme')
    .innerJoin('audience', 'audience.id', 'theme.audience_id')
    .selectAll('theme')
    .select('audience.rules')
    .select((query) =>
      query
        .selectFrom('service_aggregation_member as member')
        .innerJoin('service', 'service.id', 'member.service_id')
        .whereRef('member.aggregation_id', '=', 'theme.id')
        .select(
          sql<ManagedTheme['services'] | null>`jsonb_agg(jsonb_build_object(
            'serviceId', service.id::text, 'serviceNo', service.service_no, 'serviceName', service.name,
            'online', service.online) order by member.position, service.id)`.as('list'),
        )
        .as('services'),
    )
    .orderBy('theme.position')
    .orderBy('theme.id')

const toTheme = (row: Awaited<ReturnType<typeof getTheme>>): ManagedTheme => ({
  id: row.id,
  code: row.code,
  name: row.name,
  nameEn: row.name_en,
  desc: row.summary,
  descEn: row.summary_en,
  icon: { glyph: row.glyph, tone: row.tone as ManagedTheme['icon']['tone'] },
  audience: editableAudience(row.rules as Rule[]),
  position: row.position,
  online: row.online,
  services: row.services ?? [],
  version: row.version,
})

const getTheme = async (db: Db, id: string) =>
  (await selectThemes(db).where('theme.id', '=', id).executeTakeFirst()) ??
  fail('service.theme_not_found')

async function lockTheme(db: Db, id: string, version: number) {
  const row = await db
    .selectFrom('service_aggregation')
    .select('version')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) fail('service.theme_not_found')
  if (row.version !== version) fail('service.changed_meanwhile')
}

async function assertTheme(db: Db, content: ThemeContent) {
  const issues = { ...textIssues(content), ...(await audienceIssues(db, content.audience)) }
  const existing = await findKnownServices(db, content.serviceIds)
  for (const [index, id] of content.serviceIds.entries())
    if (!existing.has(id)) issues[`serviceIds.${index}`] = 'unknown'
  assertNoIssues(issues)
}

const columnsOf = async (db: Db, content: ThemeContent) => ({
  code: content.code,
  name: content.name,
  name_en: content.nameEn,
  summary: content.desc,
  summary_en: content.descEn,
  glyph: content.icon.glyph,
  tone: content.icon.tone,
  audience_id: await audienceFor(db, content.audience.map(toRule)),
  position: content.position,
  online: content.online,
})

/** Replaces a theme's services, in this order. */
async function replaceServices(db: Db, id: string, serviceIds: readonly string[]) {
  await db.deleteFrom('service_aggregation_member').where('aggregation_id', '=', id).execute()
  if (serviceIds.length > 0)
    await db
      .insertInto('service_aggregation_member')
      .values(
        serviceIds.map((service_id, position) => ({ aggregation_id: id, service_id, position })),
      )
      .execute()
}

const refuseDuplicate = (error: unknown): never => {
  if (sqlState(error) === '23505') fail('service.theme_taken')
  throw error
}

export const serviceThemeHandlers: Handlers<typeof serviceThemes> = {
  list: async ({ db }) => (await selectThemes(db).execute()).map(toTheme),

  create({ platform, body }) {
    const content = normalizeTexts(body)
    return changeCatalogue(platform, async (db) => {
      await assertTheme(db, content)
      const { id } = await db
        .insertInto('service_aggregation')
        .values(await columnsOf(db, content))
        .returning('id')
        .executeTakeFirstOrThrow()
        .catch(refuseDuplicate)
      await replaceServices(db, id, content.serviceIds)
      return toTheme(await getTheme(db, id))
    })
  },

  update({ platform, params: { id }, body: { version, ...input } }) {
    const content = normalizeTexts(input)
    return changeCatalogue(platform, async (db) => {
      await lockTheme(db, id, version)
      await assertTheme(db, content)
      await db
        .updateTable('service_aggregation')
        .set({ ...(await columnsOf(db, content)), version: version + 1 })
        .where('id', '=', id)
        .execute()
        .catch(refuseDuplicate)
      await replaceServices(db, id, content.serviceIds)
      return toTheme(await getTheme(db, id))
    })
  },

  async remove({ platform, params: { id }, query: { version } }) {
    await changeCatalogue(platform, async (db) => {
      await lockTheme(db, id, version)
      await db.deleteFrom('service_aggregation').where('id', '=', id).execute()
    })
    return null
  },
}
