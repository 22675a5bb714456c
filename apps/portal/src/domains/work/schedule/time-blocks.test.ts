import type { Occurrence } from '@atrium/contract/work/schedule'
import { expect, test } from 'vitest'
import { blocksOf, hoursOf } from './time-blocks.ts'

const day = '2026-11-23'
const event = (startsAt: string, endsAt: string, more: Partial<Occurrence> = {}) =>
  ({ startsAt, endsAt, firstDay: day, lastDay: day, allDay: false, ...more }) as Occurrence
const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
const lanes = (...events: Occurrence[]) =>
  blocksOf(events, day, minutes).map(({ start, end, lane, lanes }) => [start, end, lane, lanes])

test('events one after the other have the whole width', () => {
  expect(lanes(event('08:00', '09:35'), event('09:35', '11:00'))).toEqual([
    [480, 575, 0, 1],
    [575, 660, 0, 1],
  ])
})

test('events at the same time stand side by side, and a lane is used again', () => {
  expect(lanes(event('08:00', '12:00'), event('08:00', '09:00'), event('09:00', '10:00'))).toEqual([
    [480, 720, 0, 2],
    [480, 540, 1, 2],
    [540, 600, 1, 2],
  ])
})

test('midnight ends a day, and a night goes on over it', () => {
  expect(lanes(event('23:00', '00:00'))).toEqual([[1380, 1440, 0, 1]])
  expect(lanes(event('23:00', '02:00', { lastDay: '2026-11-24' }))).toEqual([[1380, 1440, 0, 1]])
  expect(lanes(event('23:00', '02:00', { firstDay: '2026-11-22' }))).toEqual([[0, 120, 0, 1]])
})

test('a short event keeps its height, and all-day ones stand elsewhere', () => {
  expect(lanes(event('10:00', '10:05'), event('23:50', '23:55'))).toEqual([
    [600, 640, 0, 1],
    [1400, 1440, 0, 1],
  ])
  expect(lanes(event('00:00', '00:00', { allDay: true }))).toEqual([])
})

test('the table shows the working day and whatever lies outside it', () => {
  expect(hoursOf([])).toEqual({ from: 8, to: 19 })
  expect(hoursOf(blocksOf([event('06:30', '21:10')], day, minutes))).toEqual({ from: 6, to: 22 })
})
