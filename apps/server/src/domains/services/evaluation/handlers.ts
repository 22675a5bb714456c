import type { evaluation, evaluations } from '@atrium/contract/services/evaluation'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Viewer } from '#platform/http/guard.ts'
import { pageOf } from '#platform/http/paging.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { picturesOf } from '#platform/images/pictures.ts'
import { inDepartment } from '#platform/operated-department.ts'
import { mayOperate, operatedIn } from '#platform/permissions.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import {
  countOwnUploads,
  deleteEvaluation,
  findEvaluation,
  findOpinion,
  findRatedService,
  findServicePath,
  getScore,
  hasUsed,
  listManagedOpinions,
  listObjects,
  listOpinions,
  listStandardAverages,
  listStandards,
  saveEvaluation,
  updateHidden,
  updateReply,
} from './queries.ts'
import { modeOf, scoresFor } from './rules.ts'
import { listWaiting } from './waiting.ts'

const modeNow = async (platform: Platform) =>
  modeOf((await currentSettings(platform)).enableServiceEvaluate)

const getObject = async (db: Db, viewer: Viewer, by: Parameters<typeof findRatedService>[2]) =>
  (await findRatedService(db, viewer, by)) ?? fail('service.not_found')

/** A service with its current rating mode and standards. */
async function describe(db: Db, platform: Platform, object: Awaited<ReturnType<typeof getObject>>) {
  const mode = await modeNow(platform)
  const standards = mode === 'detailed' ? await listStandards(db) : []
  return {
    ...object,
    mode,
    standards: standards.map(({ code, name, nameEn }) => ({ code, name, nameEn })),
  }
}

export const evaluationHandlers: Handlers<typeof evaluation> = {
  async save({ db, viewer, body, platform }) {
    const { accountId } = viewer
    const { serviceId } = await getObject(db, viewer, { serviceId: body.serviceId })
    const mode = await modeNow(platform)
    if (mode === 'off') fail('evaluation.off')
    if (!(await hasUsed(db, accountId, serviceId))) fail('evaluation.not_used')
    const scores =
      mode === 'detailed' ? scoresFor(await listStandards(db), body.scores ?? []) : undefined
    const uploadIds = body.photos
    await platform.db.transaction().execute(async (db) => {
      if (uploadIds?.length && (await countOwnUploads(db, accountId, uploadIds)) < uploadIds.length)
        fail('file.not_found')
      const comment = (body.comment ?? '').trim()
      await saveEvaluation(db, {
        accountId,
        serviceId,
        stars: body.stars,
        comment,
        scores,
        uploadIds,
      })
    })
    const saved = await findEvaluation(db, await picturesOf(platform), accountId, serviceId)
    return saved ?? fail('evaluation.not_found')
  },

  async mine({ db, viewer, query, platform }) {
    const object = await getObject(db, viewer, query)
    const pictures = await picturesOf(platform)
    const [described, used, evaluation] = await Promise.all([
      describe(db, platform, object),
      hasUsed(db, viewer.accountId, object.serviceId),
      findEvaluation(db, pictures, viewer.accountId, object.serviceId),
    ])
    return { object: described, used, evaluation }
  },

  async remove({ db, viewer, params }) {
    if (!(await deleteEvaluation(db, viewer.accountId, params.id))) fail('evaluation.not_found')
    return null
  },

  async score({ db, viewer, query, platform }) {
    const { code, serviceId } = await getObject(db, viewer, query)
    const mode = await modeNow(platform)
    if (mode === 'off') return { code, mode, average: null, count: null }
    return { code, mode, ...(await getScore(db, serviceId)) }
  },

  async list({ db, viewer, query, platform }) {
    const { serviceId } = await getObject(db, viewer, { code: query.code })
    const { enableServiceEvaluate, timeZone: zone } = await currentSettings(platform)
    if (modeOf(enableServiceEvaluate) === 'off') {
      const { pageNo, pageSize } = pageOf(query)
      return { list: [], total: 0, pageNo, pageSize, nextCursor: null }
    }
    const pictures = await picturesOf(platform)
    return listOpinions(db, pictures, serviceId, { query, zone })
  },

  object: async ({ db, viewer, params, platform }) =>
    describe(db, platform, await getObject(db, viewer, params)),

  async standardAverage({ db, viewer, query, platform }) {
    const { serviceId } = await getObject(db, viewer, query)
    return (await modeNow(platform)) === 'detailed' ? listStandardAverages(db, serviceId) : []
  },

  async objects({ db, viewer, query, platform }) {
    const { pageNo, pageSize, offset } = pageOf(query)
    if ((await modeNow(platform)) === 'off') return { list: [], total: 0, pageNo, pageSize }
    return { ...(await listObjects(db, viewer, { offset, pageSize })), pageNo, pageSize }
  },
}

export const evaluationConsoleHandlers: Handlers<typeof evaluations> = {
  async waiting({ db, viewer, query: { department, ...query }, platform }) {
    const codes = operatedIn(await inDepartment(db, viewer, department), 'services')
    const { timeZone: zone } = await currentSettings(platform)
    return listWaiting(db, await picturesOf(platform), codes, { query, zone })
  },

  async list({ db, viewer, query, platform }) {
    const service = await findServicePath(db, query.code)
    if (!service || !mayOperate(viewer, 'services', service.path)) fail('service.not_found')
    const { timeZone: zone } = await currentSettings(platform)
    const pictures = await picturesOf(platform)
    return listManagedOpinions(db, pictures, service.id, { query, zone })
  },

  async reply({ db, viewer, params, body }) {
    const opinion = await findOpinion(db, params.id)
    if (!opinion || !mayOperate(viewer, 'services', opinion.path)) fail('evaluation.unknown')
    if (!(await updateReply(db, opinion.id, body.reply.trim(), body.etag)))
      fail('service.changed_meanwhile')
    return null
  },

  async hide({ db, params, body }) {
    if (!(await updateHidden(db, params.id, body.reason.trim()))) fail('evaluation.unknown')
    return null
  },

  async restore({ db, params }) {
    if (!(await updateHidden(db, params.id, ''))) fail('evaluation.unknown')
    return null
  },
}
