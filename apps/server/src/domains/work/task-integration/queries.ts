import { sql } from 'kysely'
import { filesOf } from '#domains/work/tasks/handled-files.ts'
import { pageSizeOf } from '#platform/http/paging.ts'
import type { Platform } from '#platform/platform.ts'
import { linkFiles } from './outcome-files.ts'

/** The outcomes of a source's tasks after a known one, oldest first. */
export async function listOutcomes(
  platform: Platform,
  sourceId: string,
  { after, pageSize }: { after?: string | undefined; pageSize?: number | undefined },
) {
  const rows = await platform.db
    .selectFrom('task_outcome as told')
    .innerJoin('task', 'task.id', 'told.task_id')
    .innerJoin('account', 'account.id', 'told.account_id')
    .leftJoin('task_step as step', (join) =>
      join.onRef('step.id', '=', 'told.step_id').on('step.acted_by_account_id', 'is not', null),
    )
    .leftJoin('account as owner', 'owner.id', 'step.account_id')
    .select([
      'told.id',
      'told.key',
      'task.source_key as task',
      'told.step_key as step',
      'account.username',
      'owner.username as onBehalfOf',
      'told.action',
      'told.comment',
      'told.form',
      'told.created_at as at',
      'told.status',
      filesOf(sql`outcome.id = told.id`).as('files'),
    ])
    .where('task.source_id', '=', sourceId)
    .where('told.id', '>', after ?? '0')
    .orderBy('told.id')
    .limit(pageSizeOf({ pageSize }))
    .execute()
  return rows.map((row) => ({
    ...row,
    task: row.task ?? '',
    step: row.step ?? '',
    onBehalfOf: row.onBehalfOf ?? '',
    form: row.form as Record<string, string>,
    files: linkFiles(platform, row.files),
    status: row.status as 'sending' | 'accepted' | 'refused',
  }))
}
