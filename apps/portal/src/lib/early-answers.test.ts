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

test('an early answer is taken once', async () => {
  const take = await withEarly('a', { '/x': good() })
  expect(await take('/x', 'a', false)).toBeInstanceOf(Response)
  expect(await take('/x', 'a', false)).toBeUndefined()
  expect(await take('/y', 'a', false)).toBeUndefined()
})

test('one that was asked in another name is not', async () => {
  const take = await withEarly('a', { '/x': good(), '/y': good(), '/z': good() })
  expect(await take('/x', 'b', false)).toBeUndefined()
  expect(await take('/y', null, false)).toBeUndefined()
  expect(await take('/z', null, true)).toBeInstanceOf(Response)
})

test('one that failed is asked again', async () => {
  const take = await withEarly(null, {
    '/x': Promise.resolve(new Response('', { status: 401 })),
    '/y': Promise.resolve(undefined),
  })
  expect(await take('/x', null, false)).toBeUndefined()
  expect(await take('/y', null, false)).toBeUndefined()
})

test('one that never comes ends with the time limit of the call', async () => {
  const take = await withEarly(null, { '/x': new Promise(() => {}) })
  const limit = new AbortController()
  const response = take('/x', null, true, limit.signal)
  limit.abort()
  await expect(response).rejects.toThrow('aborted')
})

test('a script that comes late finds that the app has begun', async () => {
  vi.stubGlobal('earlyAnswers', undefined)
  const { takeEarlyAnswer } = await import('./early-answers.ts')
  expect((globalThis as { earlyAnswers?: unknown }).earlyAnswers).toBeDefined()
  expect(await takeEarlyAnswer('/x', null, true)).toBeUndefined()
})
