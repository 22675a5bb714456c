import { expect, test } from 'vitest'
import { refreshTemporaryZone, withGlobalZone, withTemporaryZone } from './time-zone-state.ts'
import { timeZones } from './time-zones.ts'

const shanghai = 'Asia/Shanghai'
const tokyo = 'Asia/Tokyo'

test('at first both are China standard time, by its label', () => {
  expect(withGlobalZone()).toEqual({
    globalTimeZone: shanghai,
    globalTimeZoneName: '(UTC+08:00) 中国标准时间',
    tmpTimeZone: shanghai,
    tmpTimeZoneName: '(UTC+08:00) 中国标准时间',
  })
})

test('the temporary zone changes alone, and is refreshed from the global one', () => {
  const looking = withTemporaryZone(withGlobalZone(shanghai), tokyo)
  expect(looking).toMatchObject({ globalTimeZone: shanghai, tmpTimeZone: tokyo })
  expect(refreshTemporaryZone(looking)).toEqual(withGlobalZone(shanghai))
})

test('a change of the global zone resets the temporary one', () => {
  const looking = withTemporaryZone(withGlobalZone(shanghai), 'Europe/London')
  expect(withGlobalZone(tokyo)).toMatchObject({ globalTimeZone: tokyo, tmpTimeZone: tokyo })
  expect(looking.tmpTimeZone).toBe('Europe/London')
})

test('every one of the 31 options has its label', () => {
  for (const { value, name } of timeZones) expect(withGlobalZone(value).tmpTimeZoneName).toBe(name)
  expect(timeZones).toHaveLength(31)
})
