import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayIn } from './day-in.ts'
import { parseZonedTime } from './parse-zoned-time.ts'
import { timeZones } from './time-zones.ts'

const shanghai = 'Asia/Shanghai'

test.each([
  ['2026-02-16', shanghai, '2026-02-15T16:00:00.000Z'],
  ['2026-02-16 08:30', shanghai, '2026-02-16T00:30:00.000Z'],
  ['2026-02-16 08:30:15', shanghai, '2026-02-16T00:30:15.000Z'],
  ['2026-02-16T08:30:15.25', shanghai, '2026-02-16T00:30:15.250Z'],
  ['2026-02-16T08:30:00Z', shanghai, '2026-02-16T08:30:00.000Z'],
  ['2026-02-16 08:30:00+08:00', 'Europe/Berlin', '2026-02-16T00:30:00.000Z'],
  ['2026-02-16T08:30:00-0530', shanghai, '2026-02-16T14:00:00.000Z'],
  ['2026-07-01 00:00', 'Europe/Berlin', '2026-06-30T22:00:00.000Z'],
  // the two days on which Berlin's clocks change
  ['2026-03-29 01:59', 'Europe/Berlin', '2026-03-29T00:59:00.000Z'],
  ['2026-03-29 03:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
  ['2026-10-25 03:00', 'Europe/Berlin', '2026-10-25T02:00:00.000Z'],
])('%s in %s is %s', (text, zone, moment) => {
  expect(new Date(parseZonedTime(text, zone)).toISOString()).toBe(moment)
})

test.each([
  '',
  'tomorrow',
  '2026-2-1',
  '2026-02-30',
  '2026-13-01',
  '2026-02-16 25:00',
  '2026-02-16 24:00',
  '16/02/2026',
  '2026-02-16 +8',
  '2026-02-16 08:30 Europe/Berlin',
])('%j is not a valid time', (text) => {
  expect(parseZonedTime(text, shanghai)).toBeNaN()
})

test('noon of a day is on that day in every available time zone', () => {
  const days = fc.date({
    min: new Date('1990-01-01'),
    max: new Date('2090-01-01'),
    noInvalidDate: true,
  })
  const zones = fc.constantFrom(...timeZones.map(({ value }) => value))
  fc.assert(
    fc.property(days, zones, (date, zone) => {
      const noon = `${date.toISOString().slice(0, 10)} 12:00`
      expect(dayIn(parseZonedTime(noon, zone), zone)).toBe(noon.slice(0, 10))
    }),
  )
})
