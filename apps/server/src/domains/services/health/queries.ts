import type { Static } from '@atrium/contract/define'
import type { Maintenance, ServiceHealth } from '@atrium/contract/services/health'
import { sql } from 'kysely'
import { originOf } from '#domains/services/services/outage.ts'
import type { Db } from '#platform/database/db.ts'

/** Days for which a member's report counts. */
const reportDays = 14

/**
 * Records a member's report that a service does not open.
 * @returns false if the same member reported it within a day
 */
export async function insertReport(db: Db, serviceId: string, accountId: string) {
  const row = await db
    .insertInto('service_report')
    .values({ service_id: serviceId, account_id: accountId })
    .onConflict((conflict) =>
      conflict
        .columns(['service_id', 'account_id'])
        .doUpdateSet({ reported_at: sql`now()` })
        .where('service_report.reported_at', '<', sql<string>`now() - interval '1 day'`),
    )
    .returning('service_id')
    .executeTakeFirst()
  return row !== undefined
}

export const deleteOldReports = (db: Db) =>
  db
    .deleteFrom('service_report')
    .where('reported_at', '<', sql<string>`now() - ${reportDays} * interval '1 day'`)
    .execute()

/** Deletes maintenance windows that ended a month ago. */
export const deleteOldMaintenance = (db: Db) =>
  db
    .deleteFrom('service_maintenance')
    .where('ends_at', '<', sql<string>`now() - interval '30 days'`)
    .execute()

const reports = sql<number>`(select count(*)::integer from service_report said
  where said.service_id = service.id and said.reported_at > now() - ${sql.lit(reportDays)} * interval '1 day')`
const underMaintenance = sql<boolean>`exists (select from service_maintenance planned
  where planned.service_id = service.id and planned.starts_at <= now() and planned.ends_at > now())`
const state = sql<ServiceHealth['state']>`case
  when ${underMaintenance} then 'maintenance'
  when host.state = 'down' then 'down'
  when known.dead_since is not null then 'dead'
  else coalesce(host.state, 'unknown') end`

/** Services with health data, for their operators. @param codes organisations of the operator; null: all */
const selectMonitored = (db: Db, codes: readonly string[] | null) =>
  db
    .selectFrom('service')
    .leftJoin('service_health as known', 'known.service_id', 'service.id')
    .leftJoin('service_host as host', (join) => join.on('host.origin', '=', originOf))
    .leftJoin('organization', 'organization.id', 'service.organization_id')
    .$if(codes !== null, (query) =>
      query.where(sql<boolean>`organization.path && ${codes as string[]}::text[]`),
    )

/** Services with problems, most reported first; with `all` every online service. */
export async function listHealth(
  db: Db,
  codes: readonly string[] | null,
  filter: { all: boolean; serviceId?: string },
  page: { offset: number; pageSize: number },
): Promise<{ total: number; list: ServiceHealth[] }> {
  const rows = await selectMonitored(db, codes)
    .select([
      'service.id as serviceId',
      'service.service_no as serviceNo',
      'service.name as serviceName',
      'service.name_en as serviceNameEn',
      'service.url as serviceUrl',
      state.as('state'),
      sql<string | null>`case ${state} when 'dead' then known.dead_since else host.since end`.as(
        'since',
      ),
      'host.checked_at as checkedAt',
      sql<number | null>`coalesce(known.status, host.status)`.as('status'),
      sql<string>`coalesce(host.fault, '')`.as('issue'),
      'host.milliseconds',
      reports.as('reports'),
      sql<boolean>`coalesce(known.watched, true)`.as('watched'),
      sql<string>`coalesce(known.note, '')`.as('text'),
      sql<string>`coalesce(known.note_en, '')`.as('textEn'),
      'known.alternative_id as alternative',
      sql<number>`count(*) over ()::integer`.as('total'),
    ])
    .where('service.online', '=', true)
    .$if(!filter.all, (query) =>
      query.where(
        sql<boolean>`(((host.state in ('slow', 'down') or known.dead_since is not null)
          and coalesce(known.watched, true)) or ${reports} > 0)`,
      ),
    )
    .$if(filter.serviceId !== undefined, (query) =>
      query.where('service.id', '=', filter.serviceId ?? ''),
    )
    .orderBy(reports, 'desc')
    .orderBy('service.id')
    .limit(page.pageSize)
    .offset(page.offset)
    .execute()
  return { total: rows[0]?.total ?? 0, list: rows.map(({ total: _total, ...row }) => row) }
}

/** The path of a service's organisation; null: none. Undefined if there is no such service. */
export const findOwner = (db: Db, serviceId: string) =>
  db
    .selectFrom('service')
    .leftJoin('organization', 'organization.id', 'service.organization_id')
    .select('organization.path')
    .where('service.id', '=', serviceId)
    .executeTakeFirst()

export async function isService(db: Db, id: string) {
  return (
    (await db.selectFrom('service').select('id').where('id', '=', id).executeTakeFirst()) !==
    undefined
  )
}

type Notice = { text: string; textEn: string; alternative: string | null }
const noticeValues = ({ text, textEn, alternative }: Notice) => ({
  note: text.trim(),
  note_en: textEn.trim(),
  alternative_id: alternative,
})

export function updateHealth(db: Db, id: string, input: Notice & { watched: boolean }) {
  const values = { watched: input.watched, ...noticeValues(input) }
  return db
    .insertInto('service_health')
    .values({ service_id: id, ...values })
    .onConflict((conflict) => conflict.column('service_id').doUpdateSet(values))
    .execute()
}

type Window = Notice & { serviceId: string; startsAt: string; endsAt: string }
const windowValues = (window: Window) => ({
  service_id: window.serviceId,
  starts_at: window.startsAt,
  ends_at: window.endsAt,
  ...noticeValues(window),
})
const windowColumns = [
  'service_maintenance.id',
  'service_maintenance.service_id as serviceId',
  'service_maintenance.starts_at as startsAt',
  'service_maintenance.ends_at as endsAt',
  'service_maintenance.note as text',
  'service_maintenance.note_en as textEn',
  'service_maintenance.alternative_id as alternative',
] as const

export const listMaintenance = (
  db: Db,
  codes: readonly string[] | null,
  serviceId: string | undefined,
): Promise<Static<typeof Maintenance>[]> =>
  db
    .selectFrom('service_maintenance')
    .innerJoin('service', 'service.id', 'service_maintenance.service_id')
    .leftJoin('organization', 'organization.id', 'service.organization_id')
    .select(windowColumns)
    .where('ends_at', '>', sql<string>`now()`)
    .$if(serviceId !== undefined, (query) => query.where('service_id', '=', serviceId ?? ''))
    .$if(codes !== null, (query) =>
      query.where(sql<boolean>`organization.path && ${codes as string[]}::text[]`),
    )
    .orderBy('starts_at')
    .orderBy('service_maintenance.id')
    .limit(200)
    .execute()

export const findMaintenance = (db: Db, id: string) =>
  db
    .selectFrom('service_maintenance')
    .innerJoin('service', 'service.id', 'service_maintenance.service_id')
    .leftJoin('organization', 'organization.id', 'service.organization_id')
    .select('organization.path')
    .where('service_maintenance.id', '=', id)
    .executeTakeFirst()

export const insertMaintenance = (db: Db, window: Window) =>
  db
    .insertInto('service_maintenance')
    .values(windowValues(window))
    .returning(windowColumns)
    .executeTakeFirstOrThrow()

export const updateMaintenance = (db: Db, id: string, window: Window) =>
  db
    .updateTable('service_maintenance')
    .set(windowValues(window))
    .where('id', '=', id)
    .returning(windowColumns)
    .executeTakeFirst()

export const deleteMaintenance = (db: Db, id: string) =>
  db.deleteFrom('service_maintenance').where('id', '=', id).execute()
