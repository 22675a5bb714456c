import { toGcj02 } from '@atrium/rules/places/gcj02'
import { describe, expect, test } from 'vitest'
import { degrees } from './degrees.ts'
import { coordinates, directionLinks, metresBetween } from './places.ts'

const library = { latitude: 29.4312, longitude: 120.2846 }

test.each([
  ['to the same point', library, library, 0],
  ['to the south gate', library, { latitude: 29.42653, longitude: 120.2847 }, 519],
  ['to the other campus', library, { latitude: 29.4655, longitude: 120.2571 }, 4650],
  [
    'across the date line',
    { latitude: 0, longitude: 179.5 },
    { latitude: 0, longitude: -179.5 },
    111_195,
  ],
  ['to the antipodes', { latitude: 90, longitude: 0 }, { latitude: -90, longitude: 0 }, 20_015_087],
])('distance in metres %s', (_, here, there, metres) => {
  expect(Math.abs(metresBetween(here, there) - metres)).toBeLessThanOrEqual(5)
  expect(metresBetween(there, here)).toBeCloseTo(metresBetween(here, there))
})

test('coordinates are formatted with five decimals', () => {
  expect(coordinates({ latitude: -29.4, longitude: 120.284_678 })).toBe('-29.40000, 120.28468')
})

describe('direction links', () => {
  const name = '图书馆, & (东)'
  const appsOn = (...[os]: [Parameters<typeof directionLinks>[2]]) =>
    directionLinks(library, name, os).map(({ app }) => app)
  const hrefOf = (
    app: string,
    os: Parameters<typeof directionLinks>[2] = 'windows',
    at = library,
  ) => new URL(directionLinks(at, name, os).find((way) => way.app === app)?.href ?? '')

  test('list the device’s own map app first, then those of the country', () => {
    expect(appsOn('windows')).toEqual(['amap', 'tencent', 'baidu'])
    expect(appsOn('android')).toEqual(['device', 'amap', 'tencent', 'baidu'])
    expect(appsOn('ios')).toEqual(['apple', 'amap', 'tencent', 'baidu'])
    const london = directionLinks({ latitude: 51.5, longitude: -0.1 }, name, 'ios')
    expect(london.map(({ app }) => app)).toEqual(['apple', 'google'])
  })

  test('use GCJ-02 coordinates for Chinese apps and, in China, Apple Maps', () => {
    const { latitude, longitude } = toGcj02(library)
    expect(Math.abs(latitude - library.latitude)).toBeGreaterThan(0.001)
    const [north, east] = [latitude.toFixed(6), longitude.toFixed(6)]
    const amap = hrefOf('amap').searchParams
    expect(amap.get('to')).toBe(`${east},${north},图书馆  & (东)`)
    expect(amap.get('coordinate')).toBe('gaode')
    expect(hrefOf('tencent').searchParams.get('tocoord')).toBe(`${north},${east}`)
    expect(hrefOf('tencent').searchParams.get('to')).toBe(name)
    expect(hrefOf('baidu').searchParams.get('location')).toBe(`${north},${east}`)
    expect(hrefOf('baidu').searchParams.get('coord_type')).toBe('gcj02')
    expect(hrefOf('apple', 'ios').searchParams.get('daddr')).toBe(`${north},${east}`)
  })

  test('use WGS 84 coordinates for other apps', () => {
    expect(directionLinks(library, name, 'android')[0]?.href).toBe(
      `geo:29.4312,120.2846?q=29.4312,120.2846(${encodeURIComponent(name)})`,
    )
    const london = { latitude: 51.5, longitude: -0.1 }
    expect(hrefOf('google', 'windows', london).searchParams.get('destination')).toBe('51.5,-0.1')
  })
})

test.each([
  ['0', 0],
  ['29.4312', 29.4312],
  ['-90', -90],
  ['90.0', 90],
])('parses %s as degrees', (text, value) => expect(degrees(90)(text)).toBe(value))

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
])('rejects %j as degrees', (text) => expect(() => degrees(90)(text)).toThrow())
