import { todos } from '@atrium/contract/work/todos'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { invalidate, pages, q } from '#lib/queries.ts'
import { useAction } from '#shell/page/action.ts'

export const useTodos = (query: { finished: boolean; tag?: string; keyWords?: string }) =>
  useInfiniteQuery(pages(todos.list, { query }))

export const useTodo = (id: string) => useQuery(q(todos.read, { params: { id } }))

const changed = [todos.list, todos.read]

export const useFinish = (done?: (id: string, finished: boolean) => void) =>
  useAction(todos.finish, {
    // Possibly nothing was changed: reload to show the real state.
    failed() {
      invalidate(...changed)
      return false
    },
    invalidates: changed,
    done: (_, { params, body }) => done?.(params.id, body.finished),
  })
export const useSetStep = (failed: () => void) =>
  useAction(todos.setStep, {
    invalidates: changed,
    queue: 'todo-steps',
    failed() {
      failed()
      return false
    },
  })
export const useMove = () =>
  useAction(todos.move, { invalidates: [todos.list], queue: 'todo-order' })
export const useRemove = (done: () => void) =>
  useAction(todos.remove, { invalidates: [todos.list], done })
export const changedTodos = changed
