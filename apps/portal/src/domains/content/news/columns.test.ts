import { expect, test } from 'vitest'
import { arranged, topColumns, withDescendants } from './columns.ts'

const column = (id: string, parentId: string | null) => ({
  id,
  parentId,
  columnCode: id,
  name: id,
  nameEn: '',
})
const columns = [column('1', null), column('2', '1'), column('3', '2'), column('4', 'hidden')]

test('a column with a hidden parent is listed at the top level', () => {
  expect(topColumns(columns).map(({ id }) => id)).toEqual(['1', '4'])
})

test('a column is returned with all its descendants', () => {
  expect(withDescendants(columns[0] as never, columns).map(({ id }) => id)).toEqual(['1', '2', '3'])
})

test('columns are arranged as chosen, and those left out follow unchanged', () => {
  const own = columns.map((one) => ({ ...one, subscribed: true }))
  const chosen = [
    { id: '4', subscribed: false },
    { id: '2', subscribed: true },
    { id: 'deleted meanwhile', subscribed: true },
  ]
  expect(arranged(own, chosen).map(({ id, subscribed }) => `${id} ${subscribed}`)).toEqual([
    '4 false',
    '2 true',
    '1 true',
    '3 true',
  ])
})
