import type { Occurrence } from '@atrium/contract/work/schedule'
import { describe, expect, test } from 'vitest'
import { countdown, nextOf, timeOfDay, upcoming } from './today.ts'

const at = (clock: string, day = '2026-11-23') => Date.parse(`${day}T${clock}:00+08:00`)
const event = (startsAt: string, endsAt: string, allDay = false) =>
  ({
    title: startsAt,
    startsAt: new Date(at(startsAt)).toISOString(),
    endsAt: new Date(at(endsAt)).toISOString(),
    allDay,
  }) as Occurrence

describe('events of today', () => {
  const list = [event('00:00', '23:59', true), event('10:00', '11:35'), event('08:00', '09:35')]
  const titles = (clock: string) => upcoming(list, at(clock)).map(({ title }) => title)

  test('omit those that are over and list all-day ones last', () => {
    expect(titles('07:00')).toEqual(['08:00', '10:00', '00:00'])
    expect(titles('09:35')).toEqual(['10:00', '00:00'])
    expect(titles('20:00')).toEqual(['00:00'])
  })

  test('the next one is the first that has not started', () => {
    const next = (clock: string) => nextOf(upcoming(list, at(clock)), at(clock))?.title
    expect(next('07:00')).toBe('08:00')
    expect(next('08:00')).toBe('10:00')
    expect(next('20:00')).toBeUndefined()
  })

  test.each([
    ['07:35', { is: 'minutes', minutes: 25 }],
    ['07:59', { is: 'minutes', minutes: 1 }],
    ['08:00', { is: 'on' }],
    ['06:25', { is: 'hours', hours: 1, minutes: 35 }],
    ['07:00', { is: 'hours', hours: 1, minutes: 0 }],
  ])('countdown at %s', (clock, expected) => {
    expect(countdown(event('08:00', '09:35'), at(clock))).toEqual(expected)
  })
})

test('timeOfDay maps each hour to a time of day', () => {
  expect([0, 5, 11, 14, 18, 23].map(timeOfDay)).toEqual([
    'night',
    'morning',
    'noon',
    'afternoon',
    'evening',
    'night',
  ])
})
