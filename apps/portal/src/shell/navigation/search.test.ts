import { expect, test } from 'vitest'
import {
  AddressError,
  flag,
  joinSearch,
  oneOf,
  optional,
  parseFields,
  splitSearch,
  text,
} from './search.ts'

const fields = {
  id: text,
  columnId: optional(text),
  isactive: optional(oneOf('todo', 'message')),
  noLogin: flag,
}

test('reads what the map names and nothing else', () => {
  const raw = splitSearch('?id=7&noLogin=1&isactive=todo&other=x')
  expect(parseFields(fields, raw)).toEqual({
    id: '7',
    columnId: undefined,
    isactive: 'todo',
    noLogin: true,
  })
})

test('a missing field is an error only where the page cannot do without it', () => {
  expect(() => parseFields(fields, {})).toThrow(AddressError)
  expect(() => parseFields(fields, { id: '' })).toThrow(AddressError)
  expect(parseFields({ columnId: optional(text) }, {})).toEqual({ columnId: undefined })
})

test('a value nobody knows is as good as none', () => {
  expect(oneOf('todo', 'message')('elsewhere')).toBeUndefined()
  expect(flag('0')).toBe(false)
})

test('addresses are written as the specification writes them', () => {
  expect(joinSearch({})).toBe('')
  expect(joinSearch({ id: '7', columnId: undefined, isHideTabbar: true, noLogin: false })).toBe(
    '?id=7&isHideTabbar=1',
  )
  expect(splitSearch(joinSearch({ url: 'https://a.example/?b=1&c=你好' }))).toEqual({
    url: 'https://a.example/?b=1&c=你好',
  })
})
