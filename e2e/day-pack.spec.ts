import { sessions } from '@atrium/contract/identity/sessions'
import type { APIRequestContext, BrowserContext, Page } from '@playwright/test'
import { idToken, password } from './session.ts'
import { expect, test } from './test.ts'

test.use({ serviceWorkers: 'allow', prefetching: true })

/** A separate session that may be ended. */
async function newToken(request: APIRequestContext) {
  const answer = await request.post('/token/password/passwordLogin', {
    data: { username: 'student', password },
  })
  return ((await answer.json()) as { data: { idToken: string } }).data.idToken
}

/** Signs in only on the first page of this context, so that a reload does not undo the end of the session. */
async function signInOnce(context: BrowserContext, token: string) {
  await context.addInitScript((token) => {
    if (localStorage.getItem('testSignedIn')) return
    localStorage.setItem('testSignedIn', 'yes')
    localStorage.setItem('idToken', token)
  }, token)
}

/** Number of answers in the day pack; -1 if it does not exist. */
const countPacked = (page: Page) =>
  page.evaluate(async () => {
    const found = await indexedDB.databases()
    if (!found.some(({ name }) => name === 'atrium-pack')) return -1
    return new Promise<number>((resolve) => {
      const request = indexedDB.open('atrium-pack')
      // Deleted since it was listed: opening it must not recreate it.
      request.onupgradeneeded = () => request.transaction?.abort()
      request.onerror = () => resolve(-1)
      request.onsuccess = () => {
        const db = request.result
        const count = db.transaction('answers').objectStore('answers').count()
        count.onsuccess = () => {
          db.close()
          resolve(count.result)
        }
      }
    })
  })

/** A picture shown only to members, in addition to those for visitors. */
const cachePicture = async () => {
  const pictures = await caches.open('pictures')
  await pictures.put('/thumbor/of-a-member', new Response(''))
}
const isPictureCached = async () =>
  Boolean(await caches.match('/thumbor/of-a-member', { cacheName: 'pictures' }))

/** Everything in local storage, except the session's owner, which host apps read. */
const readableStorage = (page: Page) =>
  page.evaluate(() =>
    Object.entries(localStorage)
      .filter(([key]) => !['idToken', 'myInfo'].includes(key) && !key.startsWith('test'))
      .map(([key, text]) => `${key} ${text}`)
      .join('\n'),
  )
/** A name, a task, a balance, a members-only service. A visitor has no to-dos and an empty day. */
const personal = /林知夏|accountName|"todo":[^n]|"today":\[[^\]]|balance|成绩查询/

/** Waits until the last item of an update is stored. */
const waitForFullPack = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => localStorage.getItem('kept:payCodes')), { timeout: 60_000 })
    .not.toBeNull()

test('the encrypted day pack serves home, schedule, messages, news and payment code', async ({
  page,
  context,
  request,
}) => {
  await signInOnce(context, await newToken(request))
  await page.goto('/')
  await waitForFullPack(page)
  expect(await countPacked(page)).toBeGreaterThan(20)
  // The stored pack is encrypted, and its key cannot be exported from the browser.
  const lying = await page.evaluate(
    () =>
      new Promise<{ extractable: boolean; text: string }>((resolve) => {
        const request = indexedDB.open('atrium-pack')
        request.onsuccess = () => {
          const stores = request.result.transaction(['keys', 'answers'])
          const key = stores.objectStore('keys').get('key')
          const answers = stores.objectStore('answers').getAll()
          stores.oncomplete = () => {
            request.result.close()
            const text = answers.result
              .map(({ data }) => new TextDecoder().decode(data as ArrayBuffer))
              .join()
            resolve({ extractable: (key.result.key as CryptoKey).extractable, text })
          }
        }
      }),
  )
  expect(lying.extractable).toBe(false)
  expect(lying.text).not.toMatch(/title|content|图书馆/)
  // Home, services and Me are part of it: none of their data is stored elsewhere.
  for (const [tab, shown] of [
    ['service/index', '成绩查询'],
    ['my/my', '林知夏'],
    ['index/index', '林知夏'],
  ] as const) {
    await page.goto(`/pages/tab/${tab}`)
    await expect(page.getByRole('main').getByText(shown).first()).toBeVisible()
    expect(await readableStorage(page)).not.toMatch(personal)
  }

  await context.setOffline(true)
  await page.goto('/')
  await expect(page.getByRole('heading', { name: '常用服务', exact: true })).toBeVisible()
  const tabs = page.getByRole('navigation')
  await tabs.getByRole('link', { name: /日程/ }).click()
  await expect(
    page
      .getByText(/网络不畅，这是 .+ 的内容/)
      .filter({ visible: true })
      .first(),
  ).toBeVisible()
  await tabs.getByRole('link', { name: /消息/ }).click()
  await page
    .getByRole('link', { name: /一卡通/ })
    .first()
    .click()
  await expect(page).toHaveURL(/message\/entry/)
  await page.locator('main a[href*="/pagesA/message/detail"]').first().click()
  await expect(page).toHaveURL(/message\/detail/)
  await expect(
    page
      .getByText(/网络不畅，这是 .+ 的内容/)
      .filter({ visible: true })
      .first(),
  ).toBeVisible()

  // The bare address restores the last page.
  await page.goto('/pages/tab/index/index')
  await page.locator('main a[href*="/pagesA/news/detail"]:has(img)').first().click()
  await expect(page).toHaveURL(/news\/detail/)
  await expect(page.getByRole('article').first()).toBeVisible()
  const drawn = () =>
    page
      .locator('main img')
      .evaluateAll((images) => images.some((one) => (one as HTMLImageElement).naturalWidth > 0))
  await expect.poll(drawn).toBe(true)

  await page.goto('/pages/myInfo/payCode')
  await expect(page.getByText(/网络不可用|没有网络|离线/).first()).toBeVisible()
  await expect(page.getByText(/^\d{4} \d{4} \d{4} \d{4} \d{2}$/)).toBeVisible()
})

test('a session revoked on another device deletes the pack at the next contact', async ({
  page,
  context,
  request,
  baseURL,
}) => {
  const token = await newToken(request)
  await signInOnce(context, token)
  await page.goto('/')
  await waitForFullPack(page)
  await page.evaluate(cachePicture)
  const headers = { 'x-id-token': token }
  const listed = await (await request.get(sessions.list.path, { headers })).json()
  const here = listed.data.find((one: { current: boolean }) => one.current)
  const other = { 'x-id-token': await idToken(baseURL ?? '', 'student') }
  const ended = await request.delete(sessions.remove.path.replace('{id}', here.id), {
    headers: other,
  })
  expect(ended.ok()).toBe(true)
  await page.reload()
  // The page may navigate to the login concurrently, which aborts an evaluation in it.
  await expect.poll(() => countPacked(page).catch(() => undefined)).toBe(-1)
  await expect.poll(() => page.evaluate(isPictureCached).catch(() => undefined)).toBe(false)
  await expect(async () => {
    const open = await readableStorage(page)
    expect(open).not.toMatch(personal)
    expect(open).not.toContain('kept:packed')
  }).toPass({ timeout: 15_000 })
  await context.setOffline(true)
  await page.goto('/pagesA/message/entry')
  await expect(page.getByText('一卡通')).toHaveCount(0)
})

test('signing out deletes all personal data from the device, and going back shows none', async ({
  page,
  context,
  request,
}) => {
  await signInOnce(context, await newToken(request))
  await page.goto('/')
  await waitForFullPack(page)
  await page.evaluate(cachePicture)
  await page.evaluate(() => {
    const account = JSON.parse(localStorage.getItem('myInfo') ?? '{}').accountId ?? ''
    localStorage.setItem(`draft:${account}:mailbox.letter`, '{"at":1,"draft":{}}')
  })
  await page.goto('/pages/myInfo/myInfo')
  await expect(page.getByRole('main').getByText('林知夏').first()).toBeVisible()
  await page.goto('/pages/tab/my/my')
  await page.getByRole('button', { name: '退出登录' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '退出登录' }).click()
  await expect(page).toHaveURL(/pages\/login\/signedOut/)
  await expect(page.getByRole('heading', { name: '已退出登录' })).toBeVisible()
  await expect.poll(() => countPacked(page)).toBe(-1)
  const left = await page.evaluate(() =>
    Object.keys(localStorage).filter((key) =>
      /^(draft|kept|waiting):|^(idToken|myInfo)$/.test(key),
    ),
  )
  expect(left.filter((key) => !key.startsWith('kept::'))).toEqual([])
  expect(await readableStorage(page)).not.toMatch(personal)
  expect(await page.evaluate(isPictureCached)).toBe(false)
  await page.goBack()
  await expect(page.getByText('林知夏')).toHaveCount(0)
})

test('stored data is shown before the server responds; older versions’ data is deleted', async ({
  page,
  context,
  request,
}) => {
  await signInOnce(context, await newToken(request))
  await page.goto('/pages/tab/my/my')
  await expect(page.getByText(/^学号/)).toBeVisible()
  await waitForFullPack(page)
  await page.evaluate(() => localStorage.setItem('kept:7:["GET /portal-api/v1/home",{}]', '{}'))
  // The server is slow: the number shown does not come from the session.
  await page.route(/\/personal\/me\/user$|\/v1\/personal-data$/, () => {})
  await page.reload()
  await expect(page.getByText(/^学号/)).toBeVisible()
  await expect(page.getByRole('link', { name: /我的借阅/ })).toBeVisible()
  expect(await readableStorage(page)).not.toContain('kept:7:')
})

test('the portal works with a smaller pack when the device storage is full', async ({
  page,
  context,
  request,
}) => {
  await signInOnce(context, await newToken(request))
  await context.addInitScript(() => {
    const put = IDBObjectStore.prototype.put
    let count = 0
    IDBObjectStore.prototype.put = function (...given) {
      if (this.name === 'answers' && ++count > 12)
        throw new DOMException('full', 'QuotaExceededError')
      return put.apply(this, given)
    }
  })
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  await page.goto('/')
  await waitForFullPack(page)
  const count = await countPacked(page)
  expect(count).toBeGreaterThanOrEqual(0)
  expect(count).toBeLessThanOrEqual(12)
  await page.getByRole('navigation').getByRole('link', { name: /消息/ }).click()
  await expect(page.getByRole('link', { name: /一卡通/ }).first()).toBeVisible()
  expect(errors).toEqual([])
})
