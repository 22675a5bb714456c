import { test as base } from '@playwright/test'
import { withoutStream } from './quiet.ts'
import { storedSession, type Username } from './session.ts'

/**
 * Playwright's test with two additional options. `test.use({ as: 'student' })` starts signed in; without it, as a
 * visitor. `test.use({ live: true })` opens the event stream for new messages; without it no request stays open.
 */
export const test = base.extend<{ as: Username | undefined; live: boolean }>({
  as: [undefined, { option: true }],
  live: [false, { option: true }],
  storageState: async ({ as, baseURL }, use) => {
    await use(await storedSession(baseURL ?? '', as))
  },
  context: async ({ context, live }, use) => {
    if (!live) await withoutStream(context)
    await use(context)
  },
  page: async ({ page }, use) => {
    await use(page)
    // An answer still pending when the test ends is not a failure; a closed page waits for none.
    await page.unrouteAll({ behavior: 'ignoreErrors' }).catch(() => {})
  },
})

export { expect } from '@playwright/test'
