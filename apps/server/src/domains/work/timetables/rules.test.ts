import { expect, test } from 'vitest'
import {
  readDay,
  readMonthDay,
  readPeriods,
  readTime,
  readWeekday,
  readWeeks,
  weeksOf,
} from './rules.ts'

const weeks = (cell: string, term = 16) => weeksOf(readWeeks(cell), term)
const span = (first: number, last: number, step = 1) =>
  Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, at) => first + at * step)

test.each([
  ['1-16', span(1, 16)],
  ['1-16周', span(1, 16)],
  ['第1—16周', span(1, 16)],
  ['{1~16}', span(1, 16)],
  ['odd', span(1, 15, 2)],
  ['双周', span(2, 16, 2)],
  ['1-16(单)', span(1, 15, 2)],
  ['1-16周（双）', span(2, 16, 2)],
  ['1-16 (even)', span(2, 16, 2)],
  ['3,5,7-9周', [3, 5, 7, 8, 9]],
  ['3，5、7-9', [3, 5, 7, 8, 9]],
  ['1-4(单),6-9', [1, 3, 6, 7, 8, 9]],
  ['1-4,7-10单周', [1, 3, 7, 9]],
  ['5', [5]],
  ['9,9,8-9', [8, 9]],
  ['全部', span(1, 16)],
  ['1;2;3', [1, 2, 3]],
])('reads the weeks %s', (cell, expected) => {
  expect(weeks(cell)).toEqual(expected)
})

test.each([
  ['16-1', 'week 16 comes after week 1'],
  ['0-3', 'the first week is 1'],
  ['1-17', 'contains week 17, but the term has 16 weeks'],
  ['第周', 'must be weeks such as'],
  ['one', 'must be weeks such as'],
  ['1-', 'must be weeks such as'],
  ['-5', 'must be weeks such as'],
  ['4(单)', 'contains no week'],
  ['1-2-3', 'must be weeks such as'],
  ['1e5', 'must be weeks such as'],
  ['999-1000', 'must be weeks such as'],
])('rejects the weeks %s', (cell, sentence) => {
  expect(() => weeks(cell)).toThrow(sentence)
})

test('reads weekdays, periods, times and dates in common notations', () => {
  expect(['1', '周三', '星期日', '天', 'Friday', 'SUN', '礼拜六'].map(readWeekday)).toEqual([
    1, 3, 7, 7, 5, 7, 6,
  ])
  expect(
    ['1-2', '3', '第5-6节', '1,2', '0304', '010203', '7、8', '11-12节'].map(readPeriods),
  ).toEqual([
    [1, 2],
    [3, 3],
    [5, 6],
    [1, 2],
    [3, 4],
    [1, 3],
    [7, 8],
    [11, 12],
  ])
  for (const bad of ['', '0', '2-1', '1,2,5', 'a', '1-2-', '123'])
    expect(() => readPeriods(bad)).toThrow('is “')
  expect(['8:00', '13：30', '08:00:00'].map(readTime)).toEqual(['08:00', '13:30', '08:00'])
  for (const bad of ['24:00', '8', '8:60', 'noon']) expect(() => readTime(bad)).toThrow('08:00')
  expect(['2026-9-7', '2026/09/07', '2026年9月7日'].map(readDay)).toEqual(
    Array.from({ length: 3 }, () => '2026-09-07'),
  )
  for (const bad of ['2026-02-30', '2026-13-01', '7 Sept', '20260907'])
    expect(() => readDay(bad)).toThrow('2026-09-07')
  expect(['5-1', '09月30日', '02-29'].map(readMonthDay)).toEqual(['05-01', '09-30', '02-29'])
  expect(() => readMonthDay('13-01')).toThrow('must be a day')
  expect(() => readWeekday('8')).toThrow('1 to 7')
})
