import { sql } from 'kysely'
import { contains } from '#platform/database/contains.ts'
import type { Candidate, Searchable } from '#platform/search-source.ts'

type Row = { id: string; title: string; due_at: string | null; finished_at: string | null }

/** Finds personal to-dos by title and note: open ones in the member's order, then the most recently finished. */
export const todosSearch: Searchable = {
  records: [
    {
      kind: 'todo',
      access: 'member',
      async find({ db }, viewer, { text }, { limit, offset }) {
        if (!viewer.signedIn) return []
        const { rows } = await sql<Row>`
          select todo.id, todo.title, todo.due_at, part.finished_at
          from todo_member part join todo on todo.id = part.todo_id
          where part.account_id = ${viewer.accountId}
            and (${contains(sql.ref('todo.title'), text)} or ${contains(sql.ref('todo.note'), text)})
          order by part.finished_at desc nulls first, part.position, todo.id
          limit ${limit} offset ${offset}`.execute(db)
        return rows.map(
          (row): Candidate => ({
            id: row.id,
            title: row.title,
            at: row.finished_at ?? row.due_at,
            to: `/msgCenter/pages/task/personalDetail?${new URLSearchParams({ id: row.id })}`,
          }),
        )
      },
    },
  ],
}
