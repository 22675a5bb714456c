import type { tasks } from '@atrium/contract/work/tasks'
import { fail } from '#platform/http/errors.ts'
import { pageSizeOf } from '#platform/http/paging.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { countLevels, findTask, listRecords, listTasks, toSummary } from './queries.ts'

export const taskHandlers: Handlers<typeof tasks> = {
  async list({ db, viewer, query }) {
    const level = query.level ?? 'myTodo'
    // Only copies have a sender and a receiver.
    if (query.circulate && level !== 'myReaded')
      fail('request.invalid', { fields: { circulate: 'choice' } })
    return listTasks(db, viewer.accountId, { ...query, level, pageSize: pageSizeOf(query) })
  },
  counts: ({ db, viewer }) => countLevels(db, viewer.accountId),

  async read({ db, viewer, params }) {
    const row = (await findTask(db, viewer.accountId, params.id)) ?? fail('task.not_found')
    return { ...toSummary(row), form: row.form, url: row.url }
  },

  async records({ db, viewer, params }) {
    const records = await listRecords(db, viewer.accountId, params.id)
    if (records.length === 0 && !(await findTask(db, viewer.accountId, params.id)))
      fail('task.not_found')
    return records
  },
}
