import { delayApp, painted } from './painted.ts'
import { expect, test } from './test.ts'

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false, locale: 'zh-CN' })

  test('the home page is rendered and its links work', { tag: '@desktop' }, async ({ page }) => {
    await page.goto('/')
    const main = page.getByRole('main')
    await expect(main.getByRole('heading', { level: 1 })).not.toBeEmpty()
    await expect(main.getByText('校历', { exact: true })).toBeVisible()
    await expect(page).toHaveTitle('首页 · 江岚大学')
    await main.getByRole('tabpanel').getByRole('link').first().click()
    await expect(page).toHaveURL(/\/pagesA\/news\/detail\?id=/)
  })
})

test('the server-rendered page is shown before the app and has the same text', async ({ page }) => {
  const refused: string[] = []
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refused.push(message.text())
  })
  const release = await delayApp(page)
  await page.goto('/')
  await expect(painted(page).getByRole('tab', { name: '要闻' })).toBeVisible()
  const text = async () =>
    ((await page.getByRole('main').textContent()) ?? '')
      .replace(/\s+/g, ' ')
      // The page is cached for a minute, while relative times and numbers of readers change.
      .replace(/刚刚|\d+ ?(分钟|小时)前/g, '不久前')
      .replace(/阅读 \d+/g, '阅读')
  const before = await text()
  release()
  await expect(painted(page)).toHaveCount(0)
  expect(await text()).toBe(before)
  expect(refused).toEqual([])
})

test('a tap before the app has loaded is replayed afterwards', async ({ page }) => {
  const release = await delayApp(page)
  await page.goto('/')
  await painted(page).getByRole('tab', { name: '学术' }).click()
  release()
  await expect(page.getByRole('tab', { name: '学术' })).toHaveAttribute('aria-selected', 'true')
  await expect(page).toHaveURL('/pages/tab/index/index')
})

test('a link works while the app cannot be loaded', async ({ page }) => {
  await delayApp(page)
  await page.goto('/')
  await painted(page).getByRole('link', { name: '服务' }).first().click()
  await expect(page).toHaveURL('/pages/tab/service/index', { timeout: 10_000 })
})

for (const [what, stored] of [
  ['with a signed-in member', { idToken: 'e30.e30.' }],
  ['set to the other language', { language: 'en' }],
] as const)
  test(`a visitor’s page is not shown on a device ${what}`, async ({ page }) => {
    await page.addInitScript((values) => {
      for (const [key, value] of Object.entries(values)) localStorage.setItem(key, value)
    }, stored)
    await delayApp(page)
    // Here the app is loaded immediately, and the page's load event waits for it.
    await page.goto('/', { waitUntil: 'domcontentloaded' })
    await expect(page.locator('.splash')).toBeVisible()
    await expect(painted(page)).toHaveCount(0)
  })

test.describe('signed in', () => {
  test.use({ as: 'student' })

  test('a returning member gets the server-rendered page without personal data', async ({
    page,
  }) => {
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toContainText('林知夏')
    await page.waitForLoadState('networkidle')
    // The worker has cached the app, which would start immediately.
    await page.evaluate(async () => {
      for (const worker of await navigator.serviceWorker.getRegistrations())
        await worker.unregister()
    })
    const release = await delayApp(page)
    await page.goto('/')
    await expect(painted(page).getByText('成绩查询')).toBeVisible()
    await expect(painted(page).getByRole('button', { name: '登录' })).toHaveCount(0)
    await expect(painted(page)).not.toContainText('林知夏')
    release()
    await expect(painted(page)).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 1 })).toContainText('林知夏')
  })
})

test('the server-rendered page has the device’s text size and scheme, and no layout shift', async ({
  page,
}) => {
  await page.addInitScript(() => {
    localStorage.setItem('textSize', '200')
    localStorage.setItem('scheme', 'dark')
    let sum = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value
      Object.assign(window, { moved: sum })
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const release = await delayApp(page)
  await page.goto('/')
  const looks = () =>
    page.evaluate(() => [
      getComputedStyle(document.documentElement).fontSize,
      getComputedStyle(document.body).backgroundColor,
      Math.round(document.querySelector('.hero')?.getBoundingClientRect().height ?? 0),
    ])
  await expect(painted(page).getByRole('main')).toBeVisible()
  const before = await looks()
  expect(before[0]).toBe('32px')
  release()
  await expect(painted(page)).toHaveCount(0)
  await page.waitForLoadState('networkidle')
  expect(await looks()).toEqual(before)
  const moved = await page.evaluate(() => (window as unknown as { moved?: number }).moved ?? 0)
  expect(moved).toBeLessThan(0.02)
})
