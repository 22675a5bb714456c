import { expect, test } from 'vitest'
import { placeOf } from './find-place-of-room.ts'

const library = { name: '图书馆', nameEn: 'Library' }
const east = { name: '图书馆东楼', nameEn: '' }
const places = [library, east]

test('a room is in the place with the longest name that the room starts with', () => {
  expect(placeOf('图书馆东楼 502', places)).toBe(east)
  expect(placeOf('图书馆 1', places)).toBe(library)
  expect(placeOf('教一 101', places)).toBeUndefined()
  expect(placeOf('', places)).toBeUndefined()
  expect(placeOf('library 2', places)).toBe(library)
})
