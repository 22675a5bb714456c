import { expect, test } from 'vitest'
import { roomInEnglish } from './room-in-english.ts'

const places = [
  { name: '图书馆', nameEn: 'Library', shortName: '' },
  { name: '图书馆东楼', nameEn: 'Library East Wing', shortName: '' },
  { name: '第一教学楼', nameEn: 'Teaching Building 1', shortName: '教一' },
  { name: '校史馆', nameEn: '', shortName: '' },
]

test.each([
  ['图书馆', 'Library'],
  ['图书馆东楼 507', 'Library East Wing, 507'],
  ['教一 101', 'Teaching Building 1, 101'],
  ['第一教学楼 101', 'Teaching Building 1, 101'],
  ['教一 阶梯教室', ''],
  ['校史馆', ''],
  ['线上', ''],
  ['', ''],
])('%s is %s in English', (location, expected) => {
  expect(roomInEnglish(location, places)).toBe(expected)
})
