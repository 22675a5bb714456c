import type { health, maintenance, serviceHealth } from '@atrium/contract/services/health'
import { getService } from '#domains/services/services/queries.ts'
import type { Db } from '#platform/database/db.ts'
import { invalidate } from '#platform/database/topics.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import { pageOf } from '#platform/http/paging.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { inDepartment } from '#platform/operated-department.ts'
import { mayOperate, operatedIn } from '#platform/permissions.ts'
import type { Platform } from '#platform/platform.ts'
import { probeNow } from './probe.ts'
import {
  deleteMaintenance,
  findMaintenance,
  findOwner,
  insertMaintenance,
  insertReport,
  isService,
  listHealth,
  listMaintenance,
  updateHealth,
  updateMaintenance,
} from './queries.ts'

export const healthHandlers: Handlers<typeof health> = {
  async report({ db, viewer, body }) {
    const service = await getService(db, viewer, body.serviceId)
    return { counted: await insertReport(db, service.id, viewer.accountId) }
  },
}

export const serviceHealthHandlers: Handlers<typeof serviceHealth> = {
  async list({ db, viewer, query }) {
    const { pageNo, pageSize, offset } = pageOf(query)
    const codes = operatedIn(await inDepartment(db, viewer, query.department), 'services')
    const { total, list } = await listHealth(db, codes, query, { offset, pageSize })
    return { list, total, pageNo, pageSize }
  },

  change: ({ platform, viewer, params, body }) =>
    change(platform, async (db) => {
      await assertOperated(db, viewer, params.serviceId)
      await assertAlternative(db, params.serviceId, body.alternative)
      await updateHealth(db, params.serviceId, body)
      return null
    }),

  async check({ db, platform, viewer, params }) {
    await assertOperated(db, viewer, params.serviceId)
    if (!(await probeNow(platform, params.serviceId))) fail('health.not_probed')
    const filter = { all: true, serviceId: params.serviceId }
    const { list } = await listHealth(db, null, filter, { offset: 0, pageSize: 1 })
    return list[0] ?? fail('health.not_probed')
  },
}

export const maintenanceHandlers: Handlers<typeof maintenance> = {
  list: ({ db, viewer, query }) =>
    listMaintenance(db, operatedIn(viewer, 'services'), query.serviceId),

  create: ({ platform, viewer, body }) =>
    change(platform, async (db) => {
      await assertWindow(db, viewer, body)
      return insertMaintenance(db, body)
    }),

  update: ({ platform, viewer, params, body }) =>
    change(platform, async (db) => {
      await assertOperatedWindow(db, viewer, params.id)
      await assertWindow(db, viewer, body)
      return (await updateMaintenance(db, params.id, body)) ?? fail('health.maintenance_not_found')
    }),

  remove: ({ platform, viewer, params }) =>
    change(platform, async (db) => {
      await assertOperatedWindow(db, viewer, params.id)
      await deleteMaintenance(db, params.id)
      return null
    }),
}

/** Runs a change in one transaction and invalidates cached service lists. */
async function change<T>(platform: Platform, work: (db: Db) => Promise<T>): Promise<T> {
  return platform.db.transaction().execute(async (db) => {
    const result = await work(db)
    await invalidate(db, 'services')
    return result
  })
}

/** Requires that the service belongs to the operator's scope. */
async function assertOperated(db: Db, viewer: Member, serviceId: string) {
  const owner = await findOwner(db, serviceId)
  if (!owner || !mayOperate(viewer, 'services', owner.path)) fail('service.not_found')
}

async function assertOperatedWindow(db: Db, viewer: Member, id: string) {
  const owner = await findMaintenance(db, id)
  if (!owner || !mayOperate(viewer, 'services', owner.path)) fail('health.maintenance_not_found')
}

type Window = { serviceId: string; startsAt: string; endsAt: string; alternative: string | null }

async function assertWindow(db: Db, viewer: Member, window: Window) {
  await assertOperated(db, viewer, window.serviceId)
  if (Date.parse(window.endsAt) <= Date.parse(window.startsAt))
    fail('request.invalid', { fields: { endsAt: 'range' } })
  await assertAlternative(db, window.serviceId, window.alternative)
}

/** The alternative must exist and be a different service. */
async function assertAlternative(db: Db, serviceId: string, alternative: string | null) {
  if (alternative === null) return
  if (alternative === serviceId || !(await isService(db, alternative)))
    fail('request.invalid', { fields: { alternative: 'unknown' } })
}
