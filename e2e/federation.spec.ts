import path from 'node:path'
import type { Page } from '@playwright/test'
import { freePort } from '../apps/server/test/free-port.ts'
import { axeViolations } from './axe.ts'
import { atrium as commandLine } from './command-line.ts'
import { recordedEvents } from './recorded-events.ts'
import { startServer } from './server.ts'
import { password } from './session.ts'
import { expect, test } from './test.ts'

const fixtures = path.join(path.dirname(import.meta.dirname), 'apps/server/test')
type ExternalServer<S> = { state: S; stop: () => Promise<unknown> }
type OpenidProvider = ExternalServer<{ user: string }> & {
  issuer: string
  client: { id: string; secret: string }
}
type CasServer = ExternalServer<{ user: string; silent: boolean; instead: string | undefined }> & {
  url: string
}
const { startOpenidProvider } = (await import(path.join(fixtures, 'openid-provider.ts'))) as {
  startOpenidProvider: (callback: string, options: { port: number }) => Promise<OpenidProvider>
}
const { startCasServer, logoutRequest } = (await import(path.join(fixtures, 'cas-server.ts'))) as {
  startCasServer: (options: { port: number }) => Promise<CasServer>
  logoutRequest: (ticket: string) => string
}

const words = {
  zh: {
    openid: '教育联盟',
    last: '上次使用“教育联盟”',
    bind: '绑定校内账号',
    username: '学号 / 工号',
    password: '密码',
    submit: '绑定并登录',
    refused: '账号或密码不正确',
    byCode: '改用短信验证码验证',
    unbind: '解除绑定',
    unbindNow: '解除',
    ways: '已绑定的账号',
    unbound: '已解除绑定',
    link: '绑定“教育联盟”',
    linkTitle: '绑定“教育联盟”？',
    linkNow: '绑定',
    linked: '已绑定“教育联盟”',
    problem: '登录未完成',
    again: '重新登录',
  },
  en: {
    openid: 'Education union',
    last: 'Last time you used “Education union”',
    bind: 'Link your account',
    username: 'Student or staff number',
    password: 'Password',
    submit: 'Link and sign in',
    refused: 'The username or password is incorrect.',
    byCode: 'Use a text message code',
    unbind: 'Unlink',
    unbindNow: 'Unlink',
    ways: 'Linked sign-ins',
    unbound: 'Unlinked',
    link: 'Link Education union',
    linkTitle: 'Link Education union?',
    linkNow: 'Link',
    linked: 'Education union is linked',
    problem: 'You are not signed in yet',
    again: 'Start again',
  },
} as const

test.describe.configure({ mode: 'serial', timeout: 180_000 })
let ownServer: Awaited<ReturnType<typeof startServer>>
let openid: OpenidProvider
let cas: CasServer
test.beforeAll(async () => {
  test.setTimeout(240_000)
  const [openidPort, casPort] = [await freePort(), await freePort()]
  ownServer = await startServer([openidPort, casPort])
  openid = await startOpenidProvider(`${ownServer.url}/token/federation/callback/union`, {
    port: openidPort,
  })
  cas = await startCasServer({ port: casPort })
  await atrium(
    [
      ...['provider', 'add', 'union', '--kind', 'openid', '--name', '教育联盟'],
      ...['--name-en', 'Education union', '--secret-stdin'],
      ...['--set', `issuer=${openid.issuer}`, '--set', `clientId=${openid.client.id}`],
    ],
    openid.client.secret,
  )
  await atrium(['provider', 'enable', 'union'])
  expect(await atrium(['provider', 'test', 'union'])).toContain('ok discovery')
})
test.afterAll(async () => {
  await ownServer?.stop()
  await openid?.stop()
  await cas?.stop()
})

/** Runs on this file's installation. */
const atrium = (args: string[], input = '') =>
  commandLine(args, input, {
    ATRIUM_DATA_DIR: ownServer.dataDir,
    ATRIUM_OUTBOUND_ALLOW: [openid, cas]
      .map((one) => `127.0.0.1:${new URL('issuer' in one ? one.issuer : one.url).port}`)
      .join(','),
  })
const inLanguage = (page: Page, language: 'zh' | 'en') =>
  page.addInitScript((chosen) => localStorage.setItem('language', chosen), language)
const stored = (page: Page) => page.evaluate(() => localStorage.getItem('idToken'))

for (const language of ['zh', 'en'] as const) {
  const t = words[language]
  test(`an external login is linked, signs in, is unlinked and linked again: ${language}`, async ({
    page,
  }) => {
    openid.state.user = `outside-${language}`
    await inLanguage(page, language)
    const target = encodeURIComponent('/pages/myInfo/myInfo')
    await page.goto(`${ownServer.url}/pages/login/login?returnTarget=${target}`)
    await page.getByRole('button', { name: t.openid }).click()
    await expect(page.getByRole('heading', { name: t.bind })).toBeFocused()
    await expect(page.getByText(`Name of outside-${language}`)).toBeVisible()
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: t.submit }).click()
    await expect(page.getByRole('textbox', { name: t.username })).toBeFocused()
    await page.getByRole('textbox', { name: t.username }).fill('student')
    await page.getByRole('textbox', { name: t.password, exact: true }).fill('wrong')
    await page.getByRole('button', { name: t.submit }).click()
    await expect(page.getByRole('alert')).toHaveText(t.refused)
    await page.reload()
    await page.getByRole('textbox', { name: t.username }).fill('student')
    await page.getByRole('textbox', { name: t.password, exact: true }).fill(password)
    await page.getByRole('button', { name: t.submit }).click()
    await expect(page).toHaveURL(/\/pages\/myInfo\/myInfo$/)

    await page.evaluate(() => localStorage.removeItem('idToken'))
    await page.goto(`${ownServer.url}/pages/login/login?returnTarget=${target}`)
    await expect(page.getByText(t.last)).toBeVisible()
    await page.getByRole('button', { name: t.openid }).click()
    await expect(page).toHaveURL(/\/pages\/myInfo\/myInfo$/)

    await page.goto(`${ownServer.url}/pagesA/loginWay/loginWay`)
    const line = page.getByRole('list', { name: t.ways }).getByRole('listitem')
    await expect(line).toContainText(t.openid)
    expect(await axeViolations(page)).toEqual([])
    await line.getByRole('button', { name: t.unbind }).click()
    await page.getByRole('dialog').getByRole('button', { name: t.unbindNow, exact: true }).click()
    await expect(page.getByText(t.unbound, { exact: true })).toBeVisible()
    await expect(line).toHaveCount(0)

    // Linked again from here, without another sign-in.
    const before = await stored(page)
    await page.getByRole('button', { name: t.link, exact: true }).click()
    await expect(page.getByRole('heading', { name: t.linkTitle })).toBeFocused()
    await expect(page.getByText(`Name of outside-${language}`)).toBeVisible()
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: t.linkNow, exact: true }).click()
    await expect(page.getByText(t.linked, { exact: true })).toBeVisible()
    await expect(line).toContainText(t.openid)
    expect(await stored(page)).toBe(before)
    await expect(page.getByRole('button', { name: t.link, exact: true })).toHaveCount(0)
    await line.getByRole('button', { name: t.unbind }).click()
    await page.getByRole('dialog').getByRole('button', { name: t.unbindNow, exact: true }).click()
    await expect(page.getByRole('button', { name: t.link, exact: true })).toBeVisible()
  })
}

test('an external login is linked with a code by text message', async ({ page, request }) => {
  openid.state.user = 'outside-by-code'
  await page.goto(`${ownServer.url}/token/federation/begin/union`)
  await page.getByRole('button', { name: words.zh.byCode }).click()
  await page.getByLabel('手机号').fill('13800000002')
  await page.getByRole('button', { name: '获取验证码' }).click()
  await expect(page.getByRole('button', { name: /重新获取/ })).toBeVisible()
  const signed = await request.post(`${ownServer.url}/token/password/passwordLogin`, {
    data: { username: 'admin', password },
  })
  const { idToken } = (await signed.json()).data
  const outbox = await request.get(`${ownServer.url}/console-api/v1/outbox?recipient=13800000002`, {
    headers: { 'x-id-token': idToken },
  })
  const [, code = ''] = /(\d{6})/.exec((await outbox.json()).data.list[0].body) ?? []
  await page.getByLabel('验证码', { exact: true }).fill(code)
  await expect(page).toHaveURL(/tab\/index\/index/)
  expect(await stored(page)).toBeTruthy()
})

test('an unrequested callback is rejected on a page that offers to sign in again', async ({
  page,
}) => {
  await page.goto(`${ownServer.url}/token/federation/callback/union?code=stolen&state=abc`)
  await expect(page.getByRole('heading', { name: words.zh.problem })).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('这次登录已失效')
  expect(await stored(page)).toBeNull()
  expect(await axeViolations(page)).toEqual([])
  openid.state.user = 'outside-by-code'
  await page.getByRole('button', { name: words.zh.again }).click()
  await expect(page).toHaveURL(/tab\/index\/index/)
})

test('an onwards address of another site leads to the home page', async ({ page }) => {
  for (const onwards of [
    'https://evil.example/',
    'javascript:alert(1)',
    '//evil.example/cas/login',
  ]) {
    openid.state.user = 'outside-by-code'
    await page.goto(
      `${ownServer.url}/token/federation/begin/union?onwards=${encodeURIComponent(onwards)}`,
    )
    await expect(page).toHaveURL(new RegExp(`^${ownServer.url}/pages/tab/index/index`))
    await page.evaluate(() => localStorage.removeItem('idToken'))
  }
})

test('the central login page offers the external login and continues to the service', async ({
  page,
}) => {
  openid.state.user = 'outside-by-code'
  const service = encodeURIComponent(
    `${ownServer.url}/page/index/index?returnTarget=%2Fpages%2Fset%2Fset`,
  )
  await page.goto(`${ownServer.url}/cas/login?service=${service}`)
  await page.getByRole('link', { name: words.zh.openid }).click()
  await expect(page).toHaveURL(/\/pages\/set\/set$/)
})

test.describe('with an external CAS server as the central login', () => {
  test.beforeAll(async () => {
    await atrium([
      ...['provider', 'add', 'campus', '--kind', 'cas', '--name', '统一身份认证'],
      ...['--set', `serverUrl=${cas.url}`, '--set', 'matchUsername=true'],
    ])
    await atrium(['provider', 'enable', 'campus'])
    await atrium(['config', 'set', 'casUrl', `${cas.url}/login`])
  })

  for (const target of [
    '/pages/myInfo/myInfo',
    '/pagesA/message/entry?unread=1',
    '/pages/set/set?isHideReturnBtn=1',
  ])
    test(`without a token ${target} redirects to it and back with its query`, async ({ page }) => {
      cas.state.user = 'student'
      const requested = page.waitForRequest((request) =>
        request.url().startsWith(`${cas.url}/login`),
      )
      await page.goto(ownServer.url + target)
      const { searchParams } = new URL((await requested).url())
      expect(searchParams.get('service')).toContain('/page/index/index?returnTarget=')
      await expect(page).toHaveURL(ownServer.url + target)
      expect(await stored(page)).toBeTruthy()
    })

  test('a single logout ends the session, and the next visit signs in again', async ({
    page,
    request,
  }) => {
    cas.state.user = 'teacher'
    let ticket = ''
    page.on('request', (one) => {
      ticket = new URL(one.url()).searchParams.get('ticket') ?? ticket
    })
    await page.goto(`${ownServer.url}/pages/myInfo/myInfo`)
    await expect(page).toHaveURL(/\/pages\/myInfo\/myInfo$/)
    await expect(page.getByText('周明远').first()).toBeVisible()
    const before = ticket
    expect(before).toMatch(/^ST-/)
    const told = await request.post(`${ownServer.url}/page/index/index`, {
      form: { logoutRequest: logoutRequest(before) },
    })
    expect(told.status()).toBe(200)
    // The session is over: a members' page redirects to the login, which still recognises the member.
    await page.reload()
    await expect.poll(() => ticket).not.toBe(before)
    await expect(page).toHaveURL(/\/pages\/myInfo\/myInfo$/)
    await expect(page.getByText('周明远').first()).toBeVisible()
  })

  test('a ticket that this browser did not request is rejected', async ({ page, request }) => {
    const service = `${ownServer.url}/page/index/index?returnTarget=%2Fpages%2Fset%2Fset`
    const given = await request.get(`${cas.url}/login?service=${encodeURIComponent(service)}`, {
      maxRedirects: 0,
    })
    await page.goto(given.headers().location ?? '')
    await expect(page.getByRole('alert')).toContainText('这次登录已失效')
    expect(await stored(page)).toBeNull()
  })

  test('a foreign return address leads home, an unknown user to linking an account', async ({
    page,
  }) => {
    cas.state.user = 'student'
    await page.goto(
      `${ownServer.url}/token/federation/begin/campus?returnTarget=${encodeURIComponent('//evil.example/pages')}`,
    )
    await expect(page).toHaveURL(new RegExp(`^${ownServer.url}/pages/tab/index/index`))
    await page.evaluate(() => localStorage.removeItem('idToken'))
    cas.state.user = 'a-stranger'
    await page.goto(`${ownServer.url}/token/federation/begin/campus`)
    await expect(page.getByRole('heading', { name: words.zh.bind })).toBeVisible()
  })

  test('an invalid or missing validation response is reported on a page', async ({ page }) => {
    cas.state.instead = '<html>'
    await page.goto(`${ownServer.url}/token/federation/begin/campus`)
    await expect(page.getByRole('alert')).toContainText('该登录服务没有确认你的身份')
    cas.state.instead = undefined
    cas.state.silent = true
    await page.goto(`${ownServer.url}/token/federation/begin/campus`)
    await expect(page.getByRole('alert')).toContainText('暂时无法访问')
    cas.state.silent = false
  })
})

test.describe("in WeChat's own browser", () => {
  test.use({
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.50(0x18003234) NetType/WIFI Language/zh_CN',
  })
  test('an external login is recorded as a WeChat sign-in', async ({ page }) => {
    const accepted = recordedEvents(page)
    const t = words.zh
    openid.state.user = 'outside-wechat'
    await page.goto(`${ownServer.url}/token/federation/begin/union`)
    await page.getByRole('button', { name: t.submit }).click()
    await page.getByRole('textbox', { name: t.username }).fill('student')
    await page.getByRole('textbox', { name: t.password, exact: true }).fill(password)
    await page.getByRole('button', { name: t.submit }).click()
    await expect.poll(() => accepted, { timeout: 15_000 }).toContain('weChartLogin')
  })
})

test.describe("in WeCom's own browser", () => {
  test.use({
    userAgent:
      'Mozilla/5.0 (Linux; Android 13; M2012K11AC) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/116.0.0.0 Mobile Safari/537.36 wxwork/4.1.20 MicroMessenger/7.0.1 NetType/WIFI Language/zh',
  })
  test('a members-only page redirects to WeCom with a state; an unknown one is rejected', async ({
    page,
  }) => {
    await atrium(
      [
        ...['provider', 'add', 'work', '--kind', 'wecom', '--name', '企业微信', '--secret-stdin'],
        ...['--set', 'corpId=ww0123456789abcdef', '--set', 'agentId=1000002'],
      ],
      'a secret of WeCom',
    )
    await atrium(['provider', 'enable', 'work'])
    const requested = page.waitForRequest(
      /^https:\/\/open\.weixin\.qq\.com\/connect\/oauth2\/authorize\?/,
    )
    await page.goto(`${ownServer.url}/pages/myInfo/myInfo`)
    const fields = new URL((await requested).url()).searchParams
    expect(fields.get('state')).toMatch(/^\w{48}$/)
    // The address does not answer; wait for the browser's error page before continuing.
    await expect(page).toHaveURL(/^(chrome-error:|https:\/\/open\.weixin\.qq\.com\/)/)
    // Somebody else's code: the browser's request is valid, but WeCom's server is not there to identify the member.
    await page.goto(`${ownServer.url}/token/federation/callback/work?code=GOOD&state=another`)
    await expect(page.getByRole('alert')).toContainText('这次登录已失效')
  })
})
