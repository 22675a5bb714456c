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
  const { go, back } = await import('./navigation.ts')
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
  return { go, back, seen, wait, position, exits: browser.exits, entries: browser.entries }
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

test('pages lie on one another, and back takes them off', async () => {
  const { go, back, wait, position, seen } = await launch(home)
  go('navigate', `${detail}?id=1`)
  go('navigate', `${detail}?id=2`)
  expect(position()).toBe(`2 ${detail}?id=2`)
  back()
  await wait(10)
  expect(position()).toBe(`1 ${detail}?id=1`)
  expect(seen).toContain(`${detail}?id=1`)
})

test('switching to a tab from deep down shows nothing on the way', async () => {
  const { go, wait, position, seen } = await launch(home)
  go('navigate', services)
  go('navigate', `${detail}?id=1`)
  go('navigate', `${detail}?id=2`)
  await wait(10)
  seen.length = 0
  go('navigate', home)
  await wait(10)
  expect(position()).toBe(`0 ${home}`)
  expect(seen).toEqual([home])
})

test('back from where the app was started leads home, and there it ends', async () => {
  const { back, wait, position } = await launch(`${detail}?id=1`)
  back()
  await wait(10)
  expect(position()).toBe(`0 ${home}`)
  back()
  await wait(10)
  expect(position()).toBe(`0 ${home}`)
})

test('the phone’s way back leads home first, where nothing of ours lies below', async () => {
  vi.stubGlobal('navigation', { currentEntry: { index: 0 } })
  const { back, go, wait, position, entries } = await launch(`${detail}?id=1`)
  const { insertHomeBelow } = await import('./history.ts')
  insertHomeBelow(home)
  insertHomeBelow(home)
  expect(entries()).toEqual([home, `[${detail}?id=1]`])
  expect(position()).toBe(`0 ${detail}?id=1`)
  go('redirect', `${detail}?id=2`)
  back()
  await wait(10)
  expect(position()).toBe(`0 ${home}`)
  expect(entries()).toEqual([`[${home}]`, `${detail}?id=2`])
})

test('where something of ours lies below, or nobody knows, the history is left as it is', async () => {
  const { entries } = await launch(`${detail}?id=1`)
  const { insertHomeBelow } = await import('./history.ts')
  insertHomeBelow(home)
  vi.stubGlobal('navigation', { currentEntry: { index: 3 } })
  insertHomeBelow(home)
  expect(entries()).toEqual([`[${detail}?id=1]`])
})

test('a page that is quick shows no loading state', async () => {
  const { go, wait, seen } = await launch(home, { [detail]: 150 })
  seen.length = 0
  go('navigate', detail)
  await wait(1000)
  expect(seen).toEqual([detail])
})

test('a loading state comes after 200 ms and stays for 500', async () => {
  const { go, wait, seen } = await launch(home, { [detail]: 250 })
  seen.length = 0
  go('navigate', detail)
  await wait(199)
  expect(seen).toEqual([])
  await wait(2)
  expect(seen).toEqual([`${detail} loading`])
  await wait(490)
  expect(seen).toEqual([`${detail} loading`])
  await wait(20)
  expect(seen).toEqual([`${detail} loading`, detail])
})

test('whoever goes on does not see the page that comes too late', async () => {
  const { go, wait, seen } = await launch(home, { [detail]: 400 })
  seen.length = 0
  go('navigate', detail)
  await wait(100)
  go('switchTab', services)
  await wait(2000)
  expect(seen).toEqual([services])
})

test('a page that does not come within a minute has failed, and may be tried again', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new Error('no network')))
  const { go, wait, seen } = await launch(home, { [detail]: 70_000 })
  go('navigate', detail)
  await wait(60_001)
  expect(seen).toEqual([home, `${detail} loading`, `${detail} failed`])
})

test('a page whose line of the map is still on its way waits for it like for its code', async () => {
  const { go, wait, seen } = await launch(home, {}, 300)
  seen.length = 0
  go('navigate', detail)
  await wait(250)
  expect(seen).toEqual([`${detail} loading`])
  await wait(500)
  expect(seen).toEqual([`${detail} loading`, detail])
})

test('a tab does not wait for the lines of later screens', async () => {
  const { go, wait, seen } = await launch(home, {}, 100_000)
  go('navigate', services)
  await wait(10)
  expect(seen).toEqual([home, services])
})

test('before the map has come nothing is called missing', async () => {
  const { go, wait, seen } = await launch(home, {}, 100)
  seen.length = 0
  go('navigate', '/pages/nothing')
  await wait(50)
  expect(seen).toEqual([])
  await wait(100)
  expect(seen).toEqual(['/pages/nothing'])
})

test('a page for members leads a guest to the login as soon as the map says so', async () => {
  const { go, wait, seen, exits } = await launch(home, { [profile]: 100_000 }, 100)
  go('navigate', profile)
  await wait(3000)
  expect(exits[0]).toContain('/cas/login')
  expect(seen).toEqual([home])
})

test('an address that is given before the map has come is opened when it has', async () => {
  const { wait, position } = await launch(home, {}, 100)
  const { openAddress } = await import('./navigation.ts')
  openAddress(detail)
  await wait(50)
  expect(position()).toBe(`0 ${home}`)
  await wait(100)
  expect(position()).toBe(`1 ${detail}`)
})

test('a guest who opens a page for members is sent to the central login, and comes back to it', async () => {
  const { go, wait, exits, seen } = await launch(home)
  go('navigate', profile)
  await wait(1000)
  const login = new URL(exits[0] ?? '', 'https://portal.example')
  expect(login.pathname).toBe('/cas/login')
  expect(login.searchParams.get('service')).toBe(
    `https://portal.example/page/index/index?returnTarget=${encodeURIComponent(profile)}`,
  )
  expect(seen).toEqual([home])
})

test('a move may be sent elsewhere, or refused', async () => {
  const { go, wait, position } = await launch(home)
  const { setInterceptor } = await import('./navigation.ts')
  setInterceptor((_, href) => (href === services ? false : href.replace('id=1', 'id=2')))
  go('navigate', `${detail}?id=1`)
  await wait(10)
  expect(position()).toBe(`1 ${detail}?id=2`)
  go('navigate', services)
  await wait(10)
  expect(position()).toBe(`1 ${detail}?id=2`)
})

test('a tab that is navigated to is switched to, and its address is put by', async () => {
  const { go, wait, position } = await launch(home)
  const { read } = await import('#lib/storage.ts')
  go('navigate', `${detail}?id=1`)
  go('navigate', `${services}?isHideReturnBtn=1`)
  await wait(10)
  expect(position()).toBe(`0 ${services}?isHideReturnBtn=1`)
  expect(read('switchTabUrl')).toBe(`${services}?isHideReturnBtn=1`)
})

test('a new-task address that another tab has taken the place of is told nobody', async () => {
  const { go, wait } = await launch(home)
  const { onNewTask } = await import('./navigation.ts')
  const { write } = await import('#lib/storage.ts')
  write('idToken', memberToken)
  write('platFormConfig', [{ key: 'newtaskRoute', value: services }])
  const received: object[] = []
  onNewTask((fields) => received.push(fields))
  go('navigate', `${services}?isactive=1`)
  go('navigate', home)
  await wait(301)
  expect(received).toEqual([])
})

test('what came with the address of the new-task tab is told 300 ms later', async () => {
  const { go, wait } = await launch(home)
  const { onNewTask } = await import('./navigation.ts')
  const { write } = await import('#lib/storage.ts')
  write('idToken', memberToken)
  write('platFormConfig', [{ key: 'newtaskRoute', value: services }])
  const received: object[] = []
  onNewTask((fields) => received.push(fields))
  go('navigate', `${services}?isactive=1`)
  await wait(299)
  expect(received).toEqual([])
  await wait(2)
  expect(received).toEqual([{ isactive: '1' }])
  go('navigate', home)
  go('navigate', services)
  await wait(1000)
  expect(received).toHaveLength(1)
})
