import { type APIRequestContext, request as devices, type Page } from '@playwright/test'
import { atrium } from './command-line.ts'
import { expect, test } from './test.ts'

// Serial: one test must not end a session used by another.
test.describe.configure({ mode: 'default', timeout: 90_000 })

const password = 'the ferry leaves at nine 26'
// A restarted worker creates its own members.
const username = `dongyi${process.pid}`
const otherUsername = `${username}b`

test.beforeAll(async () => {
  for (const name of [username, otherUsername]) {
    const facts = ['--name', '董怡', '--identity', 'T01', '--organization', 'CS']
    await atrium(['user', 'create', name, ...facts])
    await atrium(['user', 'password', name, '--stdin', '--keep'], password)
  }
})

async function newToken(request: APIRequestContext, name = username) {
  const answer = await request.post('/token/password/passwordLogin', {
    data: { username: name, password },
  })
  return ((await answer.json()) as { data: { idToken: string } }).data.idToken
}

/** A new device each time: a browser has only one session. */
async function newTokenOnOtherDevice(url = '') {
  const elsewhere = await devices.newContext({ baseURL: url })
  const token = await newToken(elsewhere)
  await elsewhere.dispose()
  return token
}

/** Signs in like a browser, including cookies. */
async function signIn(page: Page) {
  const token = await newToken(page.request)
  await page.addInitScript((given) => {
    if (!sessionStorage.getItem('signedIn')) localStorage.setItem('idToken', given)
    sessionStorage.setItem('signedIn', '1')
  }, token)
  return token
}
const as = (token: string) => ({ headers: { 'x-id-token': token } })
const endOtherSessions = async (request: APIRequestContext) =>
  request.post('/personal/api/v1/personal/user/session/removeOthers', as(await newToken(request)))
/** The next request discovers it; another request of the page may have been faster. */
const sendRequest = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .getByRole('button')
    .first()
    .click({ timeout: 5000 })
    .catch(() => {})
const storedToken = (page: Page) => page.evaluate(() => localStorage.getItem('idToken') ?? '')

test('a session ended elsewhere leads to the login and back, keeping the form input', async ({
  page,
  request,
}) => {
  await signIn(page)
  await page.goto('/pages/shedul/timeArea')
  const search = page.getByRole('searchbox')
  await search.fill('东京')
  await endOtherSessions(request)
  await sendRequest(page)
  await expect(page).toHaveURL(/\/cas\/login/)
  await page.getByLabel('学号 / 工号').fill(username)
  await page.getByLabel('密码').fill(password)
  await page.getByRole('button', { name: '登录' }).click()
  await expect(page).toHaveURL(/shedul\/timeArea/)
  await expect(page.getByRole('searchbox')).toHaveValue('东京')
})

test('form input is not restored for another member', async ({ page, request }) => {
  await signIn(page)
  await page.goto('/pages/shedul/timeArea')
  await page.getByRole('searchbox').fill('东京')
  await endOtherSessions(request)
  await sendRequest(page)
  await page.getByLabel('学号 / 工号').fill(otherUsername)
  await page.getByLabel('密码').fill(password)
  await page.getByRole('button', { name: '登录' }).click()
  await expect(page).toHaveURL(/shedul\/timeArea/)
  await expect(page.getByRole('searchbox')).toHaveValue('')
})

/** Starts with this token, modified to have expired. */
async function withOld(page: Page, token: string) {
  const [head, payload, signature] = token.split('.')
  const claims = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString())
  const past = Buffer.from(
    JSON.stringify({ ...claims, iat: claims.iat - 90_000, exp: claims.exp - 90_000 }),
  ).toString('base64url')
  await page.addInitScript((old) => {
    if (!sessionStorage.getItem('aged')) localStorage.setItem('idToken', old)
    sessionStorage.setItem('aged', '1')
  }, [head, past, signature].join('.'))
  return signature
}

test('an expired token is not renewed as another member who has a session in the browser', async ({
  page,
  request,
}) => {
  const own = await signIn(page)
  await page.context().clearCookies({ name: 'TGC-atrium' })
  await withOld(page, await newToken(request, otherUsername))
  const renewed = page.waitForResponse((answer) => answer.url().endsWith('/token/login/refresh'))
  await page.goto('/pages/set/devices')
  expect((await renewed).status()).toBe(200)
  await expect(page).toHaveURL(/\/cas\/login/)
  expect((await request.get('/personal/api/v1/personal/me/user', as(own))).status()).toBe(200)
})

test('an expired token is renewed at the start without redirecting to the login', async ({
  page,
}) => {
  const signature = await withOld(page, await signIn(page))
  const left: string[] = []
  page.on('framenavigated', (frame) => left.push(frame.url()))
  let renewals = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/token/login/refresh')) renewals += 1
  })
  await page.goto('/pages/set/devices')
  await expect(page.getByRole('heading', { name: '本机' })).toBeVisible()
  expect(left.filter((url) => /login/.test(url))).toEqual([])
  expect(renewals).toBe(1)
  expect((await storedToken(page)).split('.')[2]).not.toBe(signature)
})

test('a token is renewed before it expires, by only one of two tabs', async ({ page }) => {
  await page.clock.install()
  await signIn(page)
  // Tabs renew three to six minutes before expiry, at a random time each.
  await page.addInitScript(() => {
    Math.random = () => 0.9
  })
  let renewals = 0
  page.context().on('request', (request) => {
    if (request.url().endsWith('/token/login/refresh')) renewals += 1
  })
  await page.goto('/pages/set/devices')
  await expect(page.getByRole('heading', { name: '本机' })).toBeVisible()
  const second = await page.context().newPage()
  await second.addInitScript(() => {
    Math.random = () => 0.1
  })
  await second.goto('/pages/set/devices')
  await expect(second.getByRole('heading', { name: '本机' })).toBeVisible()
  const before = await storedToken(page)
  await page.clock.fastForward('01:55:00')
  await expect.poll(() => storedToken(page)).not.toBe(before)
  const renewed = await storedToken(page)
  await expect.poll(() => storedToken(second)).toBe(renewed)
  await page.clock.fastForward('00:04:00')
  await second.reload()
  await expect(second.getByRole('heading', { name: '本机' })).toBeVisible()
  expect(renewals).toBe(1)
  // After a day of sleep, the device is used again.
  const later = await storedToken(page)
  await page.clock.fastForward('26:00:00')
  await page.getByRole('link', { name: '登录记录' }).click()
  await expect(page.getByText('登录成功').first()).toBeVisible()
  expect(await storedToken(page)).not.toBe(later)
})

for (const [language, words] of Object.entries({
  zh: {
    here: '本机',
    others: '其他设备',
    inUse: '正在使用',
    end: /^在 .* 上退出登录$/,
    all: '退出其他所有设备',
    question: '退出其他所有设备？',
    confirm: '退出登录',
    one: '退出这台设备？',
    none: '没有在其他设备上登录。',
    records: '登录记录',
    result: '登录失败',
  },
  en: {
    here: 'This device',
    others: 'Other devices',
    inUse: 'In use',
    end: /^Sign out on /,
    all: 'Sign out other devices',
    question: 'Sign out other devices?',
    confirm: 'Sign out',
    one: 'Sign out on this device?',
    none: 'You are not signed in anywhere else.',
    records: 'Sign-in history',
    result: 'Failed',
  },
})) {
  test(`devices are listed and can be signed out singly or all at once, in ${language}`, async ({
    page,
    request,
    baseURL,
  }) => {
    await page.addInitScript((chosen) => localStorage.setItem('language', chosen), language)
    await signIn(page)
    const others: string[] = []
    for (let at = 0; at < 3; at++) others.push(await newTokenOnOtherDevice(baseURL))
    await request.post('/token/password/passwordLogin', { data: { username, password: 'wrong' } })
    await page.goto('/pages/set/devices')
    await expect(page.getByRole('list', { name: words.here })).toContainText(words.inUse)
    const list = page.getByRole('list', { name: words.others })
    const before = await list.getByRole('listitem').count()
    expect(before).toBeGreaterThanOrEqual(3)
    await list.getByRole('button', { name: words.end }).first().click()
    const dialog = page.getByRole('dialog', { name: words.one })
    await dialog.getByRole('button', { name: words.confirm, exact: true }).click()
    await expect(list.getByRole('listitem')).toHaveCount(before - 1)
    await page.getByRole('button', { name: words.all }).click()
    await page
      .getByRole('dialog', { name: words.question })
      .getByRole('button', { name: words.confirm, exact: true })
      .click()
    await expect(page.getByText(words.none)).toBeVisible()
    for (const token of others)
      expect((await request.get('/personal/api/v1/personal/me/user', as(token))).status()).toBe(401)
    await page.getByRole('link', { name: words.records }).click()
    await expect(page.getByRole('list', { name: words.records })).toContainText(words.result)
  })
}
