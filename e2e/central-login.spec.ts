import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { axeViolations } from './axe.ts'
import { idToken, password } from './session.ts'
import { expect, test } from './test.ts'

// Serial: the tests share one service at one port.
test.describe.configure({ mode: 'serial' })

const port = process.env.ATRIUM_E2E_SERVICE_PORT
/** A different origin than the portal's, as in production. */
const origin = `http://127.0.0.1:${port}`
/** A page without content: only the redirect matters. */
const asking = `${origin}/alumni/`
let example: ChildProcess

const baseURL = process.env.ATRIUM_E2E_URL ?? ''

test.beforeAll(async () => {
  const token = await idToken(baseURL, 'admin')
  const register = (body: object) =>
    fetch(`${baseURL}/console-api/v1/relying-parties`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-id-token': token },
      body: JSON.stringify(body),
    })
  await register({
    code: 'e2e-example',
    name: '示例',
    nameEn: 'The example',
    addresses: [`${origin}/`],
    logoutUrl: `${origin}/logout-notice`,
    attributes: ['name', 'organization'],
  })
  await register({
    code: 'e2e-asking',
    name: '校友会',
    nameEn: 'Alumni',
    addresses: [asking],
    attributes: ['name', 'identityType', 'mobile'],
    purpose: '与你保持联系',
    purposeEn: 'To keep in touch',
    consentNeeded: true,
  })
  // OpenID Connect without a secret: a public client in the browser.
  await register({
    code: 'e2e-openid',
    name: '校园地图',
    nameEn: 'Campus map',
    redirectUris: [`${origin}/callback`],
    postLogoutRedirectUris: [`${origin}/goodbye`],
    attributes: ['name', 'email'],
    purpose: '在地图上显示你的位置',
    purposeEn: 'To show where you are',
    consentNeeded: true,
    publicClient: true,
    offlineAccess: true,
  })
  example = spawn(process.execPath, ['examples/cas/server.mjs'], {
    cwd: path.dirname(import.meta.dirname),
    env: { ...process.env, PORT: port, ORIGIN: origin, PORTAL: baseURL },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise((resolve) => example.stdout?.once('data', resolve))
})
test.afterAll(() => void example.kill())

async function fillIn(page: Page, username = 'student') {
  await page.getByLabel('学号 / 工号').fill(username)
  await page.getByLabel('密码').fill(password)
  await page.getByRole('button', { name: '登录' }).click()
}

test('a service signs in by the central login and is signed out with the portal', async ({
  page,
  context,
}) => {
  await page.goto(origin)
  await expect(page).toHaveURL(/\/cas\/login\?service=/)
  await expect(page.getByText('登录后将前往“示例”')).toBeVisible()
  await expect(page.getByLabel('在此设备上保持登录 14 天')).not.toBeChecked()
  expect(await axeViolations(page)).toEqual([])
  await fillIn(page)
  await expect(page).toHaveURL(`${origin}/`)
  await expect(page.getByRole('heading', { name: 'Hello 林知夏' })).toBeVisible()

  // The same sign-in is valid for the portal, without asking again.
  const portal = await context.newPage()
  await portal.goto('/pages/myInfo/myInfo')
  // The address is the same before and after the login; the name is shown only afterwards.
  await expect(portal.getByRole('main').getByText('林知夏').first()).toBeVisible()
  await expect(portal).toHaveURL(/pages\/myInfo\/myInfo/)
  await portal.goto('/pages/tab/my/my')
  await expect(portal.getByRole('heading', { level: 1 })).toHaveText('林知夏')
  await portal.getByRole('button', { name: '退出登录' }).click()
  const dialog = portal.getByRole('dialog', { name: '退出登录？' })
  await dialog.getByRole('button', { name: '退出登录' }).click()
  await expect(portal.getByRole('heading', { name: '已退出登录' })).toBeVisible()

  await expect
    .poll(async () => {
      await page.goto(origin)
      return page.url()
    })
    .toContain('/cas/login?service=')
})

test('signing out of a service signs out of the portal after confirmation', async ({
  page,
  context,
}) => {
  await page.goto(origin)
  await fillIn(page)
  await expect(page).toHaveURL(`${origin}/`)
  const portal = await context.newPage()
  await portal.goto('/pages/myInfo/myInfo')
  // The address is the same before and after the login; the name is shown only afterwards.
  await expect(portal.getByRole('main').getByText('林知夏').first()).toBeVisible()
  await expect(portal).toHaveURL(/pages\/myInfo\/myInfo/)
  await page.getByRole('link', { name: 'Sign out' }).click()
  // Another site triggered the logout, so the member has to confirm.
  await expect(page.getByRole('heading', { name: '退出所有应用？' })).toBeVisible()
  await portal.reload()
  await expect(portal.getByRole('main').getByText('林知夏').first()).toBeVisible()
  await expect(portal).toHaveURL(/pages\/myInfo\/myInfo/)
  await expectAccessible(page)
  await page.getByRole('button', { name: '全部退出' }).click()
  await expect(page).toHaveURL(/\/cas\/login\?service=/)
  // The page may already be redirecting to the login, which replaces a reload.
  await portal.reload({ waitUntil: 'commit' }).catch(() => {})
  await expect(portal).toHaveURL(/\/cas\/login\?service=/)
})

test('the browser blocks the login form unless its policy allows the service', async ({ page }) => {
  await page.route('**/cas/login?**', async (route) => {
    const answer = await route.fetch({ maxRedirects: 0 })
    const policy = answer.headers()['content-security-policy'] ?? ''
    expect(policy).toContain(`form-action 'self' ${origin};`)
    await route.fulfill({
      response: answer,
      headers: {
        ...answer.headers(),
        'content-security-policy': policy.replace(` ${origin}`, ''),
      },
    })
  })
  const refused = page.waitForEvent('console', (message) => /form-action/.test(message.text()))
  // Directly: the route above does not intercept redirect targets.
  await page.goto(`/cas/login?service=${encodeURIComponent(`${origin}/`)}`)
  await fillIn(page)
  await refused
  await expect(page).not.toHaveURL(`${origin}/`)
})

test('the central login uses the portal’s language, colour scheme and text size', async ({
  page,
}) => {
  await page.goto('/pages/tab/my/my')
  await page.evaluate(() => {
    localStorage.setItem('scheme', 'dark')
    localStorage.setItem('textSize', '150')
  })
  await page.reload()
  await page.getByRole('button', { name: 'English' }).click()
  await page.goto('/cas/login')
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(page.locator('html')).toHaveCSS('font-size', '24px')
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(18, 20, 23)')
  expect(await axeViolations(page)).toEqual([])
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a service asks for consent once', async ({ page }) => {
    await page.goto(`/cas/login?service=${encodeURIComponent(asking)}&lang=zh`)
    await fillIn(page, 'teacher')
    await expect(page.getByRole('heading', { name: '“校友会”需要你的授权' })).toBeVisible()
    for (const words of ['学工号', '姓名', '身份类型', '手机号', '与你保持联系'])
      await expect(page.getByText(words).first()).toBeVisible()
    await page.getByRole('button', { name: '不同意' }).click()
    await expect(page.getByRole('heading', { name: '你没有授权' })).toBeVisible()
    await page.goto(`/cas/login?service=${encodeURIComponent(asking)}&lang=en`)
    await page.getByRole('button', { name: 'Agree and continue' }).click()
    await expect(page).toHaveURL(/\/alumni\/\?ticket=ST-/)
    await page.goto(`/cas/login?service=${encodeURIComponent(asking)}&lang=en`)
    await expect(page).toHaveURL(/\/alumni\/\?ticket=ST-/)
  })
})

test('the consent page is accessible', async ({ page }) => {
  await page.goto(`/cas/login?service=${encodeURIComponent(asking)}&lang=zh`)
  await fillIn(page, 'staff')
  await expect(page.getByRole('heading', { name: '“校友会”需要你的授权' })).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
})

/** Passes axe in light and dark, and fits a narrow phone with text at twice the size. */
async function expectAccessible(page: Page) {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await axeViolations(page), colorScheme).toEqual([])
  }
  await page.setViewportSize({ width: 320, height: 640 })
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%'
  })
  const wider = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(await wider()).toBeLessThanOrEqual(0)
}

/** An authorisation request of the public client. */
const openidRequest = (more: Record<string, string> = {}) =>
  new URLSearchParams({
    client_id: 'e2e-openid',
    redirect_uri: `${origin}/callback`,
    response_type: 'code',
    scope: 'openid profile email',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    state: 'of-this-browser',
    ui_locales: 'zh',
    ...more,
  })

test('the OpenID Connect consent and sign-out pages are accessible and usable by keyboard', async ({
  page,
}) => {
  const scope = 'openid profile email offline_access'
  await page.goto(`/cas/oidc/auth?${openidRequest({ scope, prompt: 'consent' })}`)
  await fillIn(page)
  await expect(page.getByRole('heading', { name: '“校园地图”需要你的授权' })).toBeVisible()
  await expect(page.getByText('在地图上显示你的位置')).toBeVisible()
  await expect(page.getByText('退出登录后，它仍可继续获取以上信息')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: '同意并继续' }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/callback\?.*code=/)

  const leaving = new URLSearchParams({
    client_id: 'e2e-openid',
    post_logout_redirect_uri: `${origin}/goodbye`,
    state: 'bye',
    ui_locales: 'en',
  })
  await page.goto(`/cas/oidc/session/end?${leaving}`)
  await expect(page.getByRole('heading', { name: 'Sign out everywhere?' })).toBeVisible()
  await expectAccessible(page)
  await expect(page.getByRole('button').first()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${origin}/goodbye?state=bye`)
  await page.goto('/cas/login?lang=zh')
  await expect(page.getByLabel('密码')).toBeVisible()
})

test('the content security policy allows the auto-submitted forms of the OpenID provider', async ({
  page,
}) => {
  const sent = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url() === `${origin}/callback`,
  )
  await page.goto(`/cas/oidc/auth?${openidRequest({ response_mode: 'form_post' })}`)
  await fillIn(page, 'admin')
  await page.getByRole('button', { name: '同意并继续' }).click()
  expect((await sent).postData()).toContain('code=')
  await expect(page).toHaveURL(`${origin}/callback`)

  // For somebody unknown to the provider there is no question.
  await page.context().clearCookies()
  const leaving = new URLSearchParams({
    client_id: 'e2e-openid',
    post_logout_redirect_uri: `${origin}/goodbye`,
  })
  await page.goto(`/cas/oidc/session/end?${leaving}`)
  await expect(page).toHaveURL(`${origin}/goodbye`)
})

const words = {
  zh: {
    title: '授权管理',
    library: '图书馆获得的信息',
    email: '邮箱',
    revoke: '撤回授权：图书馆',
    yes: '撤回授权',
    done: '已撤回授权',
  },
  en: {
    title: 'Connected services',
    library: 'What Library received',
    email: 'Mail address',
    revoke: 'Withdraw the authorisation of Library',
    yes: 'Withdraw',
    done: 'The authorisation was withdrawn',
  },
}
for (const [language, t] of Object.entries(words))
  test.describe(`data shared with services, ${language}`, () => {
    test.use({ as: 'student' })

    test('is listed, and an authorisation can be withdrawn', async ({ page }) => {
      await page.addInitScript((chosen) => localStorage.setItem('language', chosen), language)
      const headers = { 'x-id-token': await idToken(baseURL, 'student') }
      const api = '/personal/api/v1/personal/authorization'
      const { data } = await (await page.request.get(api, { headers })).json()
      const library = data.find(({ code }: { code: string }) => code === 'library')
      const { serviceId } = library
      await page.request.post(api, {
        headers,
        data: { serviceId, attributes: ['name', 'identityType', 'email'] },
      })
      await page.goto('/pages/privacy/privacy')
      await page.getByRole('link', { name: t.title }).click()
      await expect(page.getByRole('heading', { name: t.title, level: 1 })).toBeVisible()
      const told = page.getByRole('list', { name: t.library })
      await expect(told.getByText(t.email)).toBeVisible()
      expect(await axeViolations(page)).toEqual([])
      await page.getByRole('button', { name: t.revoke }).click()
      await page.getByRole('dialog').getByRole('button', { name: t.yes }).click()
      await expect(page.getByText(t.done)).toBeVisible()
      await expect(page.getByRole('button', { name: t.revoke })).toBeHidden()
      await expect(told).toBeVisible()
    })
  })
