import { expect, test, vi } from 'vitest'

vi.stubGlobal('navigator', { userAgent: '' })
const { shakeDetector } = await import('./shake.ts')

/** Feeds one movement strength per 50 ms; returns the steps at which a shake was detected. */
function shakes(strengths: number[]) {
  const shaken = shakeDetector()
  return strengths.flatMap((strength, step) => (shaken(strength, 0, 0, step * 50) ? [step] : []))
}
const jolt = [25, 5]

test('three jolts within a second are detected as a shake', () => {
  expect(shakes([...jolt, ...jolt, ...jolt])).toEqual([4])
})

test('one long movement, as of a falling phone or a braking bus, is not a shake', () => {
  expect(shakes(Array(20).fill(30))).toEqual([])
})

test('slow or weak jolts, as from walking, are not a shake', () => {
  const pause = Array(12).fill(0)
  expect(shakes([...jolt, ...pause, ...jolt, ...pause, ...jolt])).toEqual([])
  expect(
    shakes(
      Array(40)
        .fill(0)
        .map((_, step) => (step % 2 ? 12 : 0)),
    ),
  ).toEqual([])
})

test('continuous shaking is detected again only after the cooldown', () => {
  const long = Array(100)
    .fill(0)
    .map((_, step) => (step % 2 ? 5 : 25))
  expect(shakes(long)).toEqual([4, 68])
})
