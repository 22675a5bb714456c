import { maxTaskGroups } from '@atrium/contract/work/task-groups'
import type { OverdueSettings, taskSettings } from '@atrium/contract/work/task-settings'
import { maxBatch, maxSnoozeDays } from '@atrium/contract/work/tasks'
import type { Db } from '#platform/database/db.ts'
import type { Handlers } from '#platform/http/serve.ts'

/** The defaults for members who have not changed them. */
export const defaultReminders: OverdueSettings = { beforeMinutes: 1440, overdue: true }

export const taskSettingHandlers: Handlers<typeof taskSettings> = {
  overdue: ({ db, viewer }) => getReminders(db, viewer.accountId),

  async setOverdue({ db, viewer, body: { beforeMinutes, overdue } }) {
    const values = { before_minutes: beforeMinutes, overdue }
    await db
      .insertInto('task_setting')
      .values({ account_id: viewer.accountId, ...values })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
      .execute()
    return getReminders(db, viewer.accountId)
  },

  phrases: ({ db, viewer }) => getPhrases(db, viewer.accountId),

  async setPhrases({ db, viewer, body }) {
    const values = { phrases: body.phrases.map((phrase) => phrase.trim()) }
    await db
      .insertInto('task_phrases')
      .values({ account_id: viewer.accountId, ...values })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
      .execute()
    return getPhrases(db, viewer.accountId)
  },

  global: async () => ({
    maxBatch,
    maxGroups: maxTaskGroups,
    maxSnoozeDays,
    overdue: defaultReminders,
  }),
}

async function getPhrases(db: Db, accountId: string): Promise<string[]> {
  const row = await db
    .selectFrom('task_phrases')
    .select('phrases')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row?.phrases ?? []
}

async function getReminders(db: Db, accountId: string): Promise<OverdueSettings> {
  const row = await db
    .selectFrom('task_setting')
    .select(['before_minutes', 'overdue'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (!row) return defaultReminders
  return {
    beforeMinutes: row.before_minutes as OverdueSettings['beforeMinutes'],
    overdue: row.overdue,
  }
}
