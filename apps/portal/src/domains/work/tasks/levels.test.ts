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
])('setting %s returns levels %j', (setting, levels) => {
  expect(levelsOf(setting).map(({ level }) => level)).toEqual(levels)
})

const statuses = ['all', 'progress', 'finish', 'break', 'hang']
test.each([
  ['["myRequest"]', statuses, 'all'],
  ['[{"level":"myRequest","initial":"hang"}]', statuses, 'hang'],
  ['[{"level":"myRequest","initial":"nothing"}]', statuses, 'all'],
  ['[{"level":"myRequest","initial":7}]', statuses, 'all'],
  ['[{"level":"myRequest","initialLevel":"finish"}]', statuses, 'finish'],
  [
    '[{"level":"myRequest","initialLevels":["break","progress","break","x"]}]',
    ['break', 'progress'],
    'break',
  ],
  ['[{"level":"myRequest","initial":[]}]', statuses, 'all'],
  ['["myReaded"]', ['toMe', 'Meto'], 'toMe'],
  ['[{"level":"myReaded","initial":"Meto"}]', ['toMe', 'Meto'], 'Meto'],
  ['[{"level":"myReaded","circulateLevels":["Meto"]}]', ['Meto'], 'Meto'],
  ['[{"level":"myTodo","initial":"hang"}]', [], undefined],
])('setting %s returns parts %j, starting with %s', (setting, parts, initial) => {
  expect(levelsOf(setting)[0]).toMatchObject({ parts, initial })
})
