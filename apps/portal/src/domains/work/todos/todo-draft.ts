import type { TodoDetail } from '@atrium/contract/work/todos'
import { useSyncExternalStore } from 'react'
import { randomId } from '#lib/random-id.ts'
import { getSession, onSession } from '#lib/session.ts'

/** A to-do that is being written. The form and the screens for reminders and executors share it. */
export type Draft = {
  /** what is changed; empty: a new one */
  id: string
  version: number
  /** the owner's own id of a new one: sent along with every try */
  key: string
  title: string
  note: string
  day: string
  time: string
  allDay: boolean
  repeat: TodoDetail['repeat']
  tags: string[]
  reminders: number[]
  steps: { text: string; done: boolean }[]
  executors: { accountName: string; name: string; mayFinish: boolean }[]
  source: TodoDetail['source']
}

const blank = (): Draft => ({
  id: '',
  version: 0,
  key: randomId(),
  title: '',
  note: '',
  day: '',
  time: '18:00',
  allDay: true,
  repeat: 'none',
  tags: [],
  reminders: [],
  steps: [],
  executors: [],
  source: null,
})

let draft = blank()
const listeners = new Set<() => void>()
function set(next: Draft) {
  draft = next
  for (const listener of listeners) listener()
}
// What somebody wrote is not there for whoever signs in next.
let author = getSession()?.accountId
onSession(() => {
  const now = getSession()?.accountId
  if (now !== author) set(blank())
  author = now
})

export const changeDraft = (change: Partial<Draft>) => set({ ...draft, ...change })
export const clearDraft = () => set(blank())
export const getDraft = () => draft

/** Begins to change one that is there, unless that has been begun. */
export function takeTodo(todo: TodoDetail, nameOf: (name: string, nameEn: string) => string) {
  if (draft.id === todo.id && draft.version === todo.version) return
  const { id, version, title, note, allDay, repeat, tags, reminders, stepList, source } = todo
  set({
    ...blank(),
    id,
    version,
    title,
    note,
    allDay,
    repeat,
    tags,
    reminders,
    source,
    steps: stepList,
    day: todo.dueLocal.slice(0, 10),
    time: todo.dueLocal.slice(11) || '18:00',
    executors: todo.executorList.map(({ accountName, name, nameEn, mayFinish }) => ({
      accountName,
      mayFinish,
      name: nameOf(name, nameEn),
    })),
  })
}

export const useDraft = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => draft,
  )
