import { expect, test } from 'vitest'
import { timeAgo } from './relative-time.ts'

const zone = 'Asia/Shanghai'
const now = new Date('2026-11-23T10:00:00+08:00')

test.each([
  ['2026-11-23T09:55:01+08:00', { unit: 'now' }],
  ['2026-11-23T09:55:00+08:00', { unit: 'minutes', count: 5 }],
  ['2026-11-23T09:00:01+08:00', { unit: 'minutes', count: 59 }],
  ['2026-11-23T09:00:00+08:00', { unit: 'hours', count: 1 }],
  ['2026-11-22T10:00:01+08:00', { unit: 'hours', count: 23 }],
  ['2026-11-22T10:00:00+08:00', { unit: 'days', count: 1 }],
  ['2026-10-24T10:00:01+08:00', { unit: 'days', count: 29 }],
  ['2026-10-24T10:00:00+08:00', { unit: 'months', count: 1 }],
  ['2025-11-24T10:00:00+08:00', { unit: 'months', count: 12 }],
  ['2025-11-23T10:00:00+08:00', { unit: 'years', count: 1 }],
  ['2023-01-01T10:00:00+08:00', { unit: 'years', count: 3 }],
  ['2026-11-23T10:04:00+08:00', { unit: 'now' }],
  ['2026-11-23T11:00:00+08:00', { unit: 'date' }],
])('the age of an article of %s is %j', (then, ago) => {
  expect(timeAgo('news', new Date(then), now, zone)).toEqual(ago)
})

test.each([
  ['2026-11-23T09:59:01+08:00', { unit: 'now' }],
  ['2026-11-23T09:59:00+08:00', { unit: 'minutes', count: 1 }],
  ['2026-11-23T09:00:00+08:00', { unit: 'hours', count: 1 }],
  ['2026-11-23T00:00:00+08:00', { unit: 'hours', count: 10 }],
  ['2026-11-22T23:59:00+08:00', { unit: 'yesterday' }],
  ['2026-11-22T00:00:00+08:00', { unit: 'yesterday' }],
  ['2026-11-21T23:59:00+08:00', { unit: 'dayBefore' }],
  ['2026-11-20T23:59:00+08:00', { unit: 'date' }],
  ['2026-11-23T11:00:00+08:00', { unit: 'date' }],
])('the age of a message of %s is %j', (then, ago) => {
  expect(timeAgo('messages', new Date(then), now, zone)).toEqual(ago)
})

test('five minutes ago is shown in minutes even across midnight', () => {
  const midnight = new Date('2026-11-23T00:03:00+08:00')
  expect(timeAgo('tasks', new Date('2026-11-22T23:58:00+08:00'), midnight, zone)).toEqual({
    unit: 'minutes',
    count: 5,
  })
})

test('yesterday depends on the reader’s time zone', () => {
  const then = new Date('2026-11-22T23:30:00+08:00')
  expect(timeAgo('messages', then, now, 'America/New_York')).toEqual({ unit: 'hours', count: 10 })
})
