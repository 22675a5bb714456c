import type { Page } from '@playwright/test'
import { watchRequests } from './quiet.ts'
import { withSettings, withSystem } from './settings.ts'
import { expect, test } from './test.ts'
import { unreadInList } from './unread.ts'

const home = '/pages/tab/index/index'
const tabs = (page: Page) => page.getByRole('navigation', { name: '主导航' })

test.describe('as a student', () => {
  test.use({ as: 'student' })

  test('tab names depend on the identity type, then its label, then the default', async ({
    page,
  }) => {
    await withSystem(page, ({ footTabs }) => ({
      footTabs: footTabs.map((tab, index) => {
        if (index === 1) return { ...tab, identityList: { S01: '本科服务', student: '学生服务' } }
        if (index === 2)
          return { ...tab, identityList: { student: '学生消息', teacher: '教师消息' } }
        return index === 3 ? { ...tab, text: '校历', identityList: { teacher: '课表' } } : tab
      }),
    }))
    await page.goto(home)
    for (const name of ['首页', '本科服务', '学生消息', '校历', '我的'])
      await expect(tabs(page).getByRole('link', { name })).toBeVisible()
  })

  test('a tab can be a web page', async ({ page, baseURL }) => {
    await withSystem(page, ({ footTabs }) => ({
      footTabs: footTabs.map((tab, index) =>
        index === 1 ? { ...tab, externalUrl: `${baseURL}/pages/about/about` } : tab,
      ),
    }))
    await page.goto(home)
    const tab = tabs(page).getByRole('link', { name: '服务' })
    await expect(tab).toHaveAttribute('href', '/pages/webview/tab-webview-2')
    await tab.click()
    await expect(tab).toHaveAttribute('aria-current', 'page')
    await tabs(page).getByRole('link', { name: '首页' }).click()
    await expect(page).toHaveURL(new RegExp(`${home}$`))
  })

  test('the height of the bar scales with its width between 48 and 64 px', async ({ page }) => {
    await page.goto(home)
    for (const [width, height] of [
      [320, 48],
      [450, 56.4],
      [600, 64],
    ] as const) {
      await page.setViewportSize({ width, height: 844 })
      await expect.poll(async () => (await tabs(page).boundingBox())?.height).toBeCloseTo(height, 1)
    }
  })

  test('the labels of the bar grow with the text on a small phone and are not cut or broken', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 320, height: 700 })
    await page.addInitScript(() => localStorage.setItem('textSize', '200'))
    for (const [language, first, size] of [
      ['zh', '首页', '22px'],
      // As large as “Messages” fits.
      ['en', 'Home', '12.48px'],
    ] as const) {
      await page.addInitScript((value) => localStorage.setItem('language', value), language)
      await page.goto(home)
      const labels = page.locator('.tab-bar-label')
      await expect(labels).toHaveText([first, /./, /./, /./, /./])
      await expect(labels.first()).toHaveCSS('font-size', size)
      const cut = await labels.evaluateAll((all) => {
        const bar = all[0]?.closest('nav')?.getBoundingClientRect()
        return all
          .filter((label) => {
            const { top, bottom } = label.getBoundingClientRect()
            const isWhole =
              label.scrollWidth <= label.clientWidth + 1 &&
              label.scrollHeight <= label.clientHeight + 1
            return !bar || !isWhole || top < bar.top || bottom > bar.bottom + 1
          })
          .map((label) => label.textContent)
      })
      expect(cut).toEqual([])
    }
  })

  test('a red dot is announced without a number', async ({ page }) => {
    await withSystem(page, ({ footTabs }) => ({
      footTabs: footTabs.map((tab, index) => ({ ...tab, redDot: index === 1 })),
    }))
    await page.goto(home)
    await expect(tabs(page).getByRole('link', { name: /有新内容\s*服务/ })).toBeVisible()
  })

  test('a configured badge is shown on its tab, and a configured picture behind the bar', async ({
    page,
  }) => {
    await withSystem(page, ({ footTabs }) => ({
      footTabs: footTabs.map((tab, index) => ({
        ...tab,
        badge: ['', '新', '', '7'][index] ?? '',
        backgroundUrl: index === 1 ? '/icon-192.png' : '',
      })),
    }))
    await page.goto(home)
    const badgeOf = (name: string) => tabs(page).getByRole('link', { name }).locator('.badge')
    await expect(badgeOf('服务')).toContainText('新')
    await expect(badgeOf('日程')).toContainText('7')
    await expect(badgeOf('我的')).toHaveCount(0)
    await expect(tabs(page)).toHaveCSS('background-image', /icon-192/)
  })

  test('the messages tab counts unread messages and pending tasks, and stores both', async ({
    page,
    request,
    baseURL,
  }) => {
    await page.goto('/pages/msgCenterTab/newtask/newtask')
    const halves = page.getByRole('tablist', { name: '消息与待办' }).getByRole('tab')
    await expect(halves).toHaveText([/消息 \d+/, /待办 \d+/])
    const texts = await halves.allTextContents()
    const [unread = 0, todo = 0] = texts.map((text) => Number(/\d+/.exec(text)?.[0]))
    const badge = tabs(page).getByRole('link', { name: '消息' }).locator('.badge')
    await expect(badge).toHaveText(`${unread + todo}${unread} 条未读，${todo} 项待办`)
    const kept = () =>
      page.evaluate(() => ['totalCount', 'cache_taskNum'].map((key) => localStorage.getItem(key)))
    await expect.poll(kept).toEqual([String(unread), String(todo)])
    await withSettings(page, { newtaskRoute: '/pages/webview/newtask-webview' })
    await page.evaluate(() => localStorage.removeItem('platFormConfig'))
    // Other tests read messages of this account meanwhile.
    await expect(async () => {
      await page.reload()
      const count = await unreadInList(request, baseURL, 'student')
      await expect(badge).toHaveText(`${count}${count} 条未读`)
    }).toPass()
  })

  test('a stored count is reset to 0 when its request fails', async ({ page }) => {
    await page.route(/getAllUnReadCount|tasks\/counts/, (route) => route.abort())
    await page.addInitScript(() => {
      if (sessionStorage.length > 0) return
      sessionStorage.setItem('begun', '1')
      localStorage.setItem('totalCount', '12')
      localStorage.setItem('cache_taskNum', '3')
    })
    await page.goto('/pages/tab/my/my')
    const badge = tabs(page).getByRole('link', { name: '消息' }).locator('.badge')
    // The cached value is shown until the request has failed.
    await expect(badge).toHaveText('1512 条未读，3 项待办')
    await expect(badge).toHaveCount(0)
    const kept = () =>
      page.evaluate(() => ['totalCount', 'cache_taskNum'].map((key) => localStorage.getItem(key)))
    await expect.poll(kept).toEqual(['0', '0'])
  })

  test('tabs and pages restore their scroll position', async ({ page }) => {
    await page.goto('/pages/tab/service/index')
    await expect(page.getByRole('heading', { name: '服务', level: 1 })).toBeVisible()
    const scrollY = () => page.evaluate(() => window.scrollY)
    // The page is too short until its list has loaded.
    const scrollDown = () =>
      page.evaluate(() => {
        scrollTo(0, 400)
        return window.scrollY
      })
    await expect.poll(scrollDown).toBeGreaterThan(300)
    await page.waitForLoadState('networkidle')
    const left = await scrollY()
    await tabs(page).getByRole('link', { name: '我的' }).click()
    await expect(page.getByRole('heading', { name: '林知夏' })).toBeVisible()
    expect(await scrollY()).toBe(0)
    await tabs(page).getByRole('link', { name: '服务' }).click()
    await expect.poll(scrollY).toBe(left)

    // A page further inside, and back again.
    await page
      .getByRole('main')
      .getByRole('link', { name: /搜索/ })
      .first()
      .evaluate((link) => (link as HTMLElement).click())
    await expect(page.getByRole('searchbox')).toBeVisible()
    await page.goBack()
    await expect.poll(scrollY).toBe(left)
  })

  test('a page shown again has the focus on the link by which it was left', async ({ page }) => {
    await page.goto('/pages/tab/my/my')
    // Not the page painted by the server, whose links load a new document.
    await expect(page.getByRole('heading', { name: '林知夏' })).toBeVisible()
    const link = page.getByRole('main').getByRole('link', { name: '个人资料' })
    await link.focus()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/pages/myInfo/myInfo')
    await page.goBack()
    await expect(link).toBeFocused()
    // The tab bar keeps its own focus.
    await tabs(page).getByRole('link', { name: '服务' }).click()
    await tabs(page).getByRole('link', { name: '我的' }).click()
    await expect(page.getByRole('heading', { name: '林知夏' })).toBeVisible()
    await expect(link).not.toBeFocused()
  })

  test('the unread count is requested on becoming visible, not on pages without login', async ({
    page,
  }) => {
    let asked = 0
    page.on('request', (request) => {
      if (request.url().includes('getAllUnReadCount')) asked += 1
    })
    const showAgain = () =>
      page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
    await page.goto('/pages/tab/my/my')
    await expect(page.getByRole('heading', { name: '林知夏' })).toBeVisible()
    const before = asked
    await showAgain()
    await expect.poll(() => asked).toBeGreaterThan(before)

    await page.goto('/pages/tab/my/my?noLogin=1')
    await expect(page.getByRole('button', { name: '登录' })).toBeVisible()
    asked = 0
    const quiet = watchRequests(page)
    await showAgain()
    await quiet()
    expect(asked).toBe(0)
  })

  test('the app icon shows the unread count, and none when the badge is muted', async ({
    page,
  }) => {
    await page.addInitScript(() => {
      const told: unknown[] = []
      Object.assign(window, { told })
      Object.assign(navigator, {
        setAppBadge: async (count: number) => void told.push(count),
        clearAppBadge: async () => void told.push(0),
      })
    })
    const told = () => page.evaluate(() => (window as { told?: unknown[] }).told?.at(-1))
    await page.goto(home)
    const badge = tabs(page).getByRole('link', { name: '消息' }).locator('.badge')
    await expect(badge).toBeVisible()
    const count = Number((await badge.locator('[aria-hidden]').textContent()) ?? '')
    expect(count).toBeGreaterThan(0)
    await expect.poll(told).toBe(count)
    await withSettings(page, { muteBadge: '1' })
    // The stored copy is older.
    await expect(async () => {
      await page.reload()
      await expect.poll(told, { timeout: 6000 }).toBe(0)
    }).toPass()
  })

  test('a festival theme is applied while active, also offline, and then removed', async ({
    page,
  }) => {
    await withSettings(page, { ENV_ENABLE_MOBILE_FESTIVAL_THEME: '1' })
    await page.goto(home)
    const picture = tabs(page).getByRole('link').first().locator('img')
    await expect(picture).toHaveAttribute('src', /founders-home/)
    await expect(tabs(page)).toHaveCSS('background-image', /founders-bar/)

    await page.route('**/v1/theme/current', (route) => route.abort())
    const kept = () => page.evaluate(() => localStorage.getItem('savedIconMap'))
    await expect.poll(kept).toContain('founders-home')
    await page.route('**/*founders-home*', (route) => route.abort())
    await page.reload()
    await expect(picture).toHaveAttribute('src', /^data:image/)

    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.reload()
    await expect(tabs(page)).toBeVisible()
    await expect(picture).toHaveCount(0)
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem('cache_theme_tabbarConfig')))
      .toBeNull()
  })

  test('an expired theme is not applied', async ({ page }) => {
    await withSettings(page, { ENV_ENABLE_MOBILE_FESTIVAL_THEME: '1' })
    await page.route('**/v1/theme/current', async (route) => {
      const answer = await route.fetch()
      const body = await answer.json()
      body.data.validLists = [
        {
          validTimeType: 'custom',
          customValidTimeType: 'include',
          customValidStartTime: '2020-01-01 00:00:00',
          customValidEndTime: '2020-01-02 00:00:00',
        },
      ]
      await route.fulfill({ response: answer, json: body })
    })
    const asked = page.waitForResponse('**/v1/theme/current')
    await page.goto(home)
    await asked
    await expect(tabs(page).getByRole('link').first().locator('img')).toHaveCount(0)
  })

  test('more than 999 unread messages are shown as 999+, and none when the badge is muted', async ({
    page,
  }) => {
    await page.route('**/portal-api/v1/home', async (route) => {
      const answer = await route.fetch()
      const body = await answer.json()
      await route.fulfill({
        response: answer,
        json: { ...body, data: { ...body.data, unread: 1200 } },
      })
    })
    await page.route('**/getAllUnReadCount*', async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, json: { ...(await answer.json()), data: 1200 } })
    })
    await page.goto(home)
    await expect(tabs(page).getByText('999+')).toBeVisible()
    await withSettings(page, { muteBadge: '1' })
    await page.reload()
    await expect(page.getByRole('heading', { name: '常用服务', exact: true })).toBeVisible()
    await expect(tabs(page).getByText('999+')).toHaveCount(0)
  })

  test('changed settings are shown when the app becomes visible again', async ({ page }) => {
    await page.goto('/pages/about/about')
    await expect(page.getByRole('heading', { name: '江岚大学移动门户' })).toBeVisible()
    await withSystem(page, () => ({ schoolName: '江岚书院' }))
    await page.evaluate(() =>
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
    )
    await expect(page.getByRole('heading', { name: '江岚书院移动门户' })).toBeVisible()
  })

  test('closing the page after a while asks for confirmation', async ({ page }) => {
    await page.clock.install()
    await page.goto('/pages/about/about')
    await page.getByRole('link', { name: '门户介绍' }).click()
    await page.clock.fastForward(8500)
    const asked = page.waitForEvent('dialog')
    await page.close({ runBeforeUnload: true })
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.accept()
  })
})
