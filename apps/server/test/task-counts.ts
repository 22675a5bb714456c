import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'

/** Stored task counts that differ from the tasks and steps they count. */
export async function listWrongTaskCounts(db: Db) {
  const { rows } = await sql`
    with counted as (
      select account_id, task_step_counts_as(kind, done_at) as kind, count(*)::integer as n from task_step group by 1, 2
      union all
      select applicant_account_id, task_counts_as(draft), count(*)::integer from task group by 1, 2
    ), stored as (select * from task_count where n <> 0)
    select * from counted full join stored using (account_id, kind, n)
    where (counted.n is null or stored.n is null) and account_id is not null and kind is not null`.execute(
    db,
  )
  return rows
}
