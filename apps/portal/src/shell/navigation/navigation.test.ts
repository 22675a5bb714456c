import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeBrowser } from './fake-browser.ts'
import type { Screen } from './screens.ts'

const home = '/pages/tab/index/index'
const services = '/pages/tab/service/index'
const detail = '/pagesA/news/detail'
const profile = '/pages/myInfo/myInfo'
/** Claims of a session that does not expire; nobody checks the signature here. */
const memberToken = `x.${btoa(JSON.stringify({ sub: 'student', exp: 4_000_000_000 }))}.x`

/** @param mapDelay delay in ms of the rest of the route map; without it the whole map is there from the start */
async function launch(
  start: string,
  delays: Partial<Record<string, number>> = {},
  mapDelay?: number,
) {
  const browser = fakeBrowser(start)
  const screen = (path: string, more: Partial<Screen> = {}): Screen => ({
    area: 'test',
    title: () => path,
    access: 'guest',
    page: () =>
      new Promise((resolve) => setTimeout(resolve, delays[path] ?? 0, { default: () => null })),
    ...more,
  })
  const { registerScreens } = await import('./screens.ts')
  const tabs = {
    [home]: screen(home, { tab: 1 }),
    [services]: screen(services, { tab: 2 }),
  }
  const whole = {
    ...tabs,
    [detail]: screen(detail),
    [profile]: screen(profile, { access: 'member' }),
  }
  if (mapDelay === undefined) registerScreens(whole)
  else registerScreens(tabs, () => new Promise((resolve) => setTimeout(resolve, mapDelay, whole)))
  const { performNavigation, back } = await import('./navigation.ts')
  const { getHistoryEntry } = await import('./history.ts')
  const { getCurrentScreen, onScreenChange, startRouting } = await import('./current-screen.ts')
  const seen: string[] = []
  onScreenChange(() => {
    const showing = getCurrentScreen()
    seen.push(
      `${showing?.entry.href}${showing?.loading ? ' loading' : ''}${showing?.error ? ' failed' : ''}`,
    )
  })
  void startRouting(1500)
  const wait = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)
  await wait(10)
  const position = () => `${getHistoryEntry().depth} ${getHistoryEntry().href}`
  return {
    performNavigation,
    back,
    seen,
    wait,
    position,
    exits: browser.exits,
    entries: browser.entries,
  }
}

// Compile the modules once up front: on a busy machine that alone takes as long as a test may.
fakeBrowser(home)
await Promise.all([import('./navigation.ts'), import('./current-screen.ts')])

beforeEach(() => {
  vi.resetModules()
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('navigate adds pages to the stack, and back removes the top one', async () => {
  const { performNavigation, back, wait, position, seen } = await launch(home)
  performNavigation('navigate', `${detail}?id=1`)
  performNavigation('navigate', `${detail}?id=2`)
  expect(position()).toBe(`2 ${detail}?id=2`)
  back()
  await wait(10)
  expect(position()).toBe(`1 ${detail}?id=1`)
  expect(seen).toContain(`${detail}?id=1`)
})

test('switching to a tab from deep in the stack shows no page in between', async () => {
  const { performNavigation, wait, position, seen } = await launch(home)
  performNavigation('navigate', services)
  performNavigation('navigate', `${detail}?id=1`)
  performNavigation('navigate', `${detail}?id=2`)
  await wait(10)
  seen.length = 0
  performNavigation('navigate', home)
  await wait(10)
  expect(position()).toBe(`0 ${home}`)
  expect(seen).toEqual([home])
})

test('back from the start page goes home, and from home does nothing', async () => {
  const { back, wait, position } = await launch(`${detail}?id=1`)
  back()
  await wait(10)
  expect(position()).toBe(`0 ${home}`)
  back()
  await wait(10)
  expect(position()).toBe(`0 ${home}`)
})

test('home is inserted once below a start page without earlier entries, and back goes there', async () => {
  vi.stubGlobal('navigation', { currentEntry: { index: 0 } })
  const { back, performNavigation, wait, position, entries } = await launch(`${detail}?id=1`)
  const { insertHomeBelow } = await import('./history.ts')
  insertHomeBelow(home)
  insertHomeBelow(home)
  expect(entries()).toEqual([home, `[${detail}?id=1]`])
  expect(position()).toBe(`0 ${detail}?id=1`)
  performNavigation('redirect', `${detail}?id=2`)
  back()
  await wait(10)
  expect(position()).toBe(`0 ${home}`)
  expect(entries()).toEqual([`[${home}]`, `${detail}?id=2`])
})

test('home is not inserted if there are earlier entries or their number is unknown', async () => {
  const { entries } = await launch(`${detail}?id=1`)
  const { insertHomeBelow } = await import('./history.ts')
  insertHomeBelow(home)
  vi.stubGlobal('navigation', { currentEntry: { index: 3 } })
  insertHomeBelow(home)
  expect(entries()).toEqual([`[${detail}?id=1]`])
})

test('a page that loads within 200 ms shows no loading state', async () => {
  const { performNavigation, wait, seen } = await launch(home, { [detail]: 150 })
  seen.length = 0
  performNavigation('navigate', detail)
  await wait(1000)
  expect(seen).toEqual([detail])
})

test('the loading state appears after 200 ms and stays for 500 ms', async () => {
  const { performNavigation, wait, seen } = await launch(home, { [detail]: 250 })
  seen.length = 0
  performNavigation('navigate', detail)
  await wait(199)
  expect(seen).toEqual([])
  await wait(2)
  expect(seen).toEqual([`${detail} loading`])
  await wait(490)
  expect(seen).toEqual([`${detail} loading`])
  await wait(20)
  expect(seen).toEqual([`${detail} loading`, detail])
})

test('a page that loads after another navigation is not shown', async () => {
  const { performNavigation, wait, seen } = await launch(home, { [detail]: 400 })
  seen.length = 0
  performNavigation('navigate', detail)
  await wait(100)
  performNavigation('switchTab', services)
  await wait(2000)
  expect(seen).toEqual([services])
})

test('a page that does not load within a minute is shown as failed', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new Error('no network')))
  const { performNavigation, wait, seen } = await launch(home, { [detail]: 70_000 })
  performNavigation('navigate', detail)
  await wait(60_001)
  expect(seen).toEqual([home, `${detail} loading`, `${detail} failed`])
})

test('a page shows the loading state while the route map is loading', async () => {
  const { performNavigation, wait, seen } = await launch(home, {}, 300)
  seen.length = 0
  performNavigation('navigate', detail)
  await wait(250)
  expect(seen).toEqual([`${detail} loading`])
  await wait(500)
  expect(seen).toEqual([`${detail} loading`, detail])
})

test('a tab does not wait for the rest of the route map', async () => {
  const { performNavigation, wait, seen } = await launch(home, {}, 100_000)
  performNavigation('navigate', services)
  await wait(10)
  expect(seen).toEqual([home, services])
})

test('an unknown address is not shown as missing before the route map has loaded', async () => {
  const { performNavigation, wait, seen } = await launch(home, {}, 100)
  seen.length = 0
  performNavigation('navigate', '/pages/nothing')
  await wait(50)
  expect(seen).toEqual([])
  await wait(100)
  expect(seen).toEqual(['/pages/nothing'])
})

test('a guest opening a members-only page is sent to the login once the route map has loaded', async () => {
  const { performNavigation, wait, seen, exits } = await launch(home, { [profile]: 100_000 }, 100)
  performNavigation('navigate', profile)
  await wait(3000)
  expect(exits[0]).toContain('/cas/login')
  expect(seen).toEqual([home])
})

test('openAddress waits for the route map to load', async () => {
  const { wait, position } = await launch(home, {}, 100)
  const { openAddress } = await import('./navigation.ts')
  openAddress(detail)
  await wait(50)
  expect(position()).toBe(`0 ${home}`)
  await wait(100)
  expect(position()).toBe(`1 ${detail}`)
})

test('a guest opening a members-only page is sent to the central login with a return address', async () => {
  const { performNavigation, wait, exits, seen } = await launch(home)
  performNavigation('navigate', profile)
  await wait(1000)
  const login = new URL(exits[0] ?? '', 'https://portal.example')
  expect(login.pathname).toBe('/cas/login')
  expect(login.searchParams.get('service')).toBe(
    `https://portal.example/page/index/index?returnTarget=${encodeURIComponent(profile)}`,
  )
  expect(seen).toEqual([home])
})

test('an interceptor can redirect or cancel a navigation', async () => {
  const { performNavigation, wait, position } = await launch(home)
  const { setInterceptor } = await import('./navigation.ts')
  setInterceptor((_, href) => (href === services ? false : href.replace('id=1', 'id=2')))
  performNavigation('navigate', `${detail}?id=1`)
  await wait(10)
  expect(position()).toBe(`1 ${detail}?id=2`)
  performNavigation('navigate', services)
  await wait(10)
  expect(position()).toBe(`1 ${detail}?id=2`)
})

test('navigating to a tab switches to it and stores its address', async () => {
  const { performNavigation, wait, position } = await launch(home)
  const { read } = await import('#lib/storage.ts')
  performNavigation('navigate', `${detail}?id=1`)
  performNavigation('navigate', `${services}?isHideReturnBtn=1`)
  await wait(10)
  expect(position()).toBe(`0 ${services}?isHideReturnBtn=1`)
  expect(read('switchTabUrl')).toBe(`${services}?isHideReturnBtn=1`)
})

test('new-task listeners are not notified if another tab is opened first', async () => {
  const { performNavigation, wait } = await launch(home)
  const { onNewTask } = await import('./navigation.ts')
  const { write } = await import('#lib/storage.ts')
  write('idToken', memberToken)
  write('platFormConfig', [{ key: 'newtaskRoute', value: services }])
  const received: object[] = []
  onNewTask((fields) => received.push(fields))
  performNavigation('navigate', `${services}?isactive=1`)
  performNavigation('navigate', home)
  await wait(301)
  expect(received).toEqual([])
})

test('new-task listeners are notified once of the address fields, after 300 ms', async () => {
  const { performNavigation, wait } = await launch(home)
  const { onNewTask } = await import('./navigation.ts')
  const { write } = await import('#lib/storage.ts')
  write('idToken', memberToken)
  write('platFormConfig', [{ key: 'newtaskRoute', value: services }])
  const received: object[] = []
  onNewTask((fields) => received.push(fields))
  performNavigation('navigate', `${services}?isactive=1`)
  await wait(299)
  expect(received).toEqual([])
  await wait(2)
  expect(received).toEqual([{ isactive: '1' }])
  performNavigation('navigate', home)
  performNavigation('navigate', services)
  await wait(1000)
  expect(received).toHaveLength(1)
})
