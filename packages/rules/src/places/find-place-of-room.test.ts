import { expect, test } from 'vitest'
import { findPlaceOfRoom } from './find-place-of-room.ts'

const library = { name: '图书馆', nameEn: 'Library', shortName: '' }
const east = { name: '图书馆东楼', nameEn: '', shortName: '' }
const first = { name: '第一教学楼', nameEn: 'Teaching Building 1', shortName: '教一' }
const places = [library, east, first]

test('a room is in the place with the longest name that the room starts with', () => {
  expect(findPlaceOfRoom('图书馆东楼 502', places)).toBe(east)
  expect(findPlaceOfRoom('图书馆 1', places)).toBe(library)
  expect(findPlaceOfRoom('教一 101', places)).toBe(first)
  expect(findPlaceOfRoom('教二 101', places)).toBeUndefined()
  expect(findPlaceOfRoom('教一 101', [{ name: '第一教学楼', nameEn: '' }])).toBeUndefined()
  expect(findPlaceOfRoom('', places)).toBeUndefined()
  expect(findPlaceOfRoom('library 2', places)).toBe(library)
})
