import { expect, test } from 'vitest'
import { calendarFile } from './calendar-file.ts'

const plain = { title: 'A', startsAt: '2026-03-01T01:00:00.000Z', endsAt: '2026-03-01T02:30:00Z' }

test('times are written in UTC, all-day events as dates with an exclusive end', () => {
  expect(calendarFile(plain)).toContain('DTSTART:20260301T010000Z\r\nDTEND:20260301T023000Z\r\n')
  const zoned = calendarFile({ ...plain, startsAt: '2026-03-01T09:00:00+08:00' })
  expect(zoned).toContain('DTSTART:20260301T010000Z')
  const days = calendarFile({ title: 'A', startsAt: '2026-12-31', endsAt: '2026-12-31' })
  expect(days).toContain('DTSTART;VALUE=DATE:20261231\r\nDTEND;VALUE=DATE:20270101')
})

test('line breaks in text are escaped, so it cannot add a property', () => {
  const file = calendarFile({
    ...plain,
    title: 'a;b,c\\d\r\nATTACH:http://evil',
    place: 'x\ny',
    note: 'z\u0000\u2028',
  })
  expect(file).toContain('SUMMARY:a\\;b\\,c\\\\d\\nATTACH:http://evil\r\n')
  expect(file).toContain('LOCATION:x\\ny\r\n')
  expect(file).not.toMatch(/^ATTACH/m)
})

test('long lines are folded at 75 bytes, between characters', () => {
  const title = '期末考试🎓'.repeat(30)
  const file = calendarFile({ ...plain, title })
  for (const line of file.split('\r\n'))
    expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75)
  expect(file.replace(/\r\n /g, '')).toContain(`SUMMARY:${title}\r\n`)
})
