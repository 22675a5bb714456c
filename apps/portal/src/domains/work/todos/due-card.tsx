import { tasks } from '@atrium/contract/work/tasks'
import { todos } from '@atrium/contract/work/todos'
import { useQuery } from '@tanstack/react-query'
import { formatTime } from '#lib/format.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { LinkRow } from '#shell/navigation/link-row.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { Card } from '#ui/card.tsx'
import { UserText } from '#ui/user-text.tsx'

/** The list of to-dos shows further ones. */
const maxShown = 50

/** Tasks and to-dos due on a day. Renders nothing if there are none. */
export function DueCard({ from, until, zone }: { from: Date; until: Date; zone: string }) {
  const query = {
    dueFrom: from.toISOString(),
    dueUntil: until.toISOString(),
    pageSize: maxShown,
  }
  const assignedTasks = useQuery(q(tasks.list, { query })).data?.list ?? []
  const ownTodos = useQuery(q(todos.list, { query })).data?.list ?? []
  const due = [
    ...assignedTasks.map(({ id, title, titleEn, dueAt }) => ({
      key: `task ${id}`,
      to: '/msgCenter/pages/task/applicationDetail' as const,
      id,
      title: <Bilingual zh={title} en={titleEn} />,
      at: dueAt,
    })),
    ...ownTodos.map(({ id, title, dueAt, allDay }) => ({
      key: `todo ${id}`,
      to: '/msgCenter/pages/task/personalDetail' as const,
      id,
      title: <UserText>{title}</UserText>,
      at: allDay ? null : dueAt,
    })),
  ].sort((a, b) => (a.at ?? '').localeCompare(b.at ?? ''))
  if (due.length === 0) return null
  return (
    <Card title={m.todos_due_card()}>
      <ul className="row-list-beside">
        {due.map(({ key, to, id, title, at }) => (
          <LinkRow
            key={key}
            icon="clipboard"
            to={to}
            search={{ id }}
            value={at && formatTime(at, zone)}
          >
            {title}
          </LinkRow>
        ))}
      </ul>
    </Card>
  )
}
