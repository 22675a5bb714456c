import type { Occurrence } from '@atrium/contract/work/schedule'
import { expect, test } from 'vitest'
import { blocksOf, hoursOf } from './time-blocks.ts'

const day = '2026-11-23'
const event = (startsAt: string, endsAt: string, more: Partial<Occurrence> = {}) =>
  ({ startsAt, endsAt, firstDay: day, lastDay: day, allDay: false, ...more }) as Occurrence
const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
const lanes = (...events: Occurrence[]) =>
  blocksOf(events, day, minutes).map(({ start, end, lane, lanes }) => [start, end, lane, lanes])

test('consecutive events have the full width', () => {
  expect(lanes(event('08:00', '09:35'), event('09:35', '11:00'))).toEqual([
    [480, 575, 0, 1],
    [575, 660, 0, 1],
  ])
})

test('overlapping events are side by side, and a free lane is reused', () => {
  expect(lanes(event('08:00', '12:00'), event('08:00', '09:00'), event('09:00', '10:00'))).toEqual([
    [480, 720, 0, 2],
    [480, 540, 1, 2],
    [540, 600, 1, 2],
  ])
})

test('an event that crosses midnight is cut off at the start or end of the day', () => {
  expect(lanes(event('23:00', '00:00'))).toEqual([[1380, 1440, 0, 1]])
  expect(lanes(event('23:00', '02:00', { lastDay: '2026-11-24' }))).toEqual([[1380, 1440, 0, 1]])
  expect(lanes(event('23:00', '02:00', { firstDay: '2026-11-22' }))).toEqual([[0, 120, 0, 1]])
})

test('a short event has a minimum height, and all-day events are left out', () => {
  expect(lanes(event('10:00', '10:05'), event('23:50', '23:55'))).toEqual([
    [600, 640, 0, 1],
    [1400, 1440, 0, 1],
  ])
  expect(lanes(event('00:00', '00:00', { allDay: true }))).toEqual([])
})

test('the hours shown cover the working day and every event outside it', () => {
  expect(hoursOf([])).toEqual({ from: 8, to: 19 })
  expect(hoursOf(blocksOf([event('06:30', '21:10')], day, minutes))).toEqual({ from: 6, to: 22 })
})
