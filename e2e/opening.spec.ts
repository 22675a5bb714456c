import http from 'node:http'
import { endpoints } from '@atrium/contract'
import type { Page } from '@playwright/test'
import { idToken } from './session.ts'
import { expect, test } from './test.ts'

// Registered once for all tests below.
test.describe.configure({ mode: 'default' })
test.use({ as: 'teacher' })

/** A third party on our own host, so that the browser sends it cookies. */
const port = Number(process.env.ATRIUM_E2E_DESK_PORT)
const desk = `http://localhost:${port}/desk`
let sent: { url: string; cookie: string }[] = []
const server = http.createServer((request, response) => {
  sent.push({ url: request.url ?? '', cookie: request.headers.cookie ?? '' })
  response.setHeader('content-type', 'text/html')
  response.end('<!doctype html><title>Desk</title><h1>Desk</h1>')
})
test.beforeEach(() => {
  sent = []
})
test.afterAll(() => {
  server.closeAllConnections()
  server.close()
})

let url = ''
// A worker restarted after a failure registers its own.
const [byCookie, byHeader] = ['cookie', 'header'].map((way) => `desk-${way}-${Date.now()}`) as [
  string,
  string,
]

test.beforeAll(async ({ baseURL }) => {
  url = baseURL ?? ''
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve))
  const { serviceTypes } = endpoints
  const [type] = (await callApi(serviceTypes.list.method, serviceTypes.list.path)) as {
    id: string
  }[]
  for (const [code, tokenType, tokenKey] of [
    [byCookie, 'cookie', 'desk_ticket'],
    [byHeader, 'header', 'X-Desk-Token'],
  ] as const)
    await register(type?.id ?? '', code, { tokenType, tokenKey })
})

/** A service that receives only the member's username, without asking. */
async function register(typeId: string, code: string, way: object) {
  const { catalogue, registry, serviceHealth } = endpoints
  const { serviceId } = await callApi(catalogue.create.method, catalogue.create.path, {
    serviceNo: code.toUpperCase(),
    serviceName: code,
    desc: '预订一个工位',
    serviceUrl: `${desk}/${code}`,
    typeId,
    audience: [{ kind: 'identity', target: 'T01' }],
    tokenAccept: [way],
  })
  const { method, path } = serviceHealth.change
  await callApi(method, path.replace('{serviceId}', serviceId), { watched: false })
  await callApi(registry.create.method, registry.create.path, { code, serviceId })
}

// biome-ignore lint/suspicious/noExplicitAny: whatever the operator's calls answer
async function callApi(method: string, address: string, body?: object): Promise<any> {
  const answer = await fetch(`${url}${address}`, {
    method,
    headers: { 'x-id-token': await idToken(url, 'admin'), 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  return ((await answer.json()) as { data: unknown }).data
}

const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
    aud: string
    sub: string
  }

const searchOf = (words: string) => `/pages/service/search?keyWords=${encodeURIComponent(words)}`

/** Inside a host app: the portal's frame, and its calls to the app. */
async function inApp(page: Page, address: string) {
  await page.goto(`/simulator/?container=app-android&address=${encodeURIComponent(address)}`)
  const portal = page.frameLocator('iframe')
  const loggedCall = (name: string) =>
    page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) })
  await expect(loggedCall('hello')).toHaveCount(1)
  return { portal, loggedCall }
}

test('a service on the portal’s host receives its token as an HTTP-only cookie', async ({
  page,
}) => {
  await page.goto(searchOf(byCookie))
  await page.getByRole('button', { name: new RegExp(`^${byCookie} `) }).click()
  await expect(page).toHaveURL(/\/pages\/webview\/webview\?url=/)
  // Not in the address, which would be logged and shared.
  expect(page.url()).not.toContain('ey')
  await expect(page.frameLocator('iframe').getByRole('heading', { name: 'Desk' })).toBeVisible()
  const ticket = /desk_ticket=([^;]+)/.exec(sent.at(-1)?.cookie ?? '')?.[1] ?? ''
  expect(claimsOf(ticket)).toMatchObject({ aud: byCookie, sub: 'teacher' })
  const cookies = await page.context().cookies()
  expect(cookies.find(({ name }) => name === 'desk_ticket')).toMatchObject({ httpOnly: true })
})

test('a host app receives the token of a service as a header to send', async ({ page }) => {
  const { portal, loggedCall } = await inApp(page, searchOf(byHeader))
  const answer = page.waitForResponse(`**${endpoints.serviceOpening.launch.path}`)
  await portal.getByRole('button', { name: new RegExp(`^${byHeader} `) }).click()
  const opened = loggedCall('openService').first()
  await expect(opened).toContainText(`"url":"${desk}/${byHeader}"`)
  await expect(opened).toContainText('"type":"header","key":"X-Desk-Token","value":"ey')
  const { data } = (await (await answer).json()) as { data: { tokens: { value: string }[] } }
  expect(claimsOf(data.tokens[0]?.value ?? '')).toMatchObject({ aud: byHeader, sub: 'teacher' })
})

test('in a browser, a header token is sent in the address instead', async ({ page }) => {
  await page.goto(searchOf(byHeader))
  await page.getByRole('button', { name: new RegExp(`^${byHeader} `) }).click()
  await expect(page.frameLocator('iframe').getByRole('heading', { name: 'Desk' })).toBeVisible()
  const { searchParams } = new URL(sent.at(-1)?.url ?? '', desk)
  const token = searchParams.get('X-Desk-Token') ?? ''
  expect(claimsOf(token)).toMatchObject({ aud: byHeader, sub: 'teacher' })
})

test('a mini-program opens in the host app, and as a web page in a browser', async ({
  page,
  context,
}) => {
  await context.route('https://*.jianglan.example/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Shop</title>' }),
  )
  const { portal, loggedCall } = await inApp(page, searchOf('校园超市'))
  await portal.getByRole('button', { name: /^校园超市 / }).click()
  const asked = loggedCall('sysNavigateToMiniProgram').first()
  await expect(asked).toContainText('"appId":"wx0000000000000000"')
  await expect(asked).toContainText('"path":"pages/index/index"')

  await page.goto(searchOf('校园超市'))
  const beside = context.waitForEvent('page')
  await page.getByRole('button', { name: /^校园超市 / }).click()
  expect((await beside).url()).toBe('https://shop.jianglan.example/')
})

test('a service for the browser opens in a new page', async ({ page, context }) => {
  await context.route('https://*.jianglan.example/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Software</title>' }),
  )
  await page.goto(searchOf('正版软件'))
  const beside = context.waitForEvent('page')
  await page.getByRole('button', { name: /^正版软件 / }).click()
  expect((await beside).url()).toMatch(/^https:\/\/\w+\.jianglan\.example\//)
  await expect(page).toHaveURL(/\/pages\/service\/search/)
})

test.describe('inside WeCom', () => {
  test.use({
    userAgent:
      'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36 wxwork/4.1.30 MicroMessenger/7.0.1',
  })

  test('a service for the client’s viewer replaces the portal until going back', async ({
    page,
  }) => {
    await page.route('https://*.jianglan.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><h1>Meetings</h1>' }),
    )
    await page.goto(searchOf('视频会议'))
    await page.getByRole('button', { name: /^视频会议 / }).click()
    // The whole window, not a frame.
    await expect(page).toHaveURL(/^https:\/\/\w+\.jianglan\.example\//)
    await page.goBack()
    await expect(page.getByRole('button', { name: /^视频会议 / })).toBeVisible()
  })
})

test.describe('inside DingTalk', () => {
  test.use({
    userAgent:
      'Mozilla/5.0 (Linux; U; Android 12; zh-CN; KB2000 Build/RKQ1.211119.001) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/69.0.3497.100 UWS/3.22.1.249 Mobile Safari/537.36 AliApp(DingTalk/7.0.0.11) com.alibaba.android.rimet/27811579 Channel/263200 language/zh-CN abi/64 UT4Aplus/0.2.25 colorScheme/light',
  })

  test('a service for the client’s viewer is opened by the client beside the portal', async ({
    page,
  }) => {
    await page.goto(searchOf('视频会议'))
    const protocol = await page.context().newCDPSession(page)
    await protocol.send('Page.enable')
    const handed = new Promise<string>((resolve) => {
      protocol.on('Page.frameRequestedNavigation', ({ url: address }) => resolve(address))
    })
    await page.getByRole('button', { name: /^视频会议 / }).click()
    const { protocol: scheme, host, pathname, searchParams } = new URL(await handed)
    expect(`${scheme}//${host}${pathname}`).toBe('dingtalk://dingtalkclient/page/link')
    expect(searchParams.get('url')).toMatch(/^https:\/\/\w+\.jianglan\.example\//)
    await expect(page).toHaveURL(/\/pages\/service\/search/)
  })
})

test('in a browser, a service for a client’s viewer opens in the portal’s frame', async ({
  page,
}) => {
  await page.goto(searchOf('视频会议'))
  await page.getByRole('button', { name: /^视频会议 / }).click()
  await expect(page).toHaveURL(/\/pages\/webview\/webview\?url=https/)
})

test('a service that is a portal screen opens without a frame', async ({ page }) => {
  await page.goto(searchOf('我的课表'))
  await page.getByRole('button', { name: /^我的课表 / }).click()
  await expect(page).toHaveURL(/\/pages\/tab\/schedule\/schedule/)
})
