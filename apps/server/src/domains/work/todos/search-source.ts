import type { Candidate, Searchable } from '#platform/search-source.ts'
import { listTodos } from './queries.ts'

export const todosSearch: Searchable = {
  records: [
    {
      kind: 'todo',
      access: 'member',
      async find({ db }, viewer, { text }, { limit, offset }) {
        if (!viewer.signedIn) return []
        const filter = { keyWords: text, pageSize: offset + limit }
        const [open, finished] = await Promise.all(
          [false, true].map((finished) => listTodos(db, viewer.accountId, { ...filter, finished })),
        )
        return [...(open?.list ?? []), ...(finished?.list ?? [])].slice(offset, offset + limit).map(
          (todo): Candidate => ({
            id: todo.id,
            title: todo.title,
            at: todo.finishedAt ?? todo.dueAt,
            to: `/msgCenter/pages/task/personalDetail?${new URLSearchParams({ id: todo.id })}`,
          }),
        )
      },
    },
  ],
}
