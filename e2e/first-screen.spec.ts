import type { Page } from '@playwright/test'
import { withoutStream } from './quiet.ts'
import { idToken } from './session.ts'
import { expect, test } from './test.ts'

type Shift = { value: number; moved: string[] }

/** Layout shifts without user input, with the elements that moved. */
async function watchShifts(page: Page) {
  await page.addInitScript(() => {
    const shifts: Shift[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number
        hadRecentInput: boolean
        sources: { node?: Node }[]
      })[])
        if (!entry.hadRecentInput)
          shifts.push({
            value: entry.value,
            moved: entry.sources.map(({ node }) => {
              const element = node instanceof Element ? node : node?.parentElement
              return element?.outerHTML.slice(0, 120) ?? 'gone'
            }),
          })
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return () => page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts)
}

/** Two frames: drawn content has been measured as well. */
const drawn = (page: Page) =>
  page.evaluate(
    () =>
      new Promise((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))),
      ),
  )

const starts = [
  { late: 'home', locale: 'zh-CN' },
  { late: 'home', locale: 'en-US' },
  { late: 'config', locale: 'zh-CN' },
]
for (const as of [undefined, 'student'] as const)
  for (const { late, locale } of starts)
    test(`home starts without layout shifts: ${as ?? 'visitor'}, ${locale}, late: ${late}`, async ({
      browser,
      baseURL,
    }) => {
      const context = await browser.newContext({
        baseURL: baseURL ?? '',
        locale,
        // Lighthouse's phone.
        viewport: { width: 412, height: 823 },
        isMobile: true,
        hasTouch: true,
        serviceWorkers: 'block',
      })
      await withoutStream(context)
      const page = await context.newPage()
      if (as) {
        const token = await idToken(baseURL ?? '', as)
        await page.addInitScript((value) => localStorage.setItem('idToken', value), token)
      }
      const findShifts = await watchShifts(page)
      // Answers that arrive long after the page was drawn without them.
      let release = () => {}
      const skeletonStands = new Promise<void>((resolve) => {
        release = resolve
      })
      await page.route(
        (url) => url.pathname.startsWith('/portal-api/') && url.pathname.includes(late),
        async (route) => {
          await skeletonStands
          await route.continue()
        },
      )
      await page.goto('/')
      await expect(page.getByRole('main')).toBeVisible()
      await drawn(page)
      release()
      await expect(page.getByRole('main').getByRole('tablist')).toBeVisible()
      await page.waitForLoadState('networkidle')
      await drawn(page)
      const shifts = await findShifts()
      const sum = shifts.reduce((total, { value }) => total + value, 0)
      expect(sum, JSON.stringify(shifts, null, 2)).toBeLessThan(0.02)
      await context.close()
    })

/** Its label is configurable by operators. */
const toSearch = (page: Page) => page.locator('a[href="/pages/search/wholeSearch"]')

test('the routes of other screens are loaded after the home data', async ({ page }) => {
  let screenStands = false
  const early: string[] = []
  page.on('request', (request) => {
    if (/assets\/routes-/.test(request.url()) && !screenStands) early.push(request.url())
  })
  let release = () => {}
  const requested = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(/\/portal-api\/v1\/home$/, async (route) => {
    const answer = await route.fetch()
    screenStands = true
    await route.fulfill({ response: answer })
  })
  await page.route(/assets\/routes-/, async (route) => {
    await requested
    await route.continue()
  })
  await page.goto('/')
  await toSearch(page).click()
  expect(early).toEqual([])
  release()
  await expect(page).toHaveURL(/\/pages\/search\/wholeSearch/)
  await expect(page.getByRole('combobox')).toBeVisible()
})

test('a start on another screen requests the routes in parallel with the app', async ({ page }) => {
  const order: string[] = []
  page.on('request', (request) => {
    const [, name] = /assets\/(routes|index)-[^/]*\.js$/.exec(request.url()) ?? []
    if (name) order.push(`asked ${name}`)
  })
  page.on('requestfinished', (request) => {
    if (/assets\/index-[^/]*\.js$/.test(request.url())) order.push('have index')
  })
  let release = () => {}
  const askedForMap = new Promise<void>((resolve) => {
    release = resolve
  })
  page.on('request', (request) => {
    if (/assets\/routes-/.test(request.url())) release()
  })
  // The app's own script is held back: if the map waited for it, neither would ever load.
  await page.route(/assets\/index-[^/]*\.js$/, async (route) => {
    await askedForMap
    await route.continue()
  })
  await page.goto('/pages/about/about')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(order.indexOf('asked routes')).toBeLessThan(order.indexOf('have index'))
})

test('if the routes cannot be loaded, a link shows an error and the tabs still open', async ({
  page,
}) => {
  await page.route(/assets\/routes-/, (route) => route.abort())
  await page.goto('/')
  await toSearch(page).click()
  await expect(page.getByRole('button', { name: '重试' })).toBeVisible()
  await page.goBack()
  await page.getByRole('navigation').getByRole('link', { name: '服务' }).click()
  await expect(page).toHaveURL(/\/pages\/tab\/service\/index/)
  await expect(page.getByRole('heading', { level: 1, name: '服务' })).toBeVisible()
})
