import { describe, expect, test } from 'vitest'
import { cursorFrom, cursorShapes, readCursor } from '#platform/http/paging.ts'
import { isoTime } from './db.ts'

test.each([
  ['2026-11-21 03:52:38+00', '2026-11-21T03:52:38.000Z'],
  ['2026-11-21 03:52:38.1+00', '2026-11-21T03:52:38.100Z'],
  ['2026-11-21 03:52:38.123456+00', '2026-11-21T03:52:38.123Z'],
])('the database timestamp %s is returned as %s', (text, iso) => {
  expect(isoTime(text)).toBe(iso)
})

describe('a cursor', () => {
  const shape = [cursorShapes.flag, cursorShapes.time, cursorShapes.id]
  test('decodes to the values it was encoded from', () => {
    const values = ['true', '2026-11-21T03:52:38.123456Z', '42']
    expect(readCursor(cursorFrom(values), shape)).toEqual(values)
  })

  test.each([
    ['missing', undefined],
    ['empty', ''],
  ])('that is %s means the first page', (_, cursor) => {
    expect(readCursor(cursor, shape)).toBeUndefined()
  })

  test.each([
    ['too few values', cursorFrom(['true', '1'])],
    ['SQL in place of a time', cursorFrom(['true', "now()'; --", '1'])],
    ['an object as a value', cursorFrom([{ a: 1 } as never, '2026-11-21T03:52:38Z', '1'])],
    ['an invalid encoding', '%%%'],
  ])('with %s is rejected', (_, cursor) => {
    expect(() => readCursor(cursor, shape)).toThrow('request.invalid')
  })
})
