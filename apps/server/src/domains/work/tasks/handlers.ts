import {
  maxSnoozeDays,
  type TaskOutcome,
  type tasks,
  type thirdParty,
} from '@atrium/contract/work/tasks'
import type { Db } from '#platform/database/db.ts'
import { announce } from '#platform/database/topics.ts'
import { errorText, fail, Refusal } from '#platform/http/errors.ts'
import { languageOf } from '#platform/http/negotiation.ts'
import { pageSizeOf } from '#platform/http/paging.ts'
import type { Handlers } from '#platform/http/serve.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { confirmBatch, handleTask } from './handle.ts'
import {
  countBySource,
  countLevels,
  findAttached,
  findLastOutcome,
  findTask,
  listRecords,
  listTasks,
  toSummary,
} from './queries.ts'

export const taskHandlers: Handlers<typeof tasks> = {
  async list({ db, platform, viewer, query }) {
    const level = query.level ?? 'myTodo'
    // Only copies have a sender and a recipient.
    if (query.circulate && level !== 'myReaded')
      fail('request.invalid', { fields: { circulate: 'choice' } })
    const dayEnds = query.due === 'today' ? await endOfToday(platform) : ''
    return listTasks(db, viewer.accountId, {
      ...query,
      level,
      dayEnds,
      pageSize: pageSizeOf(query),
    })
  },
  counts: ({ db, viewer }) => countLevels(db, viewer.accountId),

  sources: ({ db, viewer }) => countBySource(db, viewer.accountId, 'anywhere'),

  read: ({ db, platform, viewer, params }) => readTask(db, platform, viewer.accountId, params.id),

  async records({ db, platform, viewer, params }) {
    const records = await listRecords(db, viewer.accountId, params.id)
    if (records.length === 0 && !(await findTask(db, viewer.accountId, params.id)))
      fail('task.not_found')
    return records.map((record) => ({
      ...record,
      files: record.files.map(({ id, name, mediaType, size }) => {
        const url = platform.files.address({ id, is_public: false }, name)
        return { name, url, mediaType, size }
      }),
    }))
  },

  handle: ({ platform, viewer, params, body }) =>
    platform.db.transaction().execute(async (db) => {
      await handleTask(db, viewer, params.id, body)
      return readTask(db, platform, viewer.accountId, params.id)
    }),

  snooze: ({ platform, viewer: { accountId }, params: { id }, body: { until } }) =>
    platform.db.transaction().execute(async (db) => {
      if (until !== null) {
        const days = (Date.parse(until) - Date.now()) / 86_400_000
        if (days <= 0 || days > maxSnoozeDays)
          fail('request.invalid', { fields: { until: 'range' } })
      }
      const { numUpdatedRows } = await db
        .updateTable('task_step')
        .set({ snoozed_until: until })
        .where('task_id', '=', id)
        .where('account_id', '=', accountId)
        .where('kind', '=', 'handle')
        .where('done_at', 'is', null)
        .executeTakeFirst()
      const task = await readTask(db, platform, accountId, id)
      if (numUpdatedRows === 0n) fail('task.handled')
      await announce(db, { kind: 'inbox', key: accountId })
      return task
    }),

  /** Handles each task in its own transaction, so that one refusal does not affect the others. */
  async batchHandle({ platform, viewer, body: { ids, action, comment }, request }) {
    await confirmBatch(platform.db, viewer, ids, action)
    const language = languageOf(request.headers['accept-language'])
    const outcomes: { id: string; error: string; message: string }[] = []
    for (const id of ids)
      try {
        await platform.db
          .transaction()
          .execute((db) => handleTask(db, viewer, id, { action, comment }))
        outcomes.push({ id, error: '', message: '' })
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        outcomes.push({ id, error: error.code, message: errorText(error.code, language) })
      }
    return outcomes
  },
}

export const thirdPartyHandlers: Handlers<typeof thirdParty> = {
  unreadCounts: ({ db, viewer }) => countBySource(db, viewer.accountId, 'systems'),
  messages: ({ db, viewer, query }) =>
    listTasks(db, viewer.accountId, {
      level: 'myTodo',
      fromSystem: true,
      source: query.source === undefined ? undefined : [query.source],
      cursor: query.cursor,
      pageSize: pageSizeOf(query),
    }),
}

/** The end of today in the institution's time zone, ISO 8601. */
async function endOfToday(platform: Platform) {
  const { timeZone } = await currentSettings(platform)
  const today = Temporal.Now.plainDateISO(timeZone)
  return today.add({ days: 1 }).toZonedDateTime(timeZone).toInstant().toString()
}

async function readTask(db: Db, { files }: Platform, accountId: string, id: string) {
  const row = (await findTask(db, accountId, id)) ?? fail('task.not_found')
  const last = await findLastOutcome(db, accountId, id)
  const attached = await findAttached(db, row.form)
  return {
    ...toSummary(row),
    applicantEn: row.applicant_en,
    form: row.form.map((entry) => ({
      label: entry.label,
      labelEn: entry.labelEn ?? '',
      value: entry.value,
      valueEn: entry.valueEn ?? '',
      files: (entry.files ?? []).flatMap(({ fileId, name }) => {
        const file = attached.get(fileId)
        if (!file) return []
        const url = files.address({ id: fileId, is_public: false }, name)
        return [{ name, url, mediaType: file.media_type, size: Number(file.byte_size) }]
      }),
      table: entry.table ?? null,
    })),
    own: row.own,
    url: row.url,
    waits: row.waits,
    unread: row.unread,
    lastOutcome: last ? { ...last, status: last.status as TaskOutcome['status'] } : null,
  }
}
