import type { Aggregation } from '@atrium/contract/services/aggregation'
import { sql } from 'kysely'
import {
  summaryColumns as serviceColumns,
  toService,
  visible as visibleServices,
} from '#domains/services/services/queries.ts'
import { usableBy } from '#domains/services/services/visibility.ts'
import { visibleTo } from '#platform/audience.ts'
import type { Db } from '#platform/database/db.ts'
import type { Viewer } from '#platform/http/guard.ts'
import type { Pictures } from '#platform/images/pictures.ts'

/** Maximum number of themes; an institution has a page of them, not a catalogue. */
const maxThemes = 100

/** Themes visible to this viewer, with at least one service the viewer may use. */
const visible = (db: Db, viewer: Viewer) =>
  db
    .selectFrom('service_aggregation as theme')
    .innerJoinLateral(
      (query) =>
        query
          .selectFrom('service_aggregation_member as member')
          .innerJoin('service', 'service.id', 'member.service_id')
          .select(sql<number>`count(*)::integer`.as('count'))
          .whereRef('member.aggregation_id', '=', 'theme.id')
          .where(usableBy(viewer))
          .as('usable'),
      (join) => join.onTrue(),
    )
    .select([
      'theme.id',
      'theme.code',
      'theme.name',
      'theme.name_en',
      'theme.summary',
      'theme.summary_en',
      'theme.glyph',
      'theme.tone',
      'usable.count',
    ])
    .where('theme.online', '=', true)
    .where('usable.count', '>', 0)
    .where(visibleTo(viewer, 'theme.audience_id'))

type Row = Awaited<ReturnType<typeof selectThemes>>[number]
const selectThemes = (db: Db, viewer: Viewer) =>
  visible(db, viewer).orderBy('theme.position').orderBy('theme.id').limit(maxThemes).execute()

const toAggregation = (row: Row): Aggregation => ({
  id: row.id,
  code: row.code,
  name: row.name,
  nameEn: row.name_en,
  desc: row.summary,
  descEn: row.summary_en,
  icon: { glyph: row.glyph, tone: row.tone as Aggregation['icon']['tone'] },
  count: row.count,
})

export const listThemes = async (db: Db, viewer: Viewer) =>
  (await selectThemes(db, viewer)).map(toAggregation)

export async function findTheme(db: Db, viewer: Viewer, id: string) {
  const row = await visible(db, viewer).where('theme.id', '=', id).executeTakeFirst()
  return row && toAggregation(row)
}

export async function listThemeServices(db: Db, viewer: Viewer, pictures: Pictures, id: string) {
  const rows = await visibleServices(db, viewer)
    .innerJoin('service_aggregation_member as member', 'member.service_id', 'service.id')
    .select(serviceColumns)
    .where('member.aggregation_id', '=', id)
    .orderBy('member.position')
    .orderBy('service.id')
    .limit(200)
    .execute()
  return rows.map(toService(pictures))
}
