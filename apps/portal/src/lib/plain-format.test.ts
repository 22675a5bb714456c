import { expect, test } from 'vitest'
import { plainDay, plainNumber, plainShortNumber, plainWeekday } from './plain-format.ts'

const langs = ['zh-CN', 'en'] as const

test('days and weekdays are formatted as by Intl', () => {
  for (const lang of langs)
    for (let at = Date.UTC(2024, 0, 1, 12); at < Date.UTC(2026, 2, 1); at += 86_400_000) {
      const read = new Date(at)
      const by = (options: Intl.DateTimeFormatOptions) =>
        new Intl.DateTimeFormat(lang, { timeZone: 'UTC', ...options }).format(read)
      const parts = { month: 'short', day: 'numeric' } as const
      expect(plainDay(lang, read, false)).toBe(by(parts))
      expect(plainDay(lang, read, true)).toBe(by({ ...parts, year: 'numeric' }))
      expect(plainWeekday(lang, read)).toBe(by({ weekday: 'short' }))
    }
})

test('counts are formatted as by Intl, or not at all', () => {
  const counts = [0, 7, 999, 1000, 1049, 1050, 1250, 9949, 9999, 10_000, 10_500, 12_345, 99_949]
  counts.push(99_950, 314_159, 999_949, 999_950, 2_718_281, 9_999_499, 31_415_926, 3_000_000_000)
  for (const lang of langs)
    for (const count of [...counts, 1.5, -3]) {
      const short = { notation: 'compact', maximumFractionDigits: 1 } as const
      const formatted = plainShortNumber(lang, count)
      if (formatted !== undefined)
        expect(formatted).toBe(new Intl.NumberFormat(lang, short).format(count))
      const plain = plainNumber(count)
      if (plain !== undefined) expect(plain).toBe(new Intl.NumberFormat(lang).format(count))
    }
  expect(plainShortNumber('en', 1250)).toBe('1.3K')
  expect(plainShortNumber('zh-CN', 31_415_926)).toBeUndefined()
})
