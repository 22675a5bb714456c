import type { TodoDetail } from '@atrium/contract/work/todos'
import { beforeEach, expect, test, vi } from 'vitest'

vi.stubGlobal('addEventListener', () => {})
vi.stubGlobal('localStorage', { getItem: () => null, setItem() {}, removeItem() {} })
const { changeDraft, clearDraft, editTodo, getDraft } = await import('./todo-draft.ts')

const saved = {
  id: '7',
  version: 1,
  title: '交报告',
  note: '',
  dueLocal: '2027-03-01T17:00',
  allDay: false,
  repeat: 'none',
  tags: [],
  reminders: [],
  source: null,
  executorList: [],
  stepList: [
    { text: '收集数据', done: false },
    { text: '写结论', done: false },
  ],
} as unknown as TodoDetail
const edit = (change: Partial<TodoDetail> = {}) => editTodo({ ...saved, ...change }, (name) => name)

beforeEach(() => {
  clearDraft()
  edit()
})

test('the same version does not touch the draft', () => {
  changeDraft({ title: '交课程报告' })
  expect(edit()).toBe(false)
  expect(getDraft().title).toBe('交课程报告')
})

test('what was saved elsewhere is taken over, except the parts changed here', () => {
  changeDraft({ title: '交课程报告' })
  expect(edit({ version: 2, title: '交论文', note: '两份', dueLocal: '' })).toBe(true)
  expect(getDraft()).toMatchObject({ title: '交课程报告', note: '两份', day: '', version: 2 })
  // Compared with what was saved last.
  edit({ version: 3, title: '交论文', note: '三份' })
  expect(getDraft()).toMatchObject({ title: '交课程报告', note: '三份', version: 3 })
})

test('the date, its repeat and its reminders stay together', () => {
  changeDraft({ reminders: [10] })
  edit({ version: 2, dueLocal: '', note: '两份' })
  expect(getDraft()).toMatchObject({ day: '2027-03-01', time: '17:00', reminders: [10] })
  expect(getDraft().note).toBe('两份')
})

test('steps reworded here keep their own words, and the ticks set elsewhere', () => {
  changeDraft({
    steps: [
      { text: '收集数据', done: false },
      { text: '写结论和摘要', done: false },
    ],
  })
  const stepList = saved.stepList.map(({ text }) => ({ text, done: true }))
  edit({ version: 2, stepList })
  expect(getDraft().steps).toEqual([
    { text: '收集数据', done: true },
    { text: '写结论和摘要', done: false },
  ])
})

test('two steps with the same words keep their own ticks', () => {
  const stepList = [
    { text: '复习', done: true },
    { text: '复习', done: false },
  ]
  edit({ version: 2, stepList })
  expect(getDraft().steps).toEqual(stepList)
  changeDraft({ steps: [...stepList, { text: '交卷', done: false }] })
  edit({ version: 3, stepList: stepList.toReversed() })
  expect(getDraft().steps.map(({ done }) => done)).toEqual([false, true, false])
})

test('another to-do begins anew', () => {
  changeDraft({ title: '交课程报告' })
  expect(edit({ id: '8' })).toBe(false)
  expect(getDraft()).toMatchObject({ id: '8', title: '交报告' })
})
