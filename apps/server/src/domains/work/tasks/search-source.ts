import { sql } from 'kysely'
import { contains } from '#platform/database/contains.ts'
import type { Candidate, Searchable } from '#platform/search-source.ts'
import { isEffective } from './delegated-steps.ts'

/** Tasks that the member takes part in or started, found by title; those waiting for them come first. */
export const tasksSearch: Searchable = {
  records: [
    {
      kind: 'task',
      access: 'member',
      async find({ db }, viewer, { text }, { limit, offset }) {
        if (!viewer.signedIn) return []
        const { rows } = await sql<{
          id: string
          title: string
          title_en: string
          source: string
          source_en: string
          created_at: string
          waits: boolean
          done: boolean
        }>`
          with own as materialized (
            select step.task_id as id, bool_or(step.done_at is null and step.kind = 'handle') as waits,
              bool_or(step.done_at is not null) as done
            from task_step step where step.account_id = ${viewer.accountId} and ${isEffective('step')} group by step.task_id
            union all
            select id, false, false from task where applicant_account_id = ${viewer.accountId} and not draft
              and not exists (select from task_step part where part.task_id = task.id and part.account_id = ${viewer.accountId})
          )
          select task.id, task.title, task.title_en, task.source, task.source_en, task.created_at, own.waits, own.done
          -- Read one by one: otherwise the titles of everybody's tasks may be compared first.
          from own cross join lateral (select * from task where task.id = own.id offset 0) task
          where (${contains(sql.ref('task.title'), text)} or ${contains(sql.ref('task.title_en'), text)})
          order by own.waits desc, task.id desc limit ${limit} offset ${offset}`.execute(db)
        return rows.map(
          (row): Candidate => ({
            id: row.id,
            title: row.title,
            titleEn: row.title_en,
            text: row.source,
            textEn: row.source_en,
            at: row.created_at,
            to: `/msgCenter/pages/task/${row.waits || row.done ? 'doneDetail' : 'applicationDetail'}?${new URLSearchParams({ id: row.id })}`,
          }),
        )
      },
    },
  ],
}
