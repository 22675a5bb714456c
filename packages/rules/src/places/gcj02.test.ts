import { describe, expect, test } from 'vitest'
import { isInChina, toGcj02 } from './gcj02.ts'

/** Pairs from the test suite of eviltransform, the open reference of this conversion. */
describe('toGcj02', () => {
  test.each([
    ['Shanghai', 31.177_427_6, 121.527_210_6, 31.175_303_983_645_97, 121.531_541_859_215],
    ['Shenzhen', 22.543_847, 113.912_316, 22.540_796_131_694_766, 113.917_176_480_836_3],
    ['Beijing', 39.911_954, 116.377_817, 39.913_345_455_360_69, 116.384_047_224_556_57],
  ])('converts coordinates in %s', (_, latitude, longitude, north, east) => {
    const shifted = toGcj02({ latitude, longitude })
    expect(shifted.latitude).toBeCloseTo(north, 6)
    expect(shifted.longitude).toBeCloseTo(east, 6)
  })

  test.each([
    ['London', 51.5074, -0.1278],
    ['Sydney', -33.8688, 151.2093],
  ])('leaves coordinates in %s unchanged', (_, latitude, longitude) => {
    expect(isInChina({ latitude, longitude })).toBe(false)
    expect(toGcj02({ latitude, longitude })).toEqual({ latitude, longitude })
  })
})
