import type { APIRequestContext, Page } from '@playwright/test'
import { idToken, password, type Username } from './session.ts'
import { withSettings } from './settings.ts'
import { expect, test } from './test.ts'

const home = '/pages/tab/index/index'
const homeAddress = new RegExp(`${home}$`)
const openingAddress = /\/pages\/openPage\/openPage$/

const openingPage = {
  id: 'a',
  title: '开学典礼',
  titleEn: 'Opening ceremony',
  terminals: ['6'],
  contentUrl: '/opening.png',
  link: '',
  seconds: 60,
  frequencyType: 'unlimited',
  frequency: 1,
  validDateType: 'permanent',
  customValidDateType: 'include',
  customValidStartDate: '',
  customValidEndDate: '',
}
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Simulates these opening pages, for members and visitors. */
async function withOpeningPages(page: Page, ...items: Partial<typeof openingPage>[]) {
  const data = items.map((item) => ({ ...openingPage, ...item }))
  await page.route(/\/appLaunchScreen\/get(User|Tourist)List$/, (route) =>
    route.fulfill({ json: { code: 0, message: '', data } }),
  )
  await page.route('**/opening.png', (route) =>
    route.fulfill({ body: picture, contentType: 'image/png' }),
  )
}

/** A separate session that may be ended: those of `test.use` are shared by all tests. */
async function newToken(request: APIRequestContext, username: Username) {
  const answer = await request.post('/token/password/passwordLogin', {
    data: { username, password },
  })
  return ((await answer.json()) as { data: { idToken: string } }).data.idToken
}

async function signOut(page: Page) {
  await page.goto('/pages/tab/my/my')
  await page.getByRole('button', { name: '退出登录' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '退出登录' }).click()
  await expect(page.getByRole('heading', { name: '已退出登录' })).toBeVisible()
}

test('a token in the address signs a visitor in and is removed from the address', async ({
  page,
  baseURL,
}) => {
  const token = await idToken(baseURL ?? '', 'student')
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  await page.goto(`/pages/myInfo/myInfo?idToken=${token}`)
  await expect(page.getByText('林知夏').first()).toBeVisible()
  expect(page.url()).not.toContain('idToken')
  expect(requested.slice(1).filter((url) => url.includes(token))).toEqual([])
})

test('an invalid token in the address is discarded', async ({ page }) => {
  await page.goto('/?token=abc.def.ghi')
  await expect(page.getByRole('navigation')).toBeVisible()
  expect(new URL(page.url()).search).toBe('')
  expect(await page.evaluate(() => localStorage.getItem('idToken'))).toBeNull()
})

test('the display limit of an opening page survives signing out and is counted per member', async ({
  page,
  request,
}) => {
  await withSettings(page, { ENV_OPENING_PAGE: '1' })
  await withOpeningPages(page, { frequencyType: 'limited', frequency: 1 })
  await page.goto(`${home}?token=${await newToken(request, 'student')}`)
  await expect(page).toHaveURL(openingAddress)
  await page.getByRole('button', { name: /^跳过/ }).click()
  await expect(page).toHaveURL(homeAddress)

  await signOut(page)
  await page.goto(`${home}?token=${await newToken(request, 'student')}`)
  await expect(page.getByRole('heading', { name: '常用服务', exact: true })).toBeVisible()
  await expect(page).toHaveURL(homeAddress)

  await signOut(page)
  await page.goto(`${home}?token=${await newToken(request, 'teacher')}`)
  await expect(page).toHaveURL(openingAddress)
})

test('opening pages for visitors are stored, and shown only when enabled', async ({ page }) => {
  await withOpeningPages(page, {})
  await withSettings(page, { ENV_OPENING_PAGE: '1', ENV_OPENING_PAGE_TOURIST: '0' })
  // A visitor's first start does not wait for the configuration.
  await page.goto(home)
  const kept = () => page.evaluate(() => JSON.stringify(localStorage))
  await expect.poll(kept).toContain('ENV_OPENING_PAGE')
  await page.goto(home)
  await expect.poll(kept).toMatch(/touristOpnePageList.*开学典礼/)
  await expect(page).toHaveURL(homeAddress)

  await withSettings(page, { ENV_OPENING_PAGE: '1', ENV_OPENING_PAGE_TOURIST: '1' })
  await expect(async () => {
    await page.goto(home)
    await expect(page).toHaveURL(openingAddress, { timeout: 3000 })
  }).toPass()
  await expect(page.getByRole('heading', { name: '开学典礼' })).toBeAttached()
})

test('address flags show a page without session, tab bar or back button', async ({
  page,
  request,
}) => {
  await page.goto(`${home}?token=${await newToken(request, 'student')}`)
  await expect(page.getByRole('heading', { name: /林知夏/ })).toBeVisible()
  const about = '/pages/about/about'
  for (const [flags, ours] of [
    ['', true],
    ['?isHideReturnBtn=1', false],
  ] as const) {
    await page.goto(about + flags)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('button', { name: '返回首页' })).toHaveCount(ours ? 1 : 0)
  }
  const tokens: (string | undefined)[] = []
  page.on('request', (sent) => tokens.push(sent.headers()['x-id-token']))
  for (const flag of ['noLogin=1', 'serviceInfo=1']) {
    tokens.length = 0
    await page.goto(`/pages/tab/my/my?${flag}&isHideTabbar=1`)
    await expect(page.getByRole('button', { name: '登录' })).toBeVisible()
    await expect(page.getByRole('navigation')).toHaveCount(0)
    expect(tokens.filter(Boolean)).toEqual([])
  }
  // The session itself is unaffected.
  await page.goto('/pages/tab/my/my')
  await expect(page.getByRole('heading', { name: '林知夏' })).toBeVisible()
  await expect(page.getByRole('navigation')).toBeVisible()
})

test.describe('signed in', () => {
  test.use({ as: 'student' })

  test('a link with another member’s token asks before switching the account', async ({
    page,
    baseURL,
  }) => {
    const token = await idToken(baseURL ?? '', 'teacher')
    await page.goto(`/pages/myInfo/myInfo?token=${token}`)
    await page.getByRole('button', { name: '继续使用林知夏' }).click()
    await expect(page.getByText('林知夏').first()).toBeVisible()

    await page.goto(`/pages/myInfo/myInfo?token=${token}`)
    await page.getByRole('button', { name: '切换为周明远' }).click()
    await expect(page.getByText('周明远').first()).toBeVisible()
  })

  test.describe('in English', () => {
    test.use({ locale: 'en-US' })
    test('the question shows the English names of both members', async ({ page, baseURL }) => {
      const token = await idToken(baseURL ?? '', 'teacher')
      await page.goto(`/pages/myInfo/myInfo?token=${token}`)
      await expect(page.getByRole('button', { name: 'Switch to Zhou Mingyuan' })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Stay as Lin Zhixia' })).toBeVisible()
      await expect(page.getByRole('main')).not.toHaveText(/林知夏|周明远/)
    })
  })

  test('nothing is shown before the opening page', async ({ page }) => {
    await withSettings(page, { ENV_OPENING_PAGE: '1' })
    await withOpeningPages(page, {})
    await page.route('**/getUserList', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1000))
      await route.fallback()
    })
    await page.addInitScript(() => {
      const seen: string[] = []
      Object.assign(window, { seen })
      new MutationObserver(() => {
        // The page painted by the server for visitors exists but stays hidden.
        for (const element of document.querySelectorAll('main, nav'))
          if (element.getClientRects().length > 0 && !seen.includes(element.className))
            seen.push(element.className)
      }).observe(document, { childList: true, subtree: true })
    })
    await page.goto('/')
    await expect(page).toHaveURL(openingAddress)
    const seen = () => page.evaluate(() => (window as { seen?: string[] }).seen)
    await expect.poll(seen).toEqual(['opening'])
  })

  test('opening pages and films follow one another and then lead to the home page', async ({
    page,
  }) => {
    await withSettings(page, { ENV_OPENING_PAGE: '1' })
    const film = { id: 'b', title: '校园一日', contentUrl: '/day.mp4', seconds: 4 }
    await withOpeningPages(page, { seconds: 4 }, film, {
      ...film,
      id: 'c',
      contentUrl: '/none.mp4',
    })
    // One film loads slowly, the other is missing.
    await page.route('**/day.mp4', () => {})
    await page.goto('/')
    await expect(page.getByRole('img', { name: '开学典礼' })).toBeVisible()
    await expect(page.getByRole('button', { name: /^跳过 \d/ })).toBeVisible()
    await expect(page.locator('video[aria-label=校园一日]')).toBeAttached()
    await expect(page).toHaveURL(homeAddress)
    expect(await page.evaluate(() => localStorage.getItem('openPageids'))).toBe('["a","b","c"]')
  })

  test('the link of an opening page fits on one line with large text', async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 740 })
    await page.addInitScript(() => localStorage.setItem('textSize', '200'))
    await withSettings(page, { ENV_OPENING_PAGE: '1' })
    await withOpeningPages(page, { link: '/pages/about/about' })
    await page.goto('/')
    const more = page.getByRole('button', { name: '了解详情' })
    const { width, height } = (await more.boundingBox()) ?? { width: 0, height: 0 }
    expect(width).toBeGreaterThan(2 * height)
    await more.click()
    await expect(page).toHaveURL(/\/pages\/about\/about$/)
    await page.goBack()
    await expect(page).toHaveURL(homeAddress)
  })

  test('the root address restores the last page', async ({ page }) => {
    await page.goto('/pages/set/set')
    await expect(page.getByRole('heading', { name: '设置', level: 1 })).toBeVisible()
    await page.goto('/')
    await expect(page).toHaveURL(/\/pages\/set\/set$/)
    await page.getByRole('button', { name: '返回首页' }).click()
    await expect(page).toHaveURL(homeAddress)
  })

  test('an opening page is shown before home and can be skipped', async ({ page }) => {
    await withSettings(page, { ENV_OPENING_PAGE: '1', ENV_DIVERSION_PAGE: '1' })
    await page.goto('/')
    await expect(page).toHaveURL(openingAddress)
    await page.getByRole('button', { name: /^跳过/ }).click()
    await expect(page).toHaveURL(homeAddress)
    expect(await page.evaluate(() => localStorage.getItem('opnePageFrequency'))).toMatch(/\d/)
    // Going back does not return to it and makes no request.
    await page.goto('/pages/about/about')
    await page.goBack()
    await expect(page).toHaveURL(homeAddress)
  })

  test('the diversion page asks where to go', async ({ page }) => {
    await withSettings(page, { ENV_DIVERSION_PAGE: '1' })
    await page.goto('/')
    await expect(page).toHaveURL(/\/pages\/fenliu\/fenliu$/)
    await page.getByRole('button', { name: '直接进入首页' }).click()
    await expect(page).toHaveURL(homeAddress)
  })

  test('mourning mode shows the page in greyscale', async ({ page }) => {
    await withSettings(page, { ENV_APP_MOURNING_MODE: '1' })
    await page.goto('/')
    await expect(page.locator('html')).toHaveCSS('filter', 'grayscale(1)')
  })
})

test('a visitor on a computer is offered the desktop portal until they dismiss it', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await withSettings(page, { pcPortalUrl: 'https://portal.example.edu.cn/' })
  await page.goto('/')
  await expect(page.getByRole('link', { name: '打开电脑版' })).toHaveAttribute(
    'href',
    'https://portal.example.edu.cn/',
  )
  await page.getByRole('button', { name: '关闭' }).click()
  await page.reload()
  await expect(page.getByRole('navigation')).toBeVisible()
  await expect(page.getByRole('link', { name: '打开电脑版' })).toBeHidden()
})
