import type { TodoDetail } from '@atrium/contract/work/todos'
import { draftStore } from '#lib/draft-store.ts'
import { randomId } from '#lib/random-id.ts'

/** The to-do being edited. Shared by the form and the screens for reminders and executors. */
export type Draft = Content & {
  /** the to-do being changed; empty for a new one */
  id: string
  version: number
  /** what was saved when the change began */
  before?: Content
  /** idempotency key of a new one, sent with every attempt */
  key: string
  source: TodoDetail['source']
}
type Content = {
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

/**
 * Starts changing an existing to-do. If it was started before and has been saved elsewhere since, what was changed here
 * stays, and everything else becomes what was saved.
 * @returns whether it has been saved elsewhere
 */
export function editTodo(todo: TodoDetail, nameOf: (name: string, nameEn: string) => string) {
  const draft = store.get()
  const saved = contentOf(todo, nameOf)
  const origin = { id: todo.id, version: todo.version, source: todo.source, before: saved }
  if (draft.id === todo.id && draft.version === todo.version) return false
  if (draft.id !== todo.id || !draft.before) {
    store.set({ ...blank(), ...saved, ...origin })
    return false
  }
  store.set({ ...draft, ...rebase(draft, draft.before, saved), ...origin })
  return true
}

const contentOf = (
  { title, note, allDay, repeat, tags, reminders, stepList, ...todo }: TodoDetail,
  nameOf: (name: string, nameEn: string) => string,
): Content => ({
  title,
  note,
  allDay,
  repeat,
  tags,
  reminders,
  steps: stepList,
  day: todo.dueLocal.slice(0, 10),
  time: todo.dueLocal.slice(11) || '18:00',
  executors: todo.executorList.map(({ accountName, name, nameEn, mayFinish }) => ({
    accountName,
    mayFinish,
    name: nameOf(name, nameEn),
  })),
})

/** Kept or replaced together: a repeat and reminders need a date. */
const parts: (keyof Content)[][] = [
  ['title'],
  ['note'],
  ['day', 'time', 'allDay', 'repeat', 'reminders'],
  ['tags'],
  ['steps'],
  ['executors'],
]

/** What was saved, except the parts that differ between the draft and what it began with. */
function rebase(draft: Content, before: Content, saved: Content): Content {
  const isChanged = (key: keyof Content) =>
    JSON.stringify(draft[key]) !== JSON.stringify(before[key])
  const kept = parts.filter((part) => part.some(isChanged)).flat()
  // The form changes the words of a step; it is ticked elsewhere. Two steps may have the same words.
  const tickOf = (text: string, at: number) =>
    (saved.steps[at]?.text === text
      ? saved.steps[at]
      : saved.steps.find((step) => step.text === text)
    )?.done
  return {
    ...saved,
    ...Object.fromEntries(kept.map((key) => [key, draft[key]])),
    steps: kept.includes('steps')
      ? draft.steps.map(({ text, done }, at) => ({ text, done: tickOf(text, at) ?? done }))
      : saved.steps,
  }
}
