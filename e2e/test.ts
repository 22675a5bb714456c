import { test as base } from '@playwright/test'
import { storedSession, type Username } from './session.ts'

/** Playwright's test with one option more: `test.use({ as: 'student' })` begins signed in. Without it, as a visitor. */
export const test = base.extend<{ as: Username | undefined }>({
  as: [undefined, { option: true }],
  storageState: async ({ as, baseURL }, use) => {
    await use(await storedSession(baseURL ?? '', as))
  },
  page: async ({ page }, use) => {
    await use(page)
    // An answer that was still on its way when the test ended is nobody's failure; a page that closed waits for none.
    await page.unrouteAll({ behavior: 'ignoreErrors' }).catch(() => {})
  },
})

export { expect } from '@playwright/test'
