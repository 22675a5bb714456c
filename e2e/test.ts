import { type BrowserContext, test as base } from '@playwright/test'
import { withoutPrefetching, withoutStream } from './quiet.ts'
import { storedSession, type Username } from './session.ts'

const reused = new WeakSet<BrowserContext>()
/** Keeps a context open for the following tests of the worker. */
export const reuse = (context: BrowserContext) => void reused.add(context)

/**
 * Playwright's test with additional options. `test.use({ as: 'student' })` starts signed in; without it, as a
 * visitor. `test.use({ live: true })` opens the event stream for new messages; without it no request stays open.
 * `test.use({ prefetching: true })` lets the app prefetch when idle, the day pack included.
 */
export const test = base.extend<{
  as: Username | undefined
  live: boolean
  prefetching: boolean
  closesContexts: undefined
}>({
  as: [undefined, { option: true }],
  live: [false, { option: true }],
  prefetching: [false, { option: true }],
  storageState: async ({ as, baseURL }, use) => {
    await use(await storedSession(baseURL ?? '', as))
  },
  context: async ({ context, live, prefetching }, use) => {
    if (!live) await withoutStream(context)
    if (!prefetching) await withoutPrefetching(context)
    await use(context)
  },
  // Playwright closes the contexts of its own fixtures only. Others would keep their timers and streams as long as the
  // worker runs, which is until the last test.
  closesContexts: [
    async ({ browser }, use) => {
      const existing = new Set(browser.contexts())
      await use(undefined)
      const opened = browser.contexts().filter((context) => !existing.has(context))
      await Promise.all(opened.map((context) => !reused.has(context) && context.close()))
    },
    { auto: true },
  ],
  page: async ({ page }, use) => {
    await use(page)
    // An answer still pending when the test ends is not a failure; a closed page waits for none.
    await page.unrouteAll({ behavior: 'ignoreErrors' }).catch(() => {})
  },
})

export { expect } from '@playwright/test'
