import type { Page } from '@playwright/test'
import { namedMembers } from '../apps/server/demo/members.ts'
import { axeViolations } from './axe.ts'
import { watchRequests, withoutBackgroundRequests } from './quiet.ts'
import { smallTargets, tooMuchShift, unmarkedChinese, watchShift } from './screen-faults.ts'
import { openingAddress, screens, visitorOf } from './screens.ts'
import { startServer } from './server.ts'
import { storedSession } from './session.ts'
import { test as base, expect, reuse } from './test.ts'

/**
 * A separate portal for each worker, with unmodified demo data. One page per language is reused by its tests: a new one
 * each time costs more than the check itself.
 */
const test = base.extend<object, { url: string; standing: (name: string) => Promise<Page> }>({
  url: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads which fixtures are wanted
    async ({}, use) => {
      const server = await startServer()
      await use(server.url)
      await server.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  standing: [
    async ({ browser }, use) => {
      const pages = new Map<string, Page>()
      await use(async (name) => {
        const known = pages.get(name)
        if (known) return known
        const page = await browser.newPage()
        pages.set(name, page)
        reuse(page.context())
        await withoutBackgroundRequests(page.context())
        await watchShift(page)
        return page
      })
      for (const page of pages.values()) await page.context().close()
    },
    { scope: 'worker' },
  ],
})

/** The session of a reused page that shows the app. */
const sessionOn = new WeakMap<Page, string>()

/**
 * Navigates within the app, at a fraction of the cost of a new start.
 * @returns false if no other page appears
 */
const navigateInApp = (page: Page, address: string) =>
  page.evaluate(async (to) => {
    const shown = () => [...document.querySelectorAll('main')].find((one) => one.checkVisibility())
    const left = shown()
    if (!left || !document.getElementById('root')) return false
    Object.assign(globalThis, { shifts: [], shifted: 0 })
    const state = { depth: 0, key: Math.random().toString(36).slice(2) }
    history.replaceState(state, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state }))
    for (let frames = 0; frames < 300; frames++) {
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
      if (![left, undefined].includes(shown())) return true
    }
    return false
  }, address)

/** Clears the previous screen and its storage by loading a same-origin answer without scripts. */
async function resetPage(
  page: Page,
  url: string,
  { origins }: Awaited<ReturnType<typeof storedSession>>,
) {
  await page.goto(`${url}/readyz`)
  await page.context().clearCookies()
  await page.evaluate(
    (stored) => {
      localStorage.clear()
      sessionStorage.clear()
      for (const { name, value } of stored) localStorage.setItem(name, value)
    },
    origins.flatMap(({ localStorage }) => localStorage),
  )
}

/** Names without a translation: of people who share or write under their own. */
const names = namedMembers.map(({ name }) => name)

/** Screens that redirect to others. */
const passages = ['/page/index/index', '/pages/fenliu/h5MiddlePage']
/** Grouped by visitor. */
const addresses = Object.entries(screens)
  .filter(([address]) => !passages.includes(address))
  .map(([address, screen]) => ({ address, visitor: visitorOf(address, screen), screen }))
  .sort((a, b) => (a.visitor ?? '').localeCompare(b.visitor ?? ''))

/** @throws the faults of a screen, once `show` has navigated to it */
async function check(page: Page, locale: string, show: () => Promise<unknown>) {
  const issues: string[] = []
  page.on('pageerror', (error) => issues.push(error.message))
  page.on('console', (message) => message.type() === 'error' && issues.push(message.text()))
  const quiet = watchRequests(page)
  try {
    await show()
    await quiet()
    await expect(page.locator('.skeleton')).toHaveCount(0)
    await expect(page.locator('h1:visible')).toHaveCount(1)
    await expect(page).toHaveTitle(/\S/)
    expect(await axeViolations(page)).toEqual([])
    expect(await tooMuchShift(page), 'moves by itself').toEqual([])
    expect(await smallTargets(page), 'smaller than a finger').toEqual([])
    if (locale === 'en-US')
      expect(await unmarkedChinese(page, names), 'Chinese without a mark').toEqual([])
    expect(issues).toEqual([])
  } finally {
    page.removeAllListeners()
  }
}

for (const [language, locale] of [
  ['Chinese', 'zh-CN'],
  ['English', 'en-US'],
] as const) {
  test.describe(`every screen, in ${language}`, () => {
    test.use({ locale })
    for (const { address, visitor, screen } of addresses) {
      test(`${address} has a title, one heading, no layout shift and no axe violations`, async ({
        standing,
        url,
      }) => {
        // Public screens are checked without a session.
        const session = await storedSession(url, visitor)
        const page = await standing(locale)
        const full = await openingAddress(url, address, screen)
        expect(full, 'e2e/screens.ts says how to open it').toBeDefined()
        const start = async () => {
          await resetPage(page, url, session)
          await page.goto(url + String(full))
          sessionOn.set(page, String(visitor))
        }
        const inside = async () => {
          if (!(await navigateInApp(page, String(full)))) throw new Error('nothing else is shown')
        }
        // The app starts with each screen in one language. In the other it navigates, and a start has the final say.
        if (locale === 'en-US' && sessionOn.get(page) === String(visitor)) {
          const isFine = await check(page, locale, inside).then(
            () => true,
            () => false,
          )
          if (isFine) return
        }
        await check(page, locale, start)
      })
    }
  })
}

test.describe('the central login page', () => {
  for (const locale of ['zh-CN', 'en-US']) {
    test.describe(locale, () => {
      test.use({ locale })
      test('has no axe violations', async ({ page }) => {
        await page.goto('/cas/login')
        expect(await axeViolations(page)).toEqual([])
      })
    })
  }
})
