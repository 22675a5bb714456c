import type { TodoDetail } from '@atrium/contract/work/todos'
import { draftStore } from '#lib/draft-store.ts'
import { randomId } from '#lib/random-id.ts'

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

const store = draftStore(blank, 'todos.form')
export const useDraft = store.use
export const getDraft = store.get
export const changeDraft = (change: Partial<Draft>) => store.set({ ...store.get(), ...change })
export const clearDraft = store.clear

/** Begins to change one that is there, unless that has been begun. */
export function takeTodo(todo: TodoDetail, nameOf: (name: string, nameEn: string) => string) {
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
