import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openLog } from '#platform/log.ts'
import { startDueQueue } from './due-queue.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A queue whose batches take this long each; `taken` counts them. */
function start(batches: number, ms: number, pause?: number) {
  let taken = 0
  const queue = startDueQueue(openLog('silent'), {
    name: 'a queue',
    batch: 1,
    async takeBatch() {
      if (taken === batches) return 0
      await new Promise((resolve) => setTimeout(resolve, ms))
      taken += 1
      return 1
    },
    secondsToNext: async () => null,
    ...(pause && { pause: async () => pause }),
  })
  return { queue, taken: () => taken }
}

test('takes batches one after another without a pause', async () => {
  const { taken } = start(3, 100)
  await vi.advanceTimersByTimeAsync(300)
  expect(taken()).toBe(3)
})

test('pauses after each batch for the given share of its duration', async () => {
  const { taken } = start(3, 100, 0.5)
  await vi.advanceTimersByTimeAsync(249)
  expect(taken()).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(taken()).toBe(2)
  await vi.advanceTimersByTimeAsync(150)
  expect(taken()).toBe(3)
})

test('pauses for one second at most, however long a batch took', async () => {
  const { taken } = start(2, 20_000, 0.5)
  await vi.advanceTimersByTimeAsync(41_000)
  expect(taken()).toBe(2)
})

test('stops during a pause without waiting for its end', async () => {
  const { queue, taken } = start(2, 1000, 0.5)
  await vi.advanceTimersByTimeAsync(1000)
  expect(taken()).toBe(1)
  // The fake clock stands still, so this only ends if the pause is cut short.
  await queue.stop()
  expect(taken()).toBe(1)
})

test('starts no pause and no further batch after stop is called', async () => {
  const { queue, taken } = start(2, 1000, 0.5)
  const stopped = queue.stop()
  await vi.advanceTimersByTimeAsync(1000)
  await stopped
  expect(taken()).toBe(1)
})
