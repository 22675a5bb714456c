import type { Occurrence } from '@atrium/contract/work/schedule'
import { expect, test } from 'vitest'
import { findPreviousEvent, minutesOnFoot, walkTo } from './walk.ts'

const place = (name: string, latitude: number, longitude: number) => ({
  name,
  nameEn: '',
  shortName: '',
  latitude,
  longitude,
})
const library = place('图书馆', 29.4312, 120.2846)
const east = place('图书馆东楼', 29.4313, 120.2856)
const informatics = place('信息楼', 29.4325, 120.2873)
const faraway = place('江北楼', 29.4655, 120.2571)
const places = [library, east, informatics, faraway]
const event = (location: string, startsAt: string, endsAt: string, more: object = {}) =>
  ({
    location,
    startsAt: `2027-03-01T${startsAt}:00.000Z`,
    endsAt: `2027-03-01T${endsAt}:00.000Z`,
    struck: false,
    allDay: false,
    ...more,
  }) as Occurrence

test('a walk takes one minute per 75 metres of path', () => {
  expect(minutesOnFoot(library, library)).toBe(0)
  // 145 m north and 262 m east make 300 m, or 390 m on paths.
  expect(minutesOnFoot(library, informatics)).toBe(6)
})

test('a walk starts at the event that ended last, unless long ago, cancelled, in the same place or far away', () => {
  const next = event('信息楼 A205', '06:00', '07:00')
  const list = [
    event('图书馆', '03:00', '04:00'),
    event('图书馆东楼', '04:00', '05:00'),
    event('江北楼', '05:00', '05:30', { struck: true }),
    next,
  ]
  expect(findPreviousEvent(next, list)?.location).toBe('图书馆东楼')
  expect(walkTo(next, list, places)).toEqual({ from: east, minutes: 4 })
  expect(findPreviousEvent(next, [event('图书馆', '00:00', '02:00')])).toBeUndefined()
  expect(walkTo(next, [event('信息楼 B1', '04:00', '05:00')], places)).toBeUndefined()
  expect(walkTo(next, [event('江北楼', '04:00', '05:00')], places)).toBeUndefined()
  expect(walkTo(next, list, [])).toBeUndefined()
})
