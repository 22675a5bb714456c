import { expect, test } from 'vitest'
import { readFixedClock } from './fixed-zones.ts'

const hour = 3_600_000

test.each([
  'UTC',
  'Asia/Shanghai',
  'Asia/Urumqi',
  'Asia/Hong_Kong',
  'Asia/Macau',
  'Asia/Taipei',
  'Asia/Singapore',
  'Asia/Tokyo',
])('%s has the same local times as in Intl', (zone) => {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  })
  for (let at = Date.UTC(1992, 0, 1); at < Date.UTC(2040, 0, 1); at += 97 * hour + 1234)
    expect(readFixedClock(zone, at)?.toISOString().slice(0, 19).replace('T', ' ')).toBe(
      format.format(at),
    )
})

test('returns undefined for other zones, early times and invalid times', () => {
  expect(readFixedClock('Europe/Berlin', 0)).toBeUndefined()
  expect(readFixedClock('Asia/Shanghai', Date.UTC(1988, 6, 1))).toBeUndefined()
  expect(readFixedClock('Asia/Shanghai', Number.NaN)).toBeUndefined()
  expect(readFixedClock('toString', Date.now())).toBeUndefined()
})
