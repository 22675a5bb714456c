import { expect, test } from 'vitest'
import { levelsOf } from './levels.ts'

const all = ['myTodo', 'myDone', 'myRequest', 'myReaded', 'myDraft']

test.each([
  [undefined, all],
  ['', all],
  ['[]', all],
  ['not json', all],
  ['{"level":"myTodo"}', all],
  ['["nothing"]', all],
  ['["myDone","myTodo"]', ['myDone', 'myTodo']],
  ['["myTodo","myTodo",null]', ['myTodo']],
  ['[{"level":"myDraft"},{"code":"myTodo"},{"value":"myDone"}]', ['myDraft', 'myTodo', 'myDone']],
])('%s', (setting, levels) => {
  expect(levelsOf(setting)).toEqual(levels)
})
