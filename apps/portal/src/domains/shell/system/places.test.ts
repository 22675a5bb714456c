import { describe, expect, test } from 'vitest'
import { degrees } from './degrees.ts'
import { coordinates, mapLinks, metresBetween } from './places.ts'

const library = { latitude: 29.4312, longitude: 120.2846 }

test.each([
  ['to itself', library, library, 0],
  ['to the south gate', library, { latitude: 29.42653, longitude: 120.2847 }, 519],
  ['to the other campus', library, { latitude: 29.4655, longitude: 120.2571 }, 4650],
  [
    'over the date line',
    { latitude: 0, longitude: 179.5 },
    { latitude: 0, longitude: -179.5 },
    111_195,
  ],
  ['to the antipodes', { latitude: 90, longitude: 0 }, { latitude: -90, longitude: 0 }, 20_015_087],
])('metres %s', (_, here, there, metres) => {
  expect(Math.abs(metresBetween(here, there) - metres)).toBeLessThanOrEqual(5)
  expect(metresBetween(there, here)).toBeCloseTo(metresBetween(here, there))
})

test('coordinates are told to the metre', () => {
  expect(coordinates({ latitude: -29.4, longitude: 120.284_678 })).toBe('-29.40000, 120.28468')
})

describe('a place opens in a map app', () => {
  const name = '图书馆 & (东)'
  test('of everybody', () => {
    const { amap } = mapLinks(library, name, 'windows')
    const { origin, searchParams } = new URL(amap)
    expect(origin).toBe('https://uri.amap.com')
    expect(searchParams.get('position')).toBe('120.2846,29.4312')
    expect(searchParams.get('name')).toBe(name)
  })
  test('of the device', () => {
    expect(mapLinks(library, name, 'ios').apple).toMatch(/^https:\/\/maps\.apple\.com\/\?ll=29/)
    expect(mapLinks(library, name, 'ios').app).toBeUndefined()
    expect(mapLinks(library, name, 'android').app).toBe(
      `geo:29.4312,120.2846?q=29.4312,120.2846(${encodeURIComponent(name)})`,
    )
    expect(mapLinks(library, name, 'android').apple).toBeUndefined()
  })
})

test.each([
  ['0', 0],
  ['29.4312', 29.4312],
  ['-90', -90],
  ['90.0', 90],
])('%s degrees', (text, value) => expect(degrees(90)(text)).toBe(value))

test.each([
  undefined,
  '',
  'x',
  '90.1',
  '-91',
  '1e1',
  'NaN',
  'Infinity',
  '1,5',
  '29°',
  ' 1',
  '0x10',
])('%j is no number of degrees', (text) => expect(() => degrees(90)(text)).toThrow())
