import type { Db } from '#platform/database/db.ts'
import { pageSizeOf } from '#platform/http/paging.ts'

/** What members did about the tasks of a source, first to last, after the one that is known. */
export async function listOutcomes(
  db: Db,
  sourceId: string,
  { after, pageSize }: { after?: string | undefined; pageSize?: number | undefined },
) {
  const rows = await db
    .selectFrom('task_outcome as outcome')
    .innerJoin('task', 'task.id', 'outcome.task_id')
    .innerJoin('account', 'account.id', 'outcome.account_id')
    .leftJoin('task_step as step', (join) =>
      join.onRef('step.id', '=', 'outcome.step_id').on('step.acted_by_account_id', 'is not', null),
    )
    .leftJoin('account as owner', 'owner.id', 'step.account_id')
    .select([
      'outcome.id',
      'outcome.key',
      'task.source_key as task',
      'outcome.step_key as step',
      'account.username',
      'owner.username as onBehalfOf',
      'outcome.action',
      'outcome.comment',
      'outcome.form',
      'outcome.created_at as at',
      'outcome.status',
    ])
    .where('task.source_id', '=', sourceId)
    .where('outcome.id', '>', after ?? '0')
    .orderBy('outcome.id')
    .limit(pageSizeOf({ pageSize }))
    .execute()
  return rows.map((row) => ({
    ...row,
    task: row.task ?? '',
    step: row.step ?? '',
    onBehalfOf: row.onBehalfOf ?? '',
    form: row.form as Record<string, string>,
    status: row.status as 'sending' | 'accepted' | 'refused',
  }))
}
