import { expect, test } from 'vitest'
import { timeZones } from './time-zones.ts'

test('the 31 zones from UTC-12:00 to UTC+13:00 have the standard offset of their label in Intl', () => {
  expect(timeZones).toHaveLength(31)
  const offsets = timeZones.map(({ value, name, nameEn }) => {
    const [, sign, hours, minutes] = /^\(UTC([+-])(\d\d):(\d\d)\)/.exec(name) ?? []
    expect(nameEn.slice(0, 11)).toBe(name.slice(0, 11))
    const said = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
    // Of the two half-years, the smaller offset is the standard one.
    expect(Math.min(offsetOf(value, '2026-01-15'), offsetOf(value, '2026-07-15'))).toBe(said)
    return said
  })
  expect(offsets).toEqual([...offsets].sort((a, b) => a - b))
  expect([offsets[0], offsets[30]]).toEqual([-720, 780])
})

function offsetOf(timeZone: string, day: string) {
  const options = { timeZone, dateStyle: 'short', timeStyle: 'short' } as const
  const noon = new Date(`${day}T12:00:00Z`)
  const there = new Intl.DateTimeFormat('sv', options).format(noon).replace(' ', 'T')
  return (Date.parse(`${there}:00Z`) - noon.getTime()) / 60_000
}
