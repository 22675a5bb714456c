import { figures } from '@atrium/rules/figures'
import { afterEach, expect, test, vi } from 'vitest'
import { findLoadedPage, loadPage } from './page-code.ts'
import { registerScreens } from './screens.ts'

afterEach(() => vi.useRealTimers())

/** A screen whose script arrives when the test says so. */
function lateScreen(path: string) {
  const script = Promise.withResolvers<{ default: unknown }>()
  let loadCount = 0
  const page = () => {
    loadCount++
    return script.promise
  }
  registerScreens({ [path]: { area: 'test', title: () => '', access: 'public', page } })
  return { arrive: () => script.resolve({ default: () => null }), loadCount: () => loadCount }
}

test('loading a page times out after 60 s, and its script is used if it arrives later', async () => {
  vi.useFakeTimers()
  const { arrive, loadCount } = lateScreen('/late')
  const first = expect(loadPage('/late')).rejects.toMatchObject({ type: 'timeout' })
  await vi.advanceTimersByTimeAsync(figures.pageTimeout)
  await first
  const second = loadPage('/late')
  arrive()
  await second
  expect(loadCount()).toBe(1)
  expect(findLoadedPage('/late')).toBeDefined()
})

test('a script that has not arrived after 120 s is requested again', async () => {
  vi.useFakeTimers()
  const { loadCount } = lateScreen('/lost')
  for (const count of [1, 1, 2]) {
    const given = expect(loadPage('/lost')).rejects.toMatchObject({ type: 'timeout' })
    await vi.advanceTimersByTimeAsync(figures.pageTimeout)
    await given
    expect(loadCount()).toBe(count)
  }
})
