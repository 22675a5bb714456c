import { expect, test } from 'vitest'
import { refreshTemporaryZone, withGlobalZone, withTemporaryZone } from './time-zone-state.ts'
import { timeZones } from './time-zones.ts'

const shanghai = 'Asia/Shanghai'
const tokyo = 'Asia/Tokyo'

test('both zones default to China Standard Time with its label', () => {
  expect(withGlobalZone()).toEqual({
    globalTimeZone: shanghai,
    globalTimeZoneName: '(UTC+08:00) 中国标准时间',
    tmpTimeZone: shanghai,
    tmpTimeZoneName: '(UTC+08:00) 中国标准时间',
  })
})

test('the temporary zone changes alone, and a refresh resets it to the global zone', () => {
  const looking = withTemporaryZone(withGlobalZone(shanghai), tokyo)
  expect(looking).toMatchObject({ globalTimeZone: shanghai, tmpTimeZone: tokyo })
  expect(refreshTemporaryZone(looking)).toEqual(withGlobalZone(shanghai))
})

test('setting the global zone also sets the temporary one', () => {
  const looking = withTemporaryZone(withGlobalZone(shanghai), 'Europe/London')
  expect(withGlobalZone(tokyo)).toMatchObject({ globalTimeZone: tokyo, tmpTimeZone: tokyo })
  expect(looking.tmpTimeZone).toBe('Europe/London')
})

test('each of the 31 options has its label', () => {
  for (const { value, name } of timeZones) expect(withGlobalZone(value).tmpTimeZoneName).toBe(name)
  expect(timeZones).toHaveLength(31)
})
