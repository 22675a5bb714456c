import { expect, test } from 'vitest'
import { mapTask } from './connector-mapping.ts'
import { readConnectorFile } from './connector-rules.ts'
import { expandPointers, valueAt } from './pointer.ts'

// The examples of RFC 6901, section 5.
const document = {
  foo: ['bar', 'baz'],
  '': 0,
  'a/b': 1,
  'c%d': 2,
  'e^f': 3,
  'g|h': 4,
  'i\\j': 5,
  'k"l': 6,
  ' ': 7,
  'm~n': 8,
}
test.each([
  ['', document],
  ['/foo', ['bar', 'baz']],
  ['/foo/0', 'bar'],
  ['/', 0],
  ['/a~1b', 1],
  ['/c%d', 2],
  ['/e^f', 3],
  ['/g|h', 4],
  ['/i\\j', 5],
  ['/k"l', 6],
  ['/ ', 7],
  ['/m~0n', 8],
  ['/m~01n', undefined],
  ['/foo/2', undefined],
  ['/foo/-', undefined],
  ['/foo/00', undefined],
  ['/foo/length', undefined],
  ['/foo/0/0', undefined],
  ['/constructor', undefined],
  ['/__proto__/toString', undefined],
])('the pointer %s resolves to %j', (pointer, value) => {
  expect(valueAt(document, pointer)).toEqual(value)
})

test('expandPointers does not expand inserted values and keeps braces without a pointer', () => {
  expect(expandPointers('{/a} {b} {"/a"} {/b}', { a: '{/b}', b: '$&' })).toBe('{/b} {b} {"/a"} $&')
})

const described = readConnectorFile({
  list: { address: 'https://oa.example.edu/api/list' },
  task: {
    key: '/id',
    title: '/id',
    version: '/version',
    dueAt: '/due',
    createdAt: '/made',
    url: '/link',
    assignees: { username: '/who' },
  },
})
const map = (item: object) => {
  if (!('connector' in described)) throw new Error(JSON.stringify(described.issues))
  return mapTask(
    described.connector,
    { id: '1', ...item },
    { place: '', timeZone: 'Asia/Shanghai' },
  )
}

test.each([
  ['2026-12-01T10:00:00Z', '2026-12-01T10:00:00.000Z'],
  ['2026-12-01T10:00:00+08:00', '2026-12-01T02:00:00.000Z'],
  ['2026-12-01T10:00:00.000+0800', '2026-12-01T02:00:00.000Z'],
  ['2026-12-01 10:00', '2026-12-01T02:00:00.000Z'],
  ['2026/12/01 10:00:30', '2026-12-01T02:00:30.000Z'],
  [' 2026-12-01 ', '2026-12-01T15:59:59.000Z'],
  [1796090400, '2026-12-01T02:00:00.000Z'],
  ['1796090400000', '2026-12-01T02:00:00.000Z'],
  ['2026-02-30', undefined],
  ['tomorrow', undefined],
  ['99999-01-01', undefined],
  [1e300, undefined],
])('the due time %s is read as %s', (due, at) => {
  const { task, problems } = map({ due })
  expect(task?.dueAt).toBe(at)
  expect(problems.map(({ field }) => field)).toEqual(at ? [] : ['/task/dueAt'])
})

test.each([
  ['https://other.example.edu/1', 'https://other.example.edu/1'],
  ['/view/1', 'https://oa.example.edu/view/1'],
  ['view/1', 'https://oa.example.edu/api/view/1'],
  ['http://oa.example.edu/1', ''],
  ['//user@oa.example.edu/', ''],
  ['javascript:alert(1)', ''],
  [`/${'x'.repeat(2000)}`, ''],
])('the link %s is resolved to %s', (link, url) => {
  expect(map({ link }).task?.url).toBe(url)
})

test.each([
  ['7', 7],
  [7.5, undefined],
  [-1, undefined],
  ['1e3', undefined],
  ['99999999999999999999', undefined],
  ['2026-12-01T00:00:00Z', 1796083200000],
])('the version %s is read as %s', (version, is) => {
  expect(map({ version }).task?.version).toBe(is)
})
