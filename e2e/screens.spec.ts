import AxeBuilder from '@axe-core/playwright'
import { openingAddress, screens } from './screens.ts'
import { expect, test } from './test.ts'

/** These lead on to others by themselves. */
const passages = ['/page/index/index', '/pages/fenliu/h5MiddlePage']
const addresses = Object.entries(screens).filter(([address]) => !passages.includes(address))

for (const [language, locale] of [
  ['Chinese', 'zh-CN'],
  ['English', 'en-US'],
] as const) {
  test.describe(`every screen, in ${language}`, () => {
    test.use({ locale })
    for (const [address, screen] of addresses) {
      test.describe(address, () => {
        // What is for people without a session is looked at without one.
        test.use({ as: screen.area === 'login' ? undefined : 'student' })
        test('opens with a title and one heading, and axe finds nothing', async ({
          page,
          baseURL,
        }) => {
          const faults: string[] = []
          page.on('pageerror', (error) => faults.push(error.message))
          page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
          const full = await openingAddress(baseURL ?? '', address, screen)
          expect(full, 'e2e/screens.ts says how to open it').toBeDefined()
          await page.goto(String(full))
          await page.waitForLoadState('networkidle')
          await expect(page.locator('.skeleton')).toHaveCount(0)
          await expect(page.locator('h1:visible')).toHaveCount(1)
          await expect(page).toHaveTitle(/\S/)
          const { violations } = await new AxeBuilder({ page }).analyze()
          expect(
            violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`),
          ).toEqual([])
          expect(faults).toEqual([])
        })
      })
    }
  })
}

test.describe('the central login page', () => {
  for (const locale of ['zh-CN', 'en-US']) {
    test.describe(locale, () => {
      test.use({ locale })
      test('axe finds nothing', async ({ page }) => {
        await page.goto('/cas/login')
        const { violations } = await new AxeBuilder({ page }).analyze()
        expect(violations.map(({ id }) => id)).toEqual([])
      })
    })
  }
})
