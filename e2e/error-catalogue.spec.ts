import type { Page } from '@playwright/test'
import { expect as hasty, test } from './test.ts'

/* The error catalogue of the specification (shell 8), one test per row. Pages in a container run in the simulator,
   which starts two pages in one, so its tests have a longer timeout. */
const expect = hasty.configure({ timeout: 15_000 })

const home = '/pages/tab/index/index'

async function inMiniProgram(page: Page, address: string) {
  await page.goto(`/simulator/?container=mini-ios&address=${encodeURIComponent(address)}`)
  return page.frameLocator('iframe')
}
const failure = (error: string, message: string) => ({
  status: 500,
  json: { code: 500, error, message, data: null, requestId: 'a-request' },
})

test('no login token on an H5 call: redirected to the central login without the call', async ({
  page,
}) => {
  const calls: string[] = []
  page.on('request', (request) => calls.push(request.url()))
  await page.goto('/pages/myInfo/myInfo')
  await expect(page).toHaveURL(/\/cas\/login\?service=.*myInfo/)
  expect(calls.filter((url) => url.includes('/personal/'))).toEqual([])
})

test.describe('with an expired token', () => {
  const expired = () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    return `${part({ alg: 'ES256' })}.${part({ sub: 'student', exp: 1_700_000_000 })}.x`
  }
  test.beforeEach(({ page }) =>
    page.addInitScript((token) => localStorage.setItem('idToken', token), expired()),
  )

  test('expired token: redirected to the central login', async ({ page }) => {
    await page.goto('/pages/myInfo/myInfo')
    await expect(page).toHaveURL(/\/cas\/login/)
  })

  test('expired token in a mini-program: the portal’s own login page is shown', async ({
    page,
  }) => {
    const portal = await inMiniProgram(page, '/pages/myInfo/myInfo')
    await expect(portal.getByRole('button', { name: '登录', exact: true })).toBeVisible()
    await expect(portal.getByLabel('密码', { exact: true })).toBeVisible()
  })
})

test.describe('as a member', () => {
  test.use({ as: 'student' })

  test('mini-program request with status 500: the server’s message is shown as a toast', async ({
    page,
  }) => {
    await page.route('**/service/overview*', (route) =>
      route.fulfill(failure('server.failed', '服务器出错了')),
    )
    const portal = await inMiniProgram(page, '/pages/tab/service/index')
    await expect(portal.getByRole('status').filter({ hasText: '服务器出错了' })).toBeVisible()
  })

  test('mini-program request with status 500, account not activated: no toast', async ({
    page,
  }) => {
    await page.route('**/service/overview*', (route) =>
      route.fulfill(failure('login.not_activated', '账号未激活')),
    )
    const portal = await inMiniProgram(page, '/pages/tab/service/index')
    await expect(portal.getByRole('button', { name: '重试' })).toBeVisible()
    await expect(portal.getByRole('status').filter({ hasText: '未激活' })).toHaveCount(0)
  })

  test('mini-program request with status 500, not activated upstream: no toast', async ({
    page,
  }) => {
    await page.route('**/service/overview*', (route) =>
      route.fulfill(failure('upstream.failed', '帐号未激活')),
    )
    const portal = await inMiniProgram(page, '/pages/tab/service/index')
    await expect(portal.getByRole('button', { name: '重试' })).toBeVisible()
    await expect(portal.getByRole('status').filter({ hasText: '未激活' })).toHaveCount(0)
  })

  test('other request failure: the page shows its error state without a toast', async ({
    page,
  }) => {
    await page.route('**/service/overview*', (route) =>
      route.fulfill(failure('server.failed', '服务器出错了')),
    )
    await page.goto('/pages/tab/service/index')
    await expect(page.getByRole('button', { name: '重试' })).toBeVisible()
    await expect(page.getByRole('status').filter({ hasText: '服务器出错了' })).toHaveCount(0)
  })

  test('aborted request: ignored silently', async ({ page }) => {
    const issues: string[] = []
    page.on('pageerror', ({ message }) => issues.push(message))
    await page.goto('/pages/service/search')
    // Each further letter aborts the previous search.
    await page.route('**/service/list*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 800))
      await route.continue().catch(() => {})
    })
    await page.getByRole('searchbox').pressSequentially('图书馆', { delay: 600 })
    await expect(page.getByText(/找到 \d+ 项服务/)).toBeVisible()
    await expect(page.getByRole('button', { name: '重试' })).toHaveCount(0)
    expect(issues).toEqual([])
  })

  test('platform config fetch failure: the stored copy is used without an error message', async ({
    page,
  }) => {
    await page.goto(home)
    await expect(page.getByText('江岚大学').first()).toBeVisible()
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem('platFormConfig')))
      .toContain('servicesNumPerRow')
    await page.route('**/v1/config/**', (route) => route.abort())
    await page.reload()
    await expect(page.getByText('江岚大学').first()).toBeVisible()
    await expect(page.getByRole('heading', { name: '常用服务', exact: true })).toBeVisible()
    await expect(page.getByText('网络不畅')).toHaveCount(0)
  })

  test('unread count or cache read failure: ignored, the count is 0', async ({ page }) => {
    await page.addInitScript(() => localStorage.setItem('totalCount', '{broken'))
    await page.route('**/getAllUnReadCount*', (route) => route.abort())
    await page.route('**/portal-api/v1/home', (route) => route.abort())
    await page.goto('/pages/tab/my/my')
    await expect(page.getByRole('heading', { name: '林知夏' })).toBeVisible()
    await expect(page.getByText(/条未读/)).toHaveCount(0)
    expect(await page.evaluate(() => localStorage.getItem('totalCount'))).not.toBe('{broken')
  })

  test('chunk load failure: the page shows its error state', async ({ page }) => {
    await page.goto(home)
    await expect(page.getByRole('heading', { name: '常用服务', exact: true })).toBeVisible()
    await page.route('**/assets/*.js', (route) => route.abort())
    await page.route('/', (route) => route.abort())
    await page.getByRole('link', { name: '我的' }).click()
    await expect(page.getByText('这个页面还没有保存在本机')).toBeVisible()
    await expect(page.getByRole('button', { name: '重试' })).toBeVisible()
  })

  test('chunk load failure with status 503: an error without a network hint, and a retry', async ({
    page,
  }) => {
    await page.goto(home)
    await expect(page.getByRole('heading', { name: '常用服务', exact: true })).toBeVisible()
    await page.route('**/assets/tab-personal*.js', (route) => route.fulfill({ status: 503 }))
    // As behind a proxy while the server restarts.
    await page.route('/', (route) => route.fulfill({ status: 503 }))
    await page.getByRole('link', { name: '我的' }).click()
    await expect(page.getByText('页面没有加载成功，请重试。')).toBeVisible()
    await expect(page.getByText('没有网络')).toHaveCount(0)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.getByRole('button', { name: '重试' }).click()
    await expect(page.getByRole('heading', { name: '林知夏' })).toBeVisible()
  })

  test('chunk load failure by timeout: after a minute the page shows its error state', async ({
    page,
  }) => {
    await page.clock.install()
    await page.goto(home)
    await page.clock.runFor(3000)
    await expect(page.getByRole('heading', { name: '常用服务', exact: true })).toBeVisible()
    await page.route('**/assets/tab-personal*.js', () => {})
    await page.getByRole('link', { name: '我的' }).click()
    await page.clock.runFor(59_000)
    const late = page.getByText('页面没有加载成功，请重试。')
    await expect(late).toHaveCount(0)
    await page.clock.runFor(2000)
    await expect(late).toBeVisible()
    await expect(page.getByText('没有网络')).toHaveCount(0)
    await expect(page.getByRole('button', { name: '重试' })).toBeVisible()
  })

  test('chunk load failure with status 404: reloaded at most once, then reported', async ({
    page,
  }) => {
    await page.goto(home)
    await expect(page.getByRole('heading', { name: '常用服务', exact: true })).toBeVisible()
    let loads = 0
    page.on('domcontentloaded', () => loads++)
    await page.route('**/assets/tab-personal*.js', (route) => route.fulfill({ status: 404 }))
    await page.getByRole('link', { name: '我的' }).click()
    await expect(page.getByText('page code: missing')).toBeVisible()
    // The address changes and the page reloads at most once.
    expect(loads).toBeLessThanOrEqual(1)
  })

  test('mini-program environment check outside the messaging-platform browser: not made', async ({
    page,
  }) => {
    const requested: string[] = []
    page.on('request', (request) => requested.push(new URL(request.url()).pathname))
    const play = async (container: string) => {
      requested.length = 0
      await page.goto(`/simulator/?container=${container}&address=${home}`)
      return page.frameLocator('iframe')
    }
    // In WeChat, its script reports whether this is a mini-program.
    await play('wechat')
    await expect.poll(() => requested).toContain('/simulator/wx.js')
    // Elsewhere nothing is asked and nothing waits: the page is a browser's, even if another container's user agent
    // contains WeChat's name.
    for (const container of ['wecom', 'browser']) {
      const portal = await play(container)
      await portal.getByRole('button', { name: '扫一扫' }).click()
      await expect(portal.getByRole('dialog', { name: '扫一扫' })).toBeVisible()
      expect(requested).not.toContain('/simulator/wx.js')
    }
  })

  test('link in a mini-program: advice to open it in a browser', async ({ page }) => {
    const portal = await inMiniProgram(
      page,
      '/pages/webview/webview?url=https%3A%2F%2Fexample.org%2Fa',
    )
    await portal.getByRole('link', { name: '继续' }).click()
    await expect(portal.getByRole('status').filter({ hasText: '请在浏览器中打开' })).toBeVisible()
  })

  test('failed native host events: ignored', async ({ page }) => {
    const issues: string[] = []
    page.on('pageerror', ({ message }) => issues.push(message))
    await page.goto(`/simulator/?container=app-android&address=${home}`)
    const portal = page.frameLocator('iframe')
    await page.getByLabel('支持消息协议').uncheck()
    await page.getByRole('button', { name: '重新打开' }).click()
    await expect(portal.getByRole('heading', { name: '常用服务', exact: true })).toBeVisible()
    await expect(portal.getByRole('alert')).toHaveCount(0)
    expect(issues).toEqual([])
  })
})
