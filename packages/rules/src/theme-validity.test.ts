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
  test(`a span that includes is ${included ? 'valid' : 'not valid'}`, () => {
    expect(themeValidAt([custom('include')], at(now), zone)).toBe(included)
  })
  test(`a span that excludes is ${excluded ? 'valid' : 'not valid'}`, () => {
    expect(themeValidAt([custom('exclude')], at(now), zone)).toBe(excluded)
  })
})

test.each<[string, ThemeValidity[], boolean]>([
  ['no entry', [], false],
  ['a permanent one', [{ validTimeType: 'permanent' }], true],
  ['one of several', [custom('include'), { validTimeType: 'permanent' }], true],
  ['two spans, now outside both', [custom('include'), custom('include')], false],
  ['a span and its opposite', [custom('include'), custom('exclude')], true],
  ['a span without times', [{ validTimeType: 'custom', customValidTimeType: 'include' }], false],
  [
    'an unreadable time',
    [{ ...custom('exclude'), customValidEndTime: 'after the holidays' }],
    false,
  ],
  [
    'a span of no known type',
    [{ ...custom('include'), customValidTimeType: 'maybe' as 'include' }],
    false,
  ],
  ['an entry of no known type', [{ validTimeType: '' as 'custom' }], false],
])('with %s', (_, entries, valid) => {
  expect(themeValidAt(entries, at('2026-11-23T10:00:00'), zone)).toBe(valid)
})

test('a time with an offset means the same moment everywhere', () => {
  const entry = {
    ...custom('include'),
    customValidStartTime: '2026-02-15T16:00:00Z',
    customValidEndTime: '2026-02-22T16:00:00Z',
  }
  const now = at('2026-02-16T00:00:01')
  expect(themeValidAt([entry], now, 'America/New_York')).toBe(true)
  expect(themeValidAt([custom('include')], now, 'America/New_York')).toBe(false)
})

test('a moment is never inside and outside the same span', () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), (now) => {
      const inside = themeValidAt([custom('include')], now, zone)
      const outside = themeValidAt([custom('exclude')], now, zone)
      expect(inside && outside).toBe(false)
    }),
  )
})
