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

test('parses the declared fields and ignores others', () => {
  const raw = splitSearch('?id=7&noLogin=1&isactive=todo&other=x')
  expect(parseFields(fields, raw)).toEqual({
    id: '7',
    columnId: undefined,
    isactive: 'todo',
    noLogin: true,
  })
})

test('a missing field throws only if it is required', () => {
  expect(() => parseFields(fields, {})).toThrow(AddressError)
  expect(() => parseFields(fields, { id: '' })).toThrow(AddressError)
  expect(parseFields({ columnId: optional(text) }, {})).toEqual({ columnId: undefined })
})

test('an unknown value is parsed as missing', () => {
  expect(oneOf('todo', 'message')('elsewhere')).toBeUndefined()
  expect(flag('0')).toBe(false)
})

test('joinSearch omits empty fields, writes true as 1, and its result can be parsed again', () => {
  expect(joinSearch({})).toBe('')
  expect(joinSearch({ id: '7', columnId: undefined, isHideTabbar: true, noLogin: false })).toBe(
    '?id=7&isHideTabbar=1',
  )
  expect(splitSearch(joinSearch({ url: 'https://a.example/?b=1&c=你好' }))).toEqual({
    url: 'https://a.example/?b=1&c=你好',
  })
})
