import { type feedback, maxLines } from '@atrium/contract/member/feedback'
import { visible as visibleServices } from '#domains/services/services/queries.ts'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { picturesOf } from '#platform/images/pictures.ts'
import type { Platform } from '#platform/platform.ts'
import { requireFeedback } from './access.ts'
import { attachPhotos } from './photos.ts'
import {
  countRecent,
  deleteFeedback,
  findDestination,
  findFeedbackByKey,
  findOwnFeedback,
  insertFeedback,
  insertOwnLine,
  listKinds,
  listOwnFeedback,
  listPublished,
  lockOwnFeedback,
  updateScore,
} from './queries.ts'

/** Limits per person. */
const maxInHour = 10
const maxInDay = 30
const maxLinesInHour = 30

async function getOwnFeedback(
  platform: Platform,
  viewer: Member,
  id: string,
  db: Db = platform.db,
) {
  const feedback = await findOwnFeedback(db, await picturesOf(platform), viewer.accountId, id)
  return feedback ?? fail('feedback.not_found')
}

/** Locks the member's own feedback. @throws feedback.not_found */
const lockFeedback = async (db: Db, viewer: Member, id: string) =>
  (await lockOwnFeedback(db, viewer.accountId, id)) ?? fail('feedback.not_found')

export const feedbackHandlers: Handlers<typeof feedback> = {
  async kinds({ platform, db }) {
    await requireFeedback(platform)
    return listKinds(db)
  },

  async published({ platform, db, query }) {
    await requireFeedback(platform)
    return listPublished(db, { ...query, order: query.order ?? 'newest' })
  },

  async own({ platform, db, viewer, query }) {
    await requireFeedback(platform)
    return listOwnFeedback(db, viewer.accountId, query)
  },

  async read({ platform, viewer, params }) {
    await requireFeedback(platform)
    return getOwnFeedback(platform, viewer, params.id)
  },

  async send({ platform, viewer, body }) {
    await requireFeedback(platform)
    const { accountId, personId } = viewer
    return platform.db.transaction().execute(async (db) => {
      // Counting locks the person: a concurrent repeat waits here and then finds the first one by its key.
      const recent = await countRecent(db, personId)
      const existingId = await findFeedbackByKey(db, accountId, body.key)
      if (existingId) return getOwnFeedback(platform, viewer, existingId, db)
      if (recent.hour >= maxInHour || recent.day >= maxInDay)
        fail('request.too_many', { retryAfter: 3600 })
      const service = await serviceOf(db, viewer, body.serviceId ?? null)
      const destination =
        (await findDestination(db, body.kindId ?? null, service)) ?? fail('feedback.kind_not_found')
      const id = await insertFeedback(db, {
        account_id: accountId,
        key: body.key,
        kind_id: body.kindId ?? null,
        service_id: service?.id ?? null,
        organization_id: destination.organizationId,
        content: body.content.trim(),
        place: body.place?.trim() ?? '',
        latitude: body.point?.latitude ?? null,
        longitude: body.point?.longitude ?? null,
        contact: body.contact?.trim() ?? '',
        may_publish: body.mayPublish ?? false,
      })
      if (!id) fail('feedback.not_found')
      await attachPhotos(db, accountId, id, body.photos ?? [])
      return getOwnFeedback(platform, viewer, id, db)
    })
  },

  async write({ platform, viewer, params: { id }, body }) {
    await requireFeedback(platform)
    return platform.db.transaction().execute(async (db) => {
      const recent = await countRecent(db, viewer.personId)
      const { state, lines } = await lockFeedback(db, viewer, id)
      if (state === 'closed') fail('feedback.closed')
      if (lines >= maxLines) fail('feedback.lines_full')
      if (recent.lines >= maxLinesInHour) fail('request.too_many', { retryAfter: 3600 })
      await insertOwnLine(db, id, body.text.trim())
      return getOwnFeedback(platform, viewer, id, db)
    })
  },

  async rate({ platform, viewer, params: { id }, body }) {
    await requireFeedback(platform)
    return platform.db.transaction().execute(async (db) => {
      const { answered_at } = await lockFeedback(db, viewer, id)
      if (answered_at === null) fail('feedback.not_answered')
      await updateScore(db, id, body.score, body.comment?.trim() ?? '')
      return getOwnFeedback(platform, viewer, id, db)
    })
  },

  async takeBack({ platform, viewer, params: { id } }) {
    await requireFeedback(platform)
    return platform.db.transaction().execute(async (db) => {
      const { state, answered_at } = await lockFeedback(db, viewer, id)
      if (state !== 'waiting' || answered_at !== null) fail('feedback.answered')
      await deleteFeedback(db, id)
      return null
    })
  },
}

/** A service the member may use. @throws feedback.service_not_found */
async function serviceOf(db: Db, viewer: Member, id: string | null) {
  if (id === null) return undefined
  const service = await visibleServices(db, viewer)
    .select(['service.id', 'service.organization_id as organizationId'])
    .where('service.id', '=', id)
    .executeTakeFirst()
  return service ?? fail('feedback.service_not_found')
}
