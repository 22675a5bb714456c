import type { RankedService } from '@atrium/contract/services/services'
import { sql } from 'kysely'
import { type Db, prepared } from '#platform/database/db.ts'
import { invalidate } from '#platform/database/topics.ts'
import type { Viewer } from '#platform/http/guard.ts'
import type { Pictures } from '#platform/images/pictures.ts'
import { summaryColumns, toService, visible } from './queries.ts'

/** Ranking windows in days. */
const windows = { week: 7, month: 30, quarter: 90 } as const
export type RankingWindow = keyof typeof windows

/**
 * Counts uses and new favourites within each window ending today; invalidates the cache if something changed. Days are
 * in the database's time zone.
 */
export async function computeRankings(db: Db) {
  await db.transaction().execute(async (db) => {
    // One node at a time: two would lock the same rows in different orders and deadlock.
    await sql`select pg_advisory_xact_lock(hashtext('service_rank'))`.execute(db)
    const { rows } = await sql<{ moved: number }>`
      with spans as (select unnest(${Object.values(windows)}::integer[]) as days),
      fresh as (
        select 'use' as kind, days, service_id, sum(uses)::integer as amount
        from spans join service_use_day on day > current_date - days
        group by days, service_id
        union all
        select 'favourite', days, service_id, count(*)::integer
        from spans join service_favourite on created_at > now() - make_interval(days => days)
        group by days, service_id),
      gone as (
        delete from service_rank as stored
        where not exists (select from fresh where fresh.kind = stored.kind and fresh.days = stored.days
          and fresh.service_id = stored.service_id)
        returning 1),
      written as (
        insert into service_rank as stored (kind, days, service_id, amount)
        select kind, days, service_id, amount from fresh
        on conflict (kind, days, service_id) do update set amount = excluded.amount
          where stored.amount <> excluded.amount
        returning 1)
      select (select count(*) from gone)::integer + (select count(*) from written)::integer as moved`.execute(
      db,
    )
    if (rows[0]?.moved) await invalidate(db, 'services')
    await sql`delete from service_use_day where day < current_date - ${windows.quarter + 1}::integer`.execute(
      db,
    )
  })
}

type Page = {
  audiences: readonly number[]
  kind: string
  days: number
  typeId?: string | undefined
  terminals?: readonly string[] | undefined
  limit: number
  offset: number
}
const selectRanking = prepared((db, page: Page) => {
  const ranked = visible(db, page, page.terminals)
    .innerJoin('service_rank', 'service_rank.service_id', 'service.id')
    .where('service_rank.kind', '=', page.kind)
    .where('service_rank.days', '=', page.days)
  return (page.typeId ? ranked.where('service.type_id', '=', page.typeId) : ranked)
    .select(summaryColumns)
    .select([
      'service_rank.amount',
      sql<number>`rank() over (order by service_rank.amount desc)::integer`.as('rank'),
      sql<number>`count(*) over ()::integer`.as('total'),
    ])
    .orderBy('service_rank.amount', 'desc')
    .orderBy('service.id')
    .limit(page.limit)
    .offset(page.offset)
})

/** A page of a ranking among the services this viewer may use. */
export async function listRanking(
  db: Db,
  { audiences }: Viewer,
  pictures: Pictures,
  query: {
    kind: 'use' | 'favourite'
    window: RankingWindow
    typeId?: string | undefined
    terminals?: readonly string[] | undefined
    offset: number
    pageSize: number
  },
): Promise<{ total: number; list: RankedService[] }> {
  const { kind, window, typeId, terminals, offset, pageSize } = query
  const page = { audiences, kind, days: windows[window], typeId, terminals, offset }
  const rows = await selectRanking(db, { ...page, limit: pageSize })
  // A page past the end has no row with the total.
  const total =
    rows[0]?.total ??
    (offset > 0 ? ((await selectRanking(db, { ...page, offset: 0, limit: 1 }))[0]?.total ?? 0) : 0)
  const service = toService(pictures)
  return {
    total,
    list: rows.map((row) => ({ ...service(row), rank: row.rank, amount: row.amount })),
  }
}
