import type { Occurrence } from '@atrium/contract/work/schedule'
import { expect, test } from 'vitest'
import { barsOf } from './day-bars.ts'

const days = [
  '2026-11-23',
  '2026-11-24',
  '2026-11-25',
  '2026-11-26',
  '2026-11-27',
  '2026-11-28',
  '2026-11-29',
]
const event = (id: string, firstDay: string, lastDay: string) =>
  ({ id, firstDay, lastDay, startsAt: firstDay, struck: false }) as Occurrence
const bars = (...list: Occurrence[]) =>
  barsOf(days, (day) => list.filter((one) => one.firstDay <= day && day <= one.lastDay)).map(
    ({ event, from, count, line, before, after }) => [event.id, from, count, line, before, after],
  )

test('an event of 43 days is one bar across the week, open at both ends', () => {
  expect(bars(event('art', '2026-11-10', '2026-12-22'))).toEqual([['art', 0, 7, 0, true, true]])
})

test('overlapping events are on separate lines, others share a line', () => {
  expect(
    bars(
      event('a', '2026-11-23', '2026-11-25'),
      event('b', '2026-11-25', '2026-11-25'),
      event('c', '2026-11-26', '2026-12-02'),
    ),
  ).toEqual([
    ['a', 0, 3, 0, false, false],
    ['b', 2, 1, 1, false, false],
    ['c', 3, 4, 0, false, true],
  ])
})

test('a single day shows a longer event as one bar', () => {
  const one = event('a', '2026-11-20', '2026-11-25')
  expect(barsOf(['2026-11-24'], () => [one])).toMatchObject([{ from: 0, count: 1, line: 0 }])
})
