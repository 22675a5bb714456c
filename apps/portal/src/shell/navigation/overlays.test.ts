import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeBrowser } from './fake-browser.ts'

const home = '/pages/tab/index/index'
const detail = '/pagesA/news/detail'

async function launch() {
  const browser = fakeBrowser(home)
  const { getHistoryEntry, onHistoryChange, push, replace, goBack } = await import('./history.ts')
  const { addOverlay } = await import('#ui/feedback/overlay-entries.ts')
  const seen: string[] = []
  onHistoryChange(() => seen.push(getHistoryEntry().href))
  const closed: string[] = []
  const wait = () => vi.advanceTimersByTimeAsync(10)
  /** Opens a sheet the way a component does: its close handler removes it. */
  const open = (name: string) => {
    const remove = addOverlay(() => {
      closed.push(name)
      remove()
    })
    return remove
  }
  return { ...browser, getHistoryEntry, push, replace, goBack, open, seen, closed, wait }
}

fakeBrowser(home)
await import('./history.ts')

beforeEach(() => {
  vi.resetModules()
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('browser back closes the sheet and stays on the page', async () => {
  const { open, wait, closed, seen, entries } = await launch()
  open('sheet')
  await wait()
  expect(entries()).toEqual([home, `[${home}]`])
  history.go(-1)
  await wait()
  expect(closed).toEqual(['sheet'])
  expect(seen).toEqual([])
  expect(entries()).toEqual([`[${home}]`, home])
})

test('closing a sheet by a tap also leaves its history entry', async () => {
  const { push, open, wait, closed, entries, getHistoryEntry } = await launch()
  push(detail)
  const remove = open('sheet')
  await wait()
  remove()
  await wait()
  expect(closed).toEqual([])
  expect(entries()).toEqual([home, `[${detail}]`, detail])
  history.go(-1)
  await wait()
  expect(getHistoryEntry()).toMatchObject({ href: home, depth: 0 })
})

test('with two overlays open, back closes the upper one first', async () => {
  const { open, wait, closed } = await launch()
  open('sheet')
  open('question')
  await wait()
  history.go(-1)
  await wait()
  expect(closed).toEqual(['question'])
  history.go(-1)
  await wait()
  expect(closed).toEqual(['question', 'sheet'])
})

test('a link inside a sheet closes all overlays, and back returns to the page without them', async () => {
  const { push, open, wait, closed, entries, getHistoryEntry } = await launch()
  open('sheet')
  open('question')
  await wait()
  push(detail)
  await wait()
  expect(closed.sort()).toEqual(['question', 'sheet'])
  expect(entries()).toEqual([home, `[${detail}]`, home])
  expect(getHistoryEntry()).toMatchObject({ href: detail, depth: 1 })
  history.go(-1)
  await wait()
  expect(getHistoryEntry()).toMatchObject({ href: home, depth: 0 })
})

test('a tap that closes the sheet and navigates does both', async () => {
  const { push, open, wait, entries, getHistoryEntry } = await launch()
  const remove = open('sheet')
  await wait()
  remove()
  await Promise.resolve()
  push(detail)
  await wait()
  await wait()
  expect(entries()).toEqual([home, `[${detail}]`])
  expect(getHistoryEntry()).toMatchObject({ href: detail, depth: 1 })
})

test('replace with an open sheet replaces the entry of the page, not of the sheet', async () => {
  const { replace, open, wait, entries } = await launch()
  open('sheet')
  await wait()
  replace(detail)
  await wait()
  expect(entries()).toEqual([`[${detail}]`, home])
})

test('going back with an open sheet closes it and leaves the page', async () => {
  const { push, goBack, open, wait, getHistoryEntry, closed } = await launch()
  push(detail)
  open('sheet')
  await wait()
  goBack(1)
  await wait()
  expect(getHistoryEntry()).toMatchObject({ href: home, depth: 0 })
  expect(closed).toEqual(['sheet'])
})

test('browser forward to a closed sheet opens nothing and returns to the page', async () => {
  const { open, wait, entries, seen } = await launch()
  open('sheet')
  await wait()
  history.go(-1)
  await wait()
  history.go(1)
  await wait()
  await wait()
  expect(entries()).toEqual([`[${home}]`, home])
  expect(seen).toEqual([])
})

test('adding or removing a sheet twice changes the history once', async () => {
  const { open, wait, entries } = await launch()
  open('sheet')()
  const remove = open('sheet')
  await wait()
  expect(entries()).toEqual([home, `[${home}]`])
  remove()
  remove()
  await wait()
  expect(entries()).toEqual([`[${home}]`, home])
})

test('a sheet that replaces another one reuses its history entry', async () => {
  const { open, wait, entries, closed } = await launch()
  const remove = open('menu')
  await wait()
  remove()
  open('times')
  await wait()
  expect(entries()).toEqual([home, `[${home}]`])
  expect(closed).toEqual([])
})

test('after a reload with an open sheet, the history goes back to the entry of the page', async () => {
  const { entries, wait } = await launch()
  history.pushState({ ...history.state, overlays: 1 }, '')
  vi.resetModules()
  await import('./history.ts')
  await wait()
  expect(entries()).toEqual([`[${home}]`, home])
})

test('a tap that closes the sheet and goes back goes back exactly one page', async () => {
  const { push, goBack, open, wait, getHistoryEntry } = await launch()
  push(detail)
  push(`${detail}?id=2`)
  const remove = open('sheet')
  await wait()
  remove()
  goBack(1)
  await wait()
  await wait()
  expect(getHistoryEntry()).toMatchObject({ href: detail, depth: 1 })
  goBack(1)
  await wait()
  expect(getHistoryEntry()).toMatchObject({ href: home, depth: 0 })
})

test('going back before the sheet is closed goes back one page', async () => {
  const { push, goBack, open, wait, getHistoryEntry } = await launch()
  push(detail)
  const remove = open('sheet')
  await wait()
  goBack(1)
  remove()
  await wait()
  await wait()
  expect(getHistoryEntry()).toMatchObject({ href: home, depth: 0 })
})
