import { beforeEach, expect, test, vi } from 'vitest'

// Compile the module once up front: on a busy machine that may take longer than a test's timeout.
await import('./early-answers.ts')

beforeEach(() => void vi.resetModules())

async function withEarly(
  token: string | null,
  answers: Record<string, Promise<Response | undefined>>,
) {
  vi.stubGlobal('earlyAnswers', { token, answers })
  return (await import('./early-answers.ts')).takeEarlyAnswer
}
const good = () => Promise.resolve(new Response('{}'))

test('an early response is returned only once', async () => {
  const take = await withEarly('a', { '/x': good() })
  expect(await take('/x', 'a', false)).toBeInstanceOf(Response)
  expect(await take('/x', 'a', false)).toBeUndefined()
  expect(await take('/y', 'a', false)).toBeUndefined()
})

test('an early response for another token is not returned, unless the call is public', async () => {
  const take = await withEarly('a', { '/x': good(), '/y': good(), '/z': good() })
  expect(await take('/x', 'b', false)).toBeUndefined()
  expect(await take('/y', null, false)).toBeUndefined()
  expect(await take('/z', null, true)).toBeInstanceOf(Response)
})

test('a failed early response is not returned', async () => {
  const take = await withEarly(null, {
    '/x': Promise.resolve(new Response('', { status: 401 })),
    '/y': Promise.resolve(undefined),
  })
  expect(await take('/x', null, false)).toBeUndefined()
  expect(await take('/y', null, false)).toBeUndefined()
})

test('waiting for an early response ends when the call is aborted', async () => {
  const take = await withEarly(null, { '/x': new Promise(() => {}) })
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
