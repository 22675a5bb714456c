import { test as base } from '@playwright/test'
import { withoutStream } from './quiet.ts'
import { storedSession, type Username } from './session.ts'

/**
 * Playwright's test with two options more. `test.use({ as: 'student' })` begins signed in; without it, as a visitor.
 * `test.use({ live: true })` lets pages hear of new messages at once; without it no request of theirs stays open.
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
    // An answer that was still on its way when the test ended is nobody's failure; a page that closed waits for none.
    await page.unrouteAll({ behavior: 'ignoreErrors' }).catch(() => {})
  },
})

export { expect } from '@playwright/test'
