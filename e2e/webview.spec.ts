import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { axeViolations } from './axe.ts'
import { atrium } from './command-line.ts'
import { expect, test } from './test.ts'

// Serial: the site below uses the one port that the server may connect to besides the internet.
test.describe.configure({ mode: 'default' })

const port = Number(process.env.ATRIUM_E2E_SITE_PORT)
/** The portal is at localhost: another name is another origin. */
const site = `http://127.0.0.1:${port}`
const unreachable = 'http://127.0.0.1:1'

/** A small site of the institution. */
const server = http.createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', site)
  response.setHeader('content-type', 'text/html; charset=utf-8')
  if (pathname === '/deny') response.setHeader('x-frame-options', 'DENY')
  if (pathname === '/policy')
    response.setHeader('content-security-policy', "frame-ancestors 'self' https://a.example")
  if (pathname === '/slow') return setTimeout(() => response.end(html('Slow')), 20_000).unref()
  if (pathname === '/stranger')
    // The same server under a third name: not the framed origin.
    return response.end(
      html('Stranger', `<iframe title="stranger" src="http://localhost:${port}/shout"></iframe>`),
    )
  if (pathname === '/shout')
    return response.end(html('Shout', `<script>top.postMessage({ atrium: 'close' }, '*')</script>`))
  response.end(
    html(pathname, '<p><a href="/second">Second page</a> <a href="/third">Third</a></p>'),
  )
})
const html = (title: string, body = '') =>
  `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1>${body}</main></html>`

test.beforeAll(async () => {
  test.setTimeout(120_000)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await registerServices(
    `WEB-OPEN,开放时间查询,Opening hours,${site}/\nWEB-DOWN,停机的系统,Out of order,${unreachable}/`,
  )
})
test.afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** For teachers only, so that other tests do not see them. */
async function registerServices(lines: string) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'atrium-web-'))
  const file = path.join(folder, 'services.csv')
  const rows = lines.split('\n').map((line) => `${line},it,identity:T01`)
  await writeFile(file, ['serviceNo,name,nameEn,url,type,audience', ...rows].join('\n'))
  const ports = [site, unreachable].map((address) => `127.0.0.1:${new URL(address).port}`)
  await atrium(['import', 'services', file], '', { ATRIUM_OUTBOUND_ALLOW: ports.join(',') })
  await rm(folder, { recursive: true })
}

const screenFor = (address: string) => `/pages/webview/webview?url=${encodeURIComponent(address)}`
const frameIn = (page: Page) => page.frameLocator('iframe.web-frame')

/** Starts from home, so that there is a history entry to go back to. */
async function openFromHome(page: Page, address: string) {
  await page.goto('/pages/tab/index/index')
  await expect(page.getByRole('navigation')).toBeVisible()
  await page.evaluate((href) => {
    history.pushState(null, '', href)
    dispatchEvent(new PopStateEvent('popstate'))
  }, screenFor(address))
}

test.describe('a registered service', () => {
  test.use({ as: 'teacher' })

  test('is shown in a sandboxed frame with access to camera and location', async ({ page }) => {
    await page.goto(screenFor(`${site}/first`))
    await expect(frameIn(page).getByRole('heading', { name: '/first' })).toBeVisible()
    await expect(page.getByRole('heading', { name: '开放时间查询' })).toBeVisible()
    await expect(page.getByRole('progressbar')).toHaveCount(0)
    const element = page.locator('iframe.web-frame')
    await expect(element).toHaveAttribute('referrerpolicy', 'strict-origin')
    const sandbox = (await element.getAttribute('sandbox'))?.split(' ')
    expect(sandbox).toContain('allow-same-origin')
    expect(sandbox?.filter((word) => word.startsWith('allow-top'))).toEqual([])
    const frame = page.frames().find((candidate) => candidate.url() === `${site}/first`)
    const may = await frame?.evaluate(() => {
      const { featurePolicy } = document as unknown as {
        featurePolicy: { allowsFeature: (name: string) => boolean }
      }
      return ['camera', 'geolocation', 'microphone'].map((name) =>
        featurePolicy.allowsFeature(name),
      )
    })
    expect(may).toEqual([true, true, false])
    // It cannot navigate the top window.
    await frame?.evaluate(() => {
      try {
        top?.location.assign('/second')
      } catch {
        // refused, as expected
      }
    })
    await expect(page).toHaveURL(/\/pages\/webview\/webview/)
  })

  test('goes back step by step, and closes at once', async ({ page }) => {
    await openFromHome(page, `${site}/first`)
    await frameIn(page).getByRole('link', { name: 'Second page' }).click()
    await expect(frameIn(page).getByRole('heading', { name: '/second' })).toBeVisible()
    await frameIn(page).getByRole('link', { name: 'Third' }).click()
    await expect(frameIn(page).getByRole('heading', { name: '/third' })).toBeVisible()
    await page.getByRole('button', { name: '返回' }).click()
    await expect(frameIn(page).getByRole('heading', { name: '/second' })).toBeVisible()
    await page.getByRole('button', { name: '关闭网页' }).click()
    await expect(page).toHaveURL(/\/pages\/tab\/index\/index$/)
    await expect(page.getByRole('navigation')).toBeVisible()
  })

  test('closes with the back button when nothing was opened inside', async ({ page }) => {
    await openFromHome(page, `${site}/first`)
    await expect(frameIn(page).getByRole('heading', { name: '/first' })).toBeVisible()
    await expect(page.getByRole('button', { name: '关闭网页' })).toHaveCount(0)
    await page.getByRole('button', { name: '返回' }).click()
    await expect(page).toHaveURL(/\/pages\/tab\/index\/index$/)
  })

  test('can set the title, open portal addresses and close itself by messages', async ({
    page,
  }) => {
    await openFromHome(page, `${site}/first`)
    const frame = frameIn(page)
    await expect(frame.getByRole('heading')).toBeVisible()
    const say = (message: object) =>
      frame.locator('body').evaluate((_, data) => top?.postMessage(data, '*'), message)
    await say({ atrium: 'setTitle', title: '今日开放' })
    await expect(page.getByRole('heading', { name: '今日开放' })).toBeVisible()
    await expect(page).toHaveTitle(/^今日开放/)
    await say({ atrium: 'openAddress', address: 'javascript:alert(1)' })
    await say({ atrium: 'logout' })
    await say({ atrium: 'openAddress', address: 'pagesA/news/news' })
    await expect(page).toHaveURL(/\/pagesA\/news\/news/)
    await page.goBack()
    await expect(frame.getByRole('heading')).toBeVisible()
    await say({ atrium: 'close' })
    await expect(page).toHaveURL(/\/pages\/tab\/index\/index$/)
  })

  test('cannot be controlled by a foreign frame inside it', async ({ page }) => {
    await openFromHome(page, `${site}/stranger`)
    const stranger = frameIn(page).frameLocator('iframe')
    await expect(stranger.getByRole('heading', { name: 'Shout' })).toBeVisible()
    await page.waitForTimeout(300)
    await expect(page).toHaveURL(/\/pages\/webview\/webview/)
  })

  test('has a menu to refresh, copy the link and open the browser', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(screenFor(`${site}/first`))
    await frameIn(page).getByRole('link', { name: 'Second page' }).click()
    await expect(frameIn(page).getByRole('heading', { name: '/second' })).toBeVisible()
    const menu = page.getByRole('button', { name: '更多操作' })
    await menu.click()
    const sheet = page.getByRole('dialog', { name: `127.0.0.1:${port}` })
    await sheet.getByRole('button', { name: '复制链接' }).click()
    await expect(page.getByText('已复制')).toBeVisible()
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe(`${site}/first`)
    await menu.click()
    const opening = context.waitForEvent('page')
    await sheet.getByRole('link', { name: '在浏览器中打开' }).click()
    const outside = await opening
    await expect(outside).toHaveURL(`${site}/first`)
    expect(await outside.evaluate(() => opener)).toBeNull()
    await outside.close()
    await menu.click()
    await sheet.getByRole('button', { name: '刷新' }).click()
    await expect(frameIn(page).getByRole('heading', { name: '/first' })).toBeVisible()
  })

  for (const [path, header] of [
    ['/deny', 'X-Frame-Options'],
    ['/policy', 'frame-ancestors'],
  ] as const)
    test(`that forbids framing by ${header} offers to open in the browser`, async ({ page }) => {
      await page.goto(screenFor(site + path))
      await expect(page.getByRole('heading', { name: '需要在浏览器中打开' })).toBeVisible()
      await expect(page.getByText('开放时间查询')).toBeVisible()
      await expect(page.locator('iframe')).toHaveCount(0)
      const link = page.getByRole('link', { name: '在浏览器中打开' })
      await expect(link).toHaveAttribute('href', site + path)
      await expect(link).toHaveAttribute('target', '_blank')
      await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
    })

  test('that is down shows an error and can be opened anyway', async ({ page }) => {
    await page.goto(screenFor(`${unreachable}/x`))
    await expect(page.getByRole('heading', { name: '暂时连不上这个网站' })).toBeVisible()
    await page.getByRole('button', { name: '仍然在这里打开' }).click()
    await expect(page.locator('iframe.web-frame')).toBeVisible()
  })

  test('that is slow offers to open in the browser', async ({ page }) => {
    await page.goto(screenFor(`${site}/slow`))
    await expect(page.getByRole('progressbar', { name: '正在打开网页' })).toBeVisible()
    const hint = page.getByText('网页打开较慢')
    await expect(hint).toBeVisible({ timeout: 15_000 })
    await expect(page.getByRole('link', { name: '在浏览器中打开' })).toBeVisible()
    await page.getByRole('button', { name: '关闭提示' }).click()
    await expect(hint).toHaveCount(0)
  })

  test('whose check fails can be retried', async ({ page }) => {
    await page.route('**/webview/check*', (route) => route.abort())
    await page.goto(screenFor(`${site}/first`))
    await expect(page.getByText('没有加载成功')).toBeVisible()
    await page.unroute('**/webview/check*')
    await page.getByRole('button', { name: '重试' }).click()
    await expect(frameIn(page).getByRole('heading', { name: '/first' })).toBeVisible()
  })

  test('can replace a tab', async ({ page }) => {
    await page.route('**/getSystemConf', async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      body.data.footTabs[1].externalUrl = `${site}/first`
      await route.fulfill({ response, json: body })
    })
    await page.goto('/pages/webview/tab-webview-2')
    await expect(frameIn(page).getByRole('heading', { name: '/first' })).toBeVisible()
    await expect(page.getByRole('heading', { name: '服务' })).toBeVisible()
    await expect(page.getByRole('button', { name: '返回' })).toHaveCount(0)
  })

  for (const locale of ['zh-CN', 'en-US'])
    test.describe(locale, () => {
      test.use({ locale })
      test('has no axe violations', async ({ page }) => {
        for (const address of [`${site}/first`, `${site}/deny`, `${unreachable}/`]) {
          await page.goto(screenFor(address))
          await page.waitForLoadState('networkidle')
          await expect(page.locator('.skeleton')).toHaveCount(0)
          expect(await axeViolations(page)).toEqual([])
        }
      })
    })
})

test.describe('a service outside the member’s audience', () => {
  test.use({ as: 'student' })
  test('is treated as an unknown site, which must use HTTPS', async ({ page }) => {
    await page.goto(screenFor(`${site}/first`))
    await expect(page.getByText('不能打开这个地址')).toBeVisible()
    await expect(page.locator('iframe')).toHaveCount(0)
  })
})

test('the warning page shows the punycode host and blocks unsafe addresses', async ({ page }) => {
  await page.goto(screenFor('https://аррӏе.com/login'))
  await expect(page.getByText('xn--80ak6aa92e.com', { exact: true })).toBeVisible()
  await expect(page.getByText(/аррӏе\.com/)).toBeVisible()
  for (const hostile of [
    'https://portal.example@evil.example/',
    'data:text/html,x',
    'weixin://dl',
  ]) {
    await page.goto(screenFor(hostile))
    await expect(page.getByText('不能打开这个地址')).toBeVisible()
    await expect(page.locator('iframe, a[target=_blank]')).toHaveCount(0)
  }
})

test.describe('a page that receives the member’s identity', () => {
  test.use({ as: 'teacher' })
  const folder = `${site}/signed-on`
  test.beforeAll(async () => {
    const party = ['--name', '报修', '--address', folder, '--attribute', 'name']
    await atrium(['relying-party', 'set', 'web-signed-on', ...party, '--purpose', '显示你是谁'])
  })
  test.afterEach(async () => {
    await atrium(['config', 'set', 'authCollects', '{}'])
    await atrium(['config', 'set', 'casArry', '[]'])
  })

  test('gets a token in its address, which is not in the portal’s address', async ({ page }) => {
    await atrium(['config', 'set', 'authCollects', JSON.stringify({ [folder]: 'url,access' })])
    await openFromHome(page, `${folder}/form?id=5`)
    await expect(frameIn(page).getByRole('heading', { name: '/signed-on/form' })).toBeVisible()
    const frame = page.frames().find((candidate) => candidate.url().startsWith(folder))
    const { searchParams } = new URL(frame?.url() ?? '')
    expect(searchParams.get('id')).toBe('5')
    expect(searchParams.get('access')).toMatch(/^ey/)
    expect(page.url()).not.toContain('access')
  })

  test('opens in the browser through the central login, which is never framed', async ({
    page,
  }) => {
    await atrium(['config', 'set', 'casArry', JSON.stringify([folder])])
    await openFromHome(page, `${folder}/form`)
    await expect(page.getByRole('heading', { name: '需要在浏览器中打开' })).toBeVisible()
    const [outside] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: '在浏览器中打开' }).click(),
    ])
    await expect(outside).toHaveURL(/\/cas\/login\?service=.*signed-on|\/signed-on\/form\?ticket=/)
  })

  test('opens without a token when the server does not respond', async ({ page }) => {
    await atrium(['config', 'set', 'authCollects', JSON.stringify({ [folder]: 'url,access' })])
    await page.route('**/v1/webview/open', (route) => route.abort())
    await openFromHome(page, `${folder}/form`)
    await expect(frameIn(page).getByRole('heading', { name: '/signed-on/form' })).toBeVisible()
  })
})

test('portal pages are framed without their bars', async ({ page }) => {
  await page.goto(screenFor('/pagesA/news/news?columnCode=headlines'))
  const frame = frameIn(page)
  await expect(frame.getByRole('list', { name: '要闻' })).toBeVisible()
  await expect(frame.getByRole('navigation', { name: '主导航' })).toHaveCount(0)
  // The title appears once, in the surrounding bar, even after navigating inside.
  const title = page.locator('.web-frame-bar').getByRole('heading', { level: 1 })
  await expect(title).toHaveText('资讯')
  await expect(frame.locator('.nav-bar-title')).toHaveCount(0)
  await frame.locator('a[href^="/pagesA/news/detail"]').first().click()
  // An article's title is its column, as soon as it is known.
  await expect(title).toHaveText('要闻')
  await page.goto(screenFor('/files/1'))
  await expect(page.getByRole('heading', { name: '需要在浏览器中打开' })).toBeVisible()
  await page.goto(screenFor('/pages/webview/webview?url=%2F'))
  await expect(page.getByText('不能打开这个地址')).toBeVisible()
})

test('a framed members-only page redirects the whole app to the login', async ({ page }) => {
  await page.goto(screenFor('/pages/set/set'))
  await expect(page).toHaveURL(/\/cas\/login\?service=/)
  await expect(page.getByLabel('密码')).toBeVisible()
})

test.describe('without a configured address', () => {
  test.use({ as: 'student' })
  for (const [address, instead] of [
    ['/pages/webview/news-webview', /\/pages\/msgCenterTab\/news\/news$/],
    ['/pages/webview/newtask-webview', /\/pages\/msgCenterTab\/newtask\/newtask$/],
    ['/pages/webview/schedule-webview', /\/pages\/tab\/schedule\/schedule\?isHideTabbar=1$/],
    ['/pages/webview/tab-webview-5', /\/pages\/tab\/my\/my$/],
  ] as const)
    test(`${address} opens the portal’s own screen`, async ({ page }) => {
      await page.goto(address)
      await expect(page).toHaveURL(instead)
      await expect(page.locator('h1:visible')).toHaveCount(1)
    })
})
