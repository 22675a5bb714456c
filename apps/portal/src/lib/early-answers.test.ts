import { beforeEach, expect, test, vi } from 'vitest'
import type { EarlyAnswer } from './early-answers.ts'

// Compile the module once up front: on a busy machine that may take longer than a test's timeout.
await import('./early-answers.ts')

beforeEach(() => void vi.resetModules())

async function withEarly(token: string | null, answers: Record<string, EarlyAnswer>) {
  vi.stubGlobal('earlyAnswers', { token, answers })
  return import('./early-answers.ts')
}
const good = () => ({ answer: Promise.resolve('data'), arrived: { data: 'data', at: 1 } })
const failed = () => ({ answer: Promise.resolve(undefined) })

test('an early answer is returned only once', async () => {
  const { takeEarlyAnswer: take } = await withEarly('a', { '/x': good() })
  expect(await take('/x', 'a', false)).toBe('data')
  expect(await take('/x', 'a', false)).toBeUndefined()
  expect(await take('/y', 'a', false)).toBeUndefined()
})

test('an early answer for another token is not returned, unless the call is public', async () => {
  const { takeEarlyAnswer: take } = await withEarly('a', {
    '/x': good(),
    '/y': good(),
    '/z': good(),
  })
  expect(await take('/x', 'b', false)).toBeUndefined()
  expect(await take('/y', null, false)).toBeUndefined()
  expect(await take('/z', null, true)).toBe('data')
})

test('a failed early answer is not returned', async () => {
  const { takeEarlyAnswer: take } = await withEarly(null, {
    '/x': failed(),
  })
  expect(await take('/x', null, false)).toBeUndefined()
})

test('what has arrived is returned at once, and only once', async () => {
  const pending = { answer: new Promise(() => {}) }
  const { takeArrivedAnswer: take, takeEarlyAnswer } = await withEarly('a', {
    '/x': good(),
    '/y': good(),
    '/z': pending,
  })
  expect(take('/x', 'a', false)).toEqual({ data: 'data', at: 1 })
  expect(take('/x', 'a', false)).toBeUndefined()
  expect(await takeEarlyAnswer('/x', 'a', false)).toBeUndefined()
  expect(take('/y', 'b', false)).toBeUndefined()
  expect(take('/z', 'a', false)).toBeUndefined()
})

test('waiting for an early answer ends when the call is aborted', async () => {
  const { takeEarlyAnswer: take } = await withEarly(null, {
    '/x': { answer: new Promise(() => {}) },
  })
  const limit = new AbortController()
  const response = take('/x', null, true, limit.signal)
  limit.abort()
  await expect(response).rejects.toThrow('aborted')
})

test('loading the module defines earlyAnswers, so that a late early script makes no requests', async () => {
  vi.stubGlobal('earlyAnswers', undefined)
  const { takeEarlyAnswer } = await import('./early-answers.ts')
  expect((globalThis as { earlyAnswers?: unknown }).earlyAnswers).toBeDefined()
  expect(await takeEarlyAnswer('/x', null, true)).toBeUndefined()
})
