import { Readable } from 'node:stream'
import type { Static } from '@atrium/contract/define'
import { maxLines } from '@atrium/contract/member/feedback'
import type { feedbackConsole, ReceivedFeedback } from '@atrium/contract/member/feedback.operator'
import { sql } from 'kysely'
import { getOperatedOrganization } from '#domains/content/editorial/columns.ts'
import { type Db, sqlState } from '#platform/database/db.ts'
import { invalidate } from '#platform/database/topics.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { picturesOf } from '#platform/images/pictures.ts'
import { inDepartment } from '#platform/operated-department.ts'
import type { Platform } from '#platform/platform.ts'
import { answerDuplicate, answerFeedback } from './answer.ts'
import {
  changeReceived,
  countReceived,
  findReceived,
  listDestinations,
  listManagedKinds,
  listReceived,
  listServicesOf,
  lockReceived,
} from './console-queries.ts'
import { exportFeedback } from './export.ts'

type KindBody = Static<typeof feedbackConsole.createKind.body>

async function kindValues(db: Db, viewer: Member, body: KindBody) {
  const place = await getOperatedOrganization(db, viewer, 'messages', body.organization)
  return {
    name: body.name.trim(),
    name_en: body.nameEn.trim(),
    description: body.description.trim(),
    description_en: body.descriptionEn.trim(),
    organization_id: place?.id ?? null,
    to_service: body.toService,
    online: body.online,
    position: body.position,
  }
}

/**
 * Reorders these kinds among the positions they already have; other departments' kinds keep theirs.
 * @throws feedback.changed_meanwhile if the given list differs from the current one
 */
async function arrangeKinds(
  db: Db,
  kinds: readonly { id: string; position: number }[],
  ids: readonly string[],
) {
  if (ids.length !== kinds.length || !kinds.every(({ id }) => ids.includes(id)))
    fail('feedback.changed_meanwhile')
  let last = -1
  // Make positions distinct: equal ones would be ordered by age, whatever the operator chooses.
  const positions = kinds.map(({ position }) => {
    last = Math.min(Math.max(position, last + 1), 9999)
    return last
  })
  await sql`
    update feedback_kind kind set position = arranged.position
    from unnest(${ids as string[]}::bigint[], ${positions}::integer[]) as arranged (id, position)
    where kind.id = arranged.id and kind.position <> arranged.position`.execute(db)
}

async function getManagedKind(db: Db, viewer: Member, id: string) {
  const [kind] = await listManagedKinds(db, viewer, id)
  return kind ?? fail('feedback.kind_not_found')
}

/** Changes something visible in members' lists. @returns its new state */
async function change<T>(platform: Platform, work: (db: Db) => Promise<T>): Promise<T> {
  return platform.db.transaction().execute(async (db) => {
    const result = await work(db)
    await invalidate(db, 'feedback')
    return result
  })
}

async function getReceived(platform: Platform, db: Db, viewer: Member, id: string) {
  const feedback = await findReceived(db, await picturesOf(platform), viewer, id)
  return feedback ?? fail('feedback.not_found')
}

/**
 * Changes feedback the caller is responsible for.
 * @param which `into`: other feedback that the change depends on
 * @returns its new state
 */
const changeFeedback = (
  platform: Platform,
  viewer: Member,
  { id, into = null }: { id: string; into?: string | null },
  work: (db: Db, current: ReceivedFeedback) => Promise<boolean>,
) =>
  change(platform, async (db) => {
    await lockReceived(db, into === null ? [id] : [id, into])
    const current = await getReceived(platform, db, viewer, id)
    if (!(await work(db, current))) fail('feedback.changed_meanwhile')
    return getReceived(platform, db, viewer, id)
  })

export const feedbackConsoleHandlers: Handlers<typeof feedbackConsole> = {
  kinds: ({ db, viewer }) => listManagedKinds(db, viewer),

  createKind: ({ platform, viewer, body }) =>
    change(platform, async (db) => {
      const { id } = await db
        .insertInto('feedback_kind')
        .values(await kindValues(db, viewer, body))
        .returning('id')
        .executeTakeFirstOrThrow()
      return getManagedKind(db, viewer, id)
    }),

  updateKind: ({ platform, viewer, params: { id }, body: { revision, ...body } }) =>
    change(platform, async (db) => {
      await getManagedKind(db, viewer, id)
      const changed = await db
        .updateTable('feedback_kind')
        .set({ ...(await kindValues(db, viewer, body)), revision: revision + 1 })
        .where('id', '=', id)
        .where('revision', '=', revision)
        .executeTakeFirst()
      if (changed.numUpdatedRows === 0n) fail('feedback.changed_meanwhile')
      return getManagedKind(db, viewer, id)
    }),

  arrangeKinds: ({ platform, viewer, body: { ids } }) =>
    change(platform, async (db) => {
      await arrangeKinds(db, await listManagedKinds(db, viewer), ids)
      return listManagedKinds(db, viewer)
    }),

  removeKind: ({ platform, viewer, params: { id } }) =>
    change(platform, async (db) => {
      await getManagedKind(db, viewer, id)
      await db
        .deleteFrom('feedback_kind')
        .where('id', '=', id)
        .execute()
        .catch((error: unknown) => {
          if (sqlState(error) === '23503') fail('feedback.kind_in_use')
          throw error
        })
      return null
    }),

  async list({ platform, db, viewer, query: { department, ...query } }) {
    const operator = await inDepartment(db, viewer, department)
    return listReceived(db, await picturesOf(platform), operator, query)
  },

  async counts({ db, viewer, query: { department, ...filter } }) {
    const operator = await inDepartment(db, viewer, department)
    const [counts, services] = await Promise.all([
      countReceived(db, operator, filter),
      listServicesOf(db, operator),
    ])
    return { ...counts, services }
  },

  destinations: ({ db }) => listDestinations(db),

  read: ({ platform, db, viewer, params }) => getReceived(platform, db, viewer, params.id),

  answer: ({ platform, viewer, params: { id }, body: { revision, text } }) =>
    changeFeedback(platform, viewer, { id }, async (db, { mergedInto, lines }) => {
      if (mergedInto !== null) fail('feedback.merge_refused')
      if (lines.length >= maxLines) fail('feedback.lines_full')
      return answerFeedback(db, { id, revision, text: text.trim(), accountId: viewer.accountId })
    }),

  setState: ({ platform, viewer, params: { id }, body: { revision, state } }) =>
    changeFeedback(platform, viewer, { id }, async (db, { mergedInto }) => {
      if (mergedInto !== null) fail('feedback.merge_refused')
      return changeReceived(db, { id, revision }, sql`state = ${state}`)
    }),

  forward: ({ platform, viewer, params: { id }, body: { revision, organization } }) =>
    change(platform, async (db) => {
      await getReceived(platform, db, viewer, id)
      // The caller need not manage the department it is forwarded to.
      const place =
        organization === null
          ? null
          : await db
              .selectFrom('organization')
              .select('id')
              .where('code', '=', organization)
              .executeTakeFirst()
      if (place === undefined) fail('request.invalid', { fields: { organization: 'unknown' } })
      const set = sql`organization_id = ${place?.id ?? null}::bigint`
      if (!(await changeReceived(db, { id, revision }, set))) fail('feedback.changed_meanwhile')
      return null
    }),

  merge: ({ platform, viewer, params: { id }, body: { revision, into } }) =>
    changeFeedback(platform, viewer, { id, into }, async (db, current) => {
      if (into === null)
        return changeReceived(
          db,
          { id, revision },
          sql`merged_into_id = null, state = case state when 'closed' then state else 'waiting' end`,
        )
      const target = await findReceived(db, await picturesOf(platform), viewer, into)
      // Only one level: feedback with duplicates cannot itself be merged.
      if (!target || target.id === id || target.mergedInto !== null || current.duplicates > 0)
        fail('feedback.merge_refused')
      if (
        !(await changeReceived(
          db,
          { id, revision },
          sql`merged_into_id = ${into}, published_at = null`,
        ))
      )
        return false
      await answerDuplicate(db, { id, into, accountId: viewer.accountId })
      return true
    }),

  publish: ({ platform, viewer, params: { id }, body: { revision, published } }) =>
    changeFeedback(platform, viewer, { id }, async (db, current) => {
      const { mayPublish, answeredAt, mergedInto } = current
      if (published && (!mayPublish || answeredAt === null || mergedInto !== null))
        fail('feedback.not_publishable')
      return changeReceived(
        db,
        { id, revision },
        published ? sql`published_at = coalesce(published_at, now())` : sql`published_at = null`,
      )
    }),

  async export({ platform, db, viewer, body: { department, ...filter }, reply }) {
    const operator = await inDepartment(db, viewer, department)
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="feedback.csv"')
      .header('cache-control', 'no-store')
      .send(Readable.from(exportFeedback(platform, operator, filter), { objectMode: false }))
  },
}
