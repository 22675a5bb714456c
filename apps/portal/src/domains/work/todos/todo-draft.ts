import type { TodoDetail } from '@atrium/contract/work/todos'
import { draftStore } from '#lib/draft-store.ts'
import { randomId } from '#lib/random-id.ts'

/** The to-do being edited. Shared by the form and the screens for reminders and executors. */
export type Draft = {
  /** the to-do being changed; empty for a new one */
  id: string
  version: number
  /** idempotency key of a new one, sent with every attempt */
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

const store = draftStore(blank, 'todos.form')
export const useDraft = store.use
export const getDraft = store.get
export const changeDraft = (change: Partial<Draft>) => store.set({ ...store.get(), ...change })
export const clearDraft = store.clear

/** Starts changing an existing to-do, unless that was already started. */
export function editTodo(todo: TodoDetail, nameOf: (name: string, nameEn: string) => string) {
  const draft = store.get()
  if (draft.id === todo.id && draft.version === todo.version) return
  const { id, version, title, note, allDay, repeat, tags, reminders, stepList, source } = todo
  store.set({
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
