import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ThemeValidity, themeValidAt } from './theme-validity.ts'

const zone = 'Asia/Shanghai'
const start = '2026-02-16 00:00:00'
const end = '2026-02-23 00:00:00'
const custom = (customValidTimeType: 'include' | 'exclude'): ThemeValidity => ({
  validTimeType: 'custom',
  customValidTimeType,
  customValidStartTime: start,
  customValidEndTime: end,
})
const at = (text: string) => new Date(`${text}+08:00`)

describe.each([
  ['2026-02-15T23:59:59.999', false, true],
  // exclusive: the boundaries belong to neither side
  ['2026-02-16T00:00:00.000', false, false],
  ['2026-02-16T00:00:00.001', true, false],
  ['2026-02-19T12:00:00.000', true, false],
  ['2026-02-22T23:59:59.999', true, false],
  ['2026-02-23T00:00:00.000', false, false],
  ['2026-02-23T00:00:00.001', false, true],
])('at %s', (now, included, excluded) => {
  test(`an include range is ${included ? 'valid' : 'not valid'}`, () => {
    expect(themeValidAt([custom('include')], at(now), zone)).toBe(included)
  })
  test(`an exclude range is ${excluded ? 'valid' : 'not valid'}`, () => {
    expect(themeValidAt([custom('exclude')], at(now), zone)).toBe(excluded)
  })
})

test.each<[string, ThemeValidity[], boolean]>([
  ['is not valid without entries', [], false],
  ['is valid with a permanent entry', [{ validTimeType: 'permanent' }], true],
  [
    'is valid if one of several entries is valid',
    [custom('include'), { validTimeType: 'permanent' }],
    true,
  ],
  ['is not valid outside two include ranges', [custom('include'), custom('include')], false],
  [
    'is valid outside an include and an exclude range',
    [custom('include'), custom('exclude')],
    true,
  ],
  [
    'is not valid with a range without times',
    [{ validTimeType: 'custom', customValidTimeType: 'include' }],
    false,
  ],
  [
    'is not valid with an unreadable time',
    [{ ...custom('exclude'), customValidEndTime: 'after the holidays' }],
    false,
  ],
  [
    'is not valid with an unknown range type',
    [{ ...custom('include'), customValidTimeType: 'maybe' as 'include' }],
    false,
  ],
  ['is not valid with an unknown entry type', [{ validTimeType: '' as 'custom' }], false],
])('%s', (_, entries, valid) => {
  expect(themeValidAt(entries, at('2026-11-23T10:00:00'), zone)).toBe(valid)
})

test('a time with an offset does not depend on the time zone', () => {
  const entry = {
    ...custom('include'),
    customValidStartTime: '2026-02-15T16:00:00Z',
    customValidEndTime: '2026-02-22T16:00:00Z',
  }
  const now = at('2026-02-16T00:00:01')
  expect(themeValidAt([entry], now, 'America/New_York')).toBe(true)
  expect(themeValidAt([custom('include')], now, 'America/New_York')).toBe(false)
})

test('no moment is both included and excluded by the same range', () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), (now) => {
      const inside = themeValidAt([custom('include')], now, zone)
      const outside = themeValidAt([custom('exclude')], now, zone)
      expect(inside && outside).toBe(false)
    }),
  )
})
