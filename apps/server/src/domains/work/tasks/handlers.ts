import type { TaskOutcome, tasks } from '@atrium/contract/work/tasks'
import type { Db } from '#platform/database/db.ts'
import { errorText, fail, languageOf, Refusal } from '#platform/http/errors.ts'
import { pageSizeOf } from '#platform/http/paging.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { handleTask } from './handle.ts'
import {
  countLevels,
  findLastOutcome,
  findTask,
  listRecords,
  listTasks,
  toSummary,
} from './queries.ts'

export const taskHandlers: Handlers<typeof tasks> = {
  async list({ db, viewer, query }) {
    const level = query.level ?? 'myTodo'
    // Only copies have a sender and a receiver.
    if (query.circulate && level !== 'myReaded')
      fail('request.invalid', { fields: { circulate: 'choice' } })
    return listTasks(db, viewer.accountId, { ...query, level, pageSize: pageSizeOf(query) })
  },
  counts: ({ db, viewer }) => countLevels(db, viewer.accountId),

  read: ({ db, viewer, params }) => readTask(db, viewer.accountId, params.id),

  async records({ db, viewer, params }) {
    const records = await listRecords(db, viewer.accountId, params.id)
    if (records.length === 0 && !(await findTask(db, viewer.accountId, params.id)))
      fail('task.not_found')
    return records
  },

  handle: ({ platform, viewer, params, body }) =>
    platform.db.transaction().execute(async (db) => {
      await handleTask(db, viewer.accountId, params.id, body)
      return readTask(db, viewer.accountId, params.id)
    }),

  /** One after the other, each in a transaction of its own: what one source refuses stops no other. */
  async batchHandle({ platform, viewer, body: { ids, action, comment }, request }) {
    const language = languageOf(request.headers['accept-language'])
    const outcomes: { id: string; error: string; message: string }[] = []
    for (const id of ids)
      try {
        await platform.db
          .transaction()
          .execute((db) => handleTask(db, viewer.accountId, id, { action, comment }))
        outcomes.push({ id, error: '', message: '' })
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        outcomes.push({ id, error: error.code, message: errorText(error.code, language) })
      }
    return outcomes
  },
}

async function readTask(db: Db, accountId: string, id: string) {
  const row = (await findTask(db, accountId, id)) ?? fail('task.not_found')
  const last = await findLastOutcome(db, accountId, id)
  return {
    ...toSummary(row),
    form: row.form,
    url: row.url,
    unread: row.unread,
    lastOutcome: last ? { ...last, status: last.status as TaskOutcome['status'] } : null,
  }
}
