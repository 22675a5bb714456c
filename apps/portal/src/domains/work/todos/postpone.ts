import { type Todo, type TodoDetail, todos } from '@atrium/contract/work/todos'
import { dayIn } from '@atrium/rules/day-in'
import { useMutation } from '@tanstack/react-query'
import { call } from '#lib/api.ts'
import { invalidate } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { toast } from '#ui/feedback/toast.tsx'
import { changedTodos } from './todo-queries.ts'

const mondays = 1
const hours = 3_600_000

/** Days offered for postponing a to-do, in the institution's zone: `2026-12-01`. */
export function postponeDays(timeZone: string, now = Date.now()) {
  const dayAfter = (days: number) => dayIn(new Date(now + days * 24 * hours), timeZone)
  const weekday = new Date(`${dayAfter(0)}T00:00:00Z`).getUTCDay()
  return [
    { label: m.todos_later_tomorrow(), day: dayAfter(1) },
    { label: m.todos_later_monday(), day: dayAfter((mondays - weekday + 7) % 7 || 7) },
    { label: m.todos_later_week(), day: dayAfter(7) },
  ]
}

type Due = Pick<TodoDetail, 'dueLocal' | 'allDay'>

/** Postpones one of the member's own to-dos to another day at the same time, with undo. */
export function usePostpone({ id, title }: Todo) {
  const { timeZone } = useSystem()
  const { mutate } = useMutation({
    mutationFn: async (dueOf: (todo: Due) => Due) => {
      const todo = await call(todos.read, { params: { id } })
      const { version, note, repeat, tags, reminders, stepList, executorList } = todo
      await call(todos.update, {
        params: { id },
        body: {
          version,
          title: todo.title,
          note,
          repeat,
          tags,
          reminders,
          steps: stepList,
          executors: executorList.map(({ accountName, mayFinish }) => ({ accountName, mayFinish })),
          timeZone: todo.timeZone || timeZone,
          ...dueOf(todo),
        },
      })
      return todo
    },
    onError: (error) => toast(error.message),
    onSettled: () => invalidate(...changedTodos),
  })
  return (day: string) =>
    mutate(
      ({ dueLocal, allDay }) => ({
        dueLocal: `${day}T${dueLocal && !allDay ? dueLocal.slice(11) : '23:59'}`,
        allDay: allDay || !dueLocal,
      }),
      {
        onSuccess: ({ dueLocal, allDay }) =>
          toast(m.todos_is_put_off({ title }), {
            label: m.todos_undo(),
            run: () => mutate(() => ({ dueLocal, allDay })),
          }),
      },
    )
}
