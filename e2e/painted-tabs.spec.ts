import type { Page } from '@playwright/test'
import { delayApp, painted } from './painted.ts'
import { expect, test } from './test.ts'

// Without a service worker every start is a first one; with `prefetching` it does not ask to save data.
test.use({ as: 'student', prefetching: true })

/** The page's own events wait for the app. */
const open = (page: Page, path: string) => page.goto(path, { waitUntil: 'commit' })

const tabs = {
  services: '/pages/tab/service/index',
  messages: '/pages/msgCenterTab/newtask/newtask',
  schedule: '/pages/tab/schedule/schedule',
  me: '/pages/tab/my/my',
}

async function expectShownBeforeApp(page: Page, path: string) {
  const refused: string[] = []
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refused.push(message.text())
  })
  await page.addInitScript(() => {
    let shift = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shift += (entry as never as { value: number }).value
      Object.assign(window, { shift })
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const release = await delayApp(page)
  await open(page, path)
  await expect(painted(page).getByRole('main')).toBeVisible()
  expect(await painted(page).locator('.skeleton').count()).toBe(0)
  const names = async () =>
    (await page.getByRole('main').locator('h1, h2, a, button').allInnerTexts()).map((text) =>
      text
        .replace(/\s+/g, ' ')
        // Times have passed, other tests change loans and mail, and counts come with later requests.
        .replace(/\d+ ?(秒|分钟|小时|天)(前|后)|刚刚|(?<=待办|我的订阅) \d+.*|\d+ (本|封).*/g, ''),
    )
  const before = await names()
  expect(before.length).toBeGreaterThan(12)
  release()
  await expect(painted(page)).toHaveCount(0)
  const after = await names()
  // The walk to today's next event comes with a later request, in a line that was reserved for it.
  const isKept = (name: string) => after.some((now) => now.startsWith(name))
  expect(before.filter((name) => !isKept(name))).toEqual([])
  expect(await page.evaluate(() => (window as { shift?: number }).shift ?? 0)).toBeLessThan(0.02)
  expect(refused).toEqual([])
}

for (const [name, path] of Object.entries(tabs))
  test(`${name} is shown before the app, which moves nothing`, ({ page }) =>
    expectShownBeforeApp(page, path))

test.describe('a visitor', () => {
  test.use({ as: undefined })
  test('sees the services before the app', ({ page }) => expectShownBeforeApp(page, tabs.services))
})

test('a tap before the app has loaded is replayed afterwards', async ({ page }) => {
  const release = await delayApp(page)
  await open(page, tabs.schedule)
  await painted(page).getByRole('tab', { name: '列表' }).click()
  release()
  await expect(page.getByRole('tab', { name: '列表' })).toHaveAttribute('aria-selected', 'true')
})

test('a link works while the app cannot be loaded', async ({ page }) => {
  await delayApp(page)
  await open(page, tabs.me)
  await painted(page).getByRole('link', { name: '个人资料' }).click()
  await expect(page).toHaveURL('/pages/myInfo/myInfo', { timeout: 10_000 })
})

test.describe('the splash stays', () => {
  const expectSplash = async (page: Page, path: string, asked: boolean) => {
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await delayApp(page)
    const answered = page.waitForResponse(/getSystemConf/)
    await open(page, path)
    await answered
    await expect(page.locator('.splash')).toBeVisible()
    await expect(painted(page)).toHaveCount(0)
    expect(requests.some((url) => url.includes('paintedTab'))).toBe(asked)
  }

  test('with a part of the tab in the address', async ({ page }) => {
    await expectSplash(page, `${tabs.messages}?isactive=1`, false)
  })

  test('if the server has nothing to paint', async ({ page }) => {
    await page.route(/paintedTab/, (route) =>
      route.fulfill({ json: { code: 0, message: '', data: null } }),
    )
    await expectSplash(page, tabs.me, true)
  })

  test('if a style sheet cannot be loaded', async ({ page }) => {
    await page.route(/tab-personal-[\w-]+\.css$/, (route) => route.abort())
    await expectSplash(page, tabs.me, true)
  })

  test.describe('with data saving', () => {
    test.use({ prefetching: false })
    test('on', async ({ page }) => {
      await expectSplash(page, tabs.me, false)
    })
  })

  test.describe('for a visitor', () => {
    test.use({ as: undefined })
    test('on a tab of members', async ({ page }) => {
      await expectSplash(page, tabs.schedule, false)
    })
  })
})
