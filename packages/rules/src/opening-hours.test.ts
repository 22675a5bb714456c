import { describe, expect, test } from 'vitest'
import { clockOf, openingState, parseOpeningHours, weekLines } from './opening-hours.ts'

const week = (text: string) => parseOpeningHours(text) ?? []
const at = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))

test.each([
  ['Mo-Fr 08:00-22:00; Sa,Su 09:00-12:00,14:00-21:00', 3],
  ['24/7', 1],
  ['08:00-20:00', 1],
  ['08:00-20:00; We off', 3],
  ['Fr-Mo 10:00-18:00', 3],
])('%s is summarised in at most %i lines', (text, parts) => {
  const merged = new Set(weekLines(week(text)).map(({ spans }) => String(spans)))
  expect(weekLines(week(text)).length).toBeGreaterThanOrEqual(merged.size)
  expect(weekLines(week(text)).length).toBeLessThanOrEqual(parts)
})

test.each([
  '',
  'always',
  'Mo 8-22',
  'Mo 08:00-25:00',
  'Mo 08:60-10:00',
  'Xx 08:00-10:00',
  'Mo-Fr',
  'Mo 08:00-10:00;',
  `${'Mo 08:00-10:00; '.repeat(20)}Tu off`,
])('%j is not parsed as opening hours', (text) => {
  expect(parseOpeningHours(text)).toBeUndefined()
})

describe('opening state', () => {
  const library = week('Mo-Fr 08:00-22:00; Sa,Su 09:00-12:00,14:00-21:00')
  test.each([
    // Wednesday
    [2, '07:59', false, 0, '08:00'],
    [2, '08:00', true, 0, '22:00'],
    [2, '21:59', true, 0, '22:00'],
    [2, '22:00', false, 1, '08:00'],
    // Friday night, Saturday noon, Sunday night
    [4, '23:00', false, 1, '09:00'],
    [5, '12:30', false, 0, '14:00'],
    [6, '21:00', false, 1, '08:00'],
  ])('day %i at %s: open is %s', (day, clock, open, inDays, changes) => {
    expect(openingState(library, day, at(clock))).toEqual({
      open,
      changes: { inDays, minute: at(changes) },
    })
  })

  test('opening hours past midnight belong to the day on which they start', () => {
    const bar = week('Fr,Sa 18:00-02:00')
    expect(openingState(bar, 5, at('01:00'))).toMatchObject({
      open: true,
      changes: { minute: 120 },
    })
    expect(openingState(bar, 6, at('02:00')).open).toBe(false)
    expect(openingState(bar, 4, at('01:00')).open).toBe(false)
  })

  test('has no next change if always open or always closed', () => {
    expect(openingState(week('24/7'), 3, 600)).toEqual({ open: true, changes: undefined })
    expect(openingState(week('off'), 3, 600)).toEqual({ open: false, changes: undefined })
  })

  test('finds the next opening up to a week ahead', () => {
    const market = week('Sa 08:00-12:00')
    expect(openingState(market, 6, 0).changes).toEqual({ inDays: 6, minute: 480 })
    expect(openingState(market, 5, at('12:00')).changes).toEqual({ inDays: 7, minute: 480 })
  })
})

test('clock times have two digits, and the end of a day is 24:00', () => {
  expect([clockOf(485), clockOf(1440), clockOf(1560)]).toEqual(['08:05', '24:00', '02:00'])
})
