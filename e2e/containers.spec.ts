import type { Frame, Page } from '@playwright/test'
import { axeViolations } from './axe.ts'
import { recordedEvents } from './recorded-events.ts'
import { password } from './session.ts'
import { expect as hasty, test } from './test.ts'

/** Two pages start in one, and the container integration loads after the portal's first screen. */
const expect = hasty.configure({ timeout: 15_000 })

/** The portal inside a simulated container: its frame, its calls to the container, and what the container shows. */
async function play(page: Page, container: string, address = '/pages/tab/index/index') {
  await page.goto(`/simulator/?container=${container}&address=${encodeURIComponent(address)}`)
  const portal = page.frameLocator('iframe')
  await expect(portal.getByRole('main').first()).toBeVisible()
  // Elements fixed inside a frame are not scrolled into view automatically.
  const show = () => page.locator('iframe').scrollIntoViewIfNeeded()
  await show()
  return {
    portal,
    badge: page.getByLabel('应用角标'),
    back: page.getByRole('button', { name: '容器的返回键' }),
    /** Calls of this name, newest first. */
    said: (name: string) =>
      page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) }),
    again: async () => {
      await page.getByRole('button', { name: '重新打开' }).click()
      await show()
    },
  }
}

/** Fills a field of the simulator; again if the page in the frame took the focus meanwhile, and with it the text. */
const enter = (page: Page, label: string, text: string) =>
  expect(async () => {
    const field = page.getByLabel(label)
    await field.fill(text)
    await expect(field).toHaveValue(text, { timeout: 1000 })
  }).toPass()

test.describe('inside a host app', () => {
  test.describe('as a member', () => {
    test.use({ as: 'student' })

    for (const width of [320, 768, 1280])
      test(`the simulator shows the phone before the settings at ${width} px`, async ({ page }) => {
        await page.setViewportSize({ width, height: 800 })
        await play(page, 'app-android')
        const phone = page.getByRole('region', { name: '模拟的手机' })
        const settings = page.getByRole('region', { name: '设置', exact: true })
        const places = await Promise.all([phone, settings].map((part) => part.boundingBox()))
        const [first, second] = places.map((place) => (width === 320 ? place?.y : place?.x))
        expect(first).toBeLessThan(second ?? 0)
        // By keyboard too.
        await page.getByRole('button', { name: 'English' }).focus()
        await page.keyboard.press('Tab')
        const inside = await phone.evaluate((part) => part.contains(document.activeElement))
        expect(inside).toBe(true)
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      })

    test('sends hello and sets the app badge to the unread count of the tab bar', async ({
      page,
    }) => {
      const { portal, badge, said } = await play(page, 'app-android')
      await expect(said('hello')).toHaveCount(1)
      const unread = portal.getByRole('navigation').getByText(/条未读/)
      await expect(unread).toBeVisible()
      // Unread messages, and pending tasks if there are any.
      const counts = (await unread.textContent())?.match(/\d+/g)?.map(Number) ?? []
      const total = counts.reduce((sum, count) => sum + count, 0)
      expect(total).toBeGreaterThan(0)
      await expect(badge).toHaveText(String(total))
    })

    test('shows no back button and answers the app’s back event', async ({ page }) => {
      const { portal, back, said } = await play(page, 'app-ios', '/pages/tab/my/my')
      await portal.getByRole('link', { name: '设置' }).click()
      const heading = portal.getByRole('heading', { level: 1, name: '设置' })
      await expect(heading).toBeVisible()
      await expect(portal.getByRole('button', { name: '返回' })).toHaveCount(0)
      await expect(said('hello')).toHaveCount(1)
      await back.click()
      await expect(heading).toBeHidden()
      await expect(said('back').first()).toContainText('{"handled":true}')
      await back.click()
      await expect(said('back').first()).toContainText('{"handled":false}')
    })

    test('closes an open dialog on the app’s back event', async ({ page }) => {
      const { portal, back, said } = await play(page, 'app-ios', '/pages/tab/my/my')
      await expect(said('hello')).toHaveCount(1)
      await portal.getByRole('button', { name: '退出登录' }).click()
      await expect(portal.getByRole('dialog')).toBeVisible()
      await back.click()
      await expect(portal.getByRole('dialog')).toBeHidden()
      await expect(said('back').first()).toContainText('{"handled":true}')
    })

    test('uses the app to share, add calendar events and update', async ({ page, baseURL }) => {
      const shared = `${baseURL}/pages/secondWork`
      const web = `/pages/webview/webview?url=${encodeURIComponent(shared)}`
      const { portal, said, again } = await play(page, 'app-ios', web)
      await portal.getByRole('button', { name: '更多操作' }).click()
      await portal.getByRole('button', { name: '分享' }).click()
      await expect(said('share')).toContainText(shared)

      // The week shows courses even when today's are over.
      await enter(page, '打开的地址', '/pages/tab/schedule/schedule')
      await again()
      await portal.getByRole('tab', { name: '周', exact: true }).click()
      await portal
        .getByRole('link', { name: /，课程，/ })
        .first()
        .click()
      await portal.getByRole('button', { name: '添加到手机日历' }).click()
      await expect(said('addCalendar')).toContainText(/"startsAt":"\d{4}-/)

      await enter(page, '可更新的版本', '5.3.0')
      await enter(page, '打开的地址', '/pages/set/set')
      await again()
      await expect(portal.getByRole('button', { name: '清除缓存' })).toContainText('12 MB')
      await portal.getByRole('button', { name: '应用版本' }).click()
      await expect(said('sysVersionUpdate')).toHaveCount(1)
    })

    test('removes the notifications of read messages', async ({ page }) => {
      // Simulated: other tests count this member's unread messages.
      await page.route('**/messageRecordReaded*', (route) =>
        route.fulfill({ json: { code: 0, message: '', data: { changed: 1 } } }),
      )
      await page.route('**/getMessageRecord?*', async (route) => {
        const body = await (await route.fetch()).json()
        await route.fulfill({ json: { ...body, data: { ...body.data, read: false } } })
      })
      const { portal, said } = await play(page, 'app-android', '/pagesA/message/entry')
      await expect(said('hello')).toHaveCount(1)
      await portal.getByRole('button', { name: '更多操作', exact: true }).click()
      await portal.getByRole('dialog').getByRole('button', { name: '全部已读' }).click()
      await portal
        .getByRole('dialog', { name: '全部标为已读？' })
        .getByRole('button', { name: '全部已读' })
        .click()
      await expect(said('getAllMessage')).toHaveCount(1)
      await expect(said('remove')).toContainText('{"msgId":"1"}')

      const line = portal.getByRole('main').getByRole('listitem').getByRole('link').first()
      const href = (await line.getAttribute('href')) ?? ''
      await line.click()
      const msgId = new URLSearchParams(href.split('?')[1]).get('id')
      await expect(said('remove').first()).toContainText(`{"msgId":"${msgId}"}`)
    })

    test('shows its own back button when the app has none', async ({ page }) => {
      const { portal, again, said } = await play(page, 'app-ios', '/pages/set/set')
      await expect(said('hello')).toHaveCount(1)
      await page.getByLabel('自带返回键').uncheck()
      // The container's declaration applies from the next start, so that nothing moves on an open page.
      await again()
      await expect(said('hello')).toHaveCount(1)
      await again()
      await expect(portal.getByRole('button', { name: '返回首页' })).toBeVisible()
    })
  })

  test('signs in with the app’s account once the server has verified its token', async ({
    page,
  }) => {
    const accepted = recordedEvents(page)
    const { portal, again, said } = await play(page, 'app-android')
    await expect(portal.getByRole('button', { name: '登录' })).toBeVisible()
    // The first start asks late; it would use the account if it were signed in by then.
    await expect(said('sysGetUserToken')).toHaveCount(1)
    await signInToApp(page)
    const verified = page.waitForResponse(/\/token\/login\/verify/)
    await again()
    expect((await verified).status()).toBe(200)
    await expect(portal.getByRole('heading', { level: 1 })).toContainText('林知夏')
    await expect(said('sysGetUserToken').first()).toContainText('idToken')
    await expect.poll(() => accepted, { timeout: 15_000 }).toContain('hostAppLogin')
  })

  test('a members-only page signs in through the app instead of the central login', async ({
    page,
  }) => {
    const { portal, again } = await play(page, 'app-android')
    await signInToApp(page)
    await enter(page, '打开的地址', '/pages/myInfo/myInfo')
    await again()
    await expect(portal.getByText('林知夏').first()).toBeVisible()
  })

  test('scans with the app and shows content outside the allowlist as plain text', async ({
    page,
  }) => {
    const { portal, said } = await play(page, 'app-android')
    await expect(said('hello')).toHaveCount(1)
    await enter(page, '扫码结果', '<img src=x onerror=alert(1)> https://evil.example/a')
    await portal.getByRole('button', { name: '扫一扫' }).click()
    await expect(portal.getByRole('heading', { level: 1, name: '扫描结果' })).toBeVisible()
    await expect(portal.getByText('<img src=x onerror=alert(1)>')).toBeVisible()
    await expect(portal.getByRole('button', { name: '打开链接' })).toHaveCount(0)
  })

  test('opens a scanned portal address, and nothing when the scan is cancelled', async ({
    page,
    baseURL,
  }) => {
    const { portal, said } = await play(page, 'app-android')
    await expect(said('hello')).toHaveCount(1)
    await enter(page, '扫码结果', '')
    await portal.getByRole('button', { name: '扫一扫' }).click()
    await expect(said('scanCode').first()).toContainText('refused')
    await enter(page, '扫码结果', `${baseURL}/pages/service/search?keyWords=图书`)
    await portal.getByRole('button', { name: '扫一扫' }).click()
    await expect(portal.getByRole('searchbox')).toHaveValue('图书')
  })

  test('behaves as in a browser when the app does not support the protocol', async ({ page }) => {
    const { portal, again, said, badge } = await play(page, 'app-android')
    await page.getByLabel('支持消息协议').uncheck()
    await again()
    await expect(said('hello')).toHaveCount(1)
    await expect(badge).toHaveText('0')
    await portal.getByRole('button', { name: '扫一扫' }).click()
    await expect(portal.getByRole('dialog', { name: '扫一扫' })).toBeVisible()
  })

  test('receives the app’s hidden and shown events', async ({ page }) => {
    const { said } = await play(page, 'app-harmony')
    await expect(said('hello')).toHaveCount(1)
    for (const [event, name] of [
      ['hidden', '切到后台'],
      ['shown', '回到前台'],
    ] as const) {
      await page.getByRole('button', { name }).click()
      await expect(said(event)).toContainText('→ {}')
    }
  })
})

test.describe('shaking', () => {
  test.use({ as: 'student' })
  test.beforeEach(async ({ page }) => {
    const shake = { key: 'shake', value: '{"openShake":"1","shake_link":"/pages/service/search"}' }
    await page.route(/\/config\/(getDetail|system\/getSystemConf)/, async (route) => {
      const body = await (await route.fetch()).json()
      const list: { key: string }[] = Array.isArray(body.data) ? body.data : body.data.publicConfig
      list.splice(0, list.length, ...list.filter(({ key }) => key !== 'shake'), shake)
      await route.fulfill({ json: body })
    })
  })
  async function shakeDevice(page: Page) {
    const frame = page.frames()[1]
    for (const x of [25, 0, 25, 0, 25, 0]) {
      await frame?.evaluate((strength) => {
        const acceleration = { x: strength, y: 0, z: 0 }
        dispatchEvent(new DeviceMotionEvent('devicemotion', { acceleration }))
      }, x)
    }
  }

  test('opens the configured link', async ({ page }) => {
    const { portal } = await play(page, 'app-android')
    await expect(async () => {
      await shakeDevice(page)
      await expect(portal.getByRole('searchbox')).toBeVisible({ timeout: 1000 })
    }).toPass()
  })

  test('asks for consent on iOS; declining turns it off in the settings', async ({ page }) => {
    // Chromium does not prompt: it answers with the granted permissions.
    await page.context().grantPermissions(['accelerometer', 'gyroscope'])
    const { portal, again } = await play(page, 'app-ios')
    const question = portal.getByRole('complementary', { name: '摇一摇' })
    await expect(question).toBeVisible()
    expect(await axeViolations(page.frames()[1] as Frame)).toEqual([])
    await shakeDevice(page)
    await question.getByRole('button', { name: '关闭' }).click()
    await expect(question).toBeHidden()
    await enter(page, '打开的地址', '/pages/set/set')
    await again()
    const toggle = portal.getByRole('switch', { name: '摇一摇' })
    await expect(toggle).not.toBeChecked()
    await toggle.click()
    await expect(toggle).toBeChecked()
  })
})

test.describe('inside a mini-program', () => {
  test.use({ as: 'student' })

  test('has no back button and its own schedule tab', async ({ page }) => {
    const { portal, back } = await play(page, 'mini-ios', '/pages/tab/my/my')
    await expect(
      portal.getByRole('navigation').getByRole('link', { name: '日程' }),
    ).toHaveAttribute('href', '/pages/webview/schedule-webview')
    await portal.getByRole('link', { name: '设置' }).click()
    await expect(portal.getByRole('heading', { level: 1, name: '设置' })).toBeVisible()
    await expect(portal.getByRole('button', { name: '返回' })).toHaveCount(0)
    await back.click()
    await expect(portal.getByRole('heading', { level: 1, name: '设置' })).toBeHidden()
  })

  test('advises opening an external address in a browser', async ({ page }) => {
    const { portal } = await play(
      page,
      'mini-android',
      '/pages/webview/webview?url=https%3A%2F%2Fexample.org%2Fa',
    )
    await portal.getByRole('link', { name: '继续' }).click()
    await expect(portal.getByRole('status').filter({ hasText: '请在浏览器中打开' })).toBeVisible()
  })
})

/** The app has a session once its list shows the account. */
async function signInToApp(page: Page) {
  const account = page.getByLabel('应用内登录的账号')
  await account.selectOption('student')
  await expect(account).toHaveValue('student')
}

/** Signs out with a separate session: the one shared with other tests stays valid. */
async function signOut(page: Page, baseURL: string | undefined, container: string) {
  const answer = await page.request.post(`${baseURL}/token/password/passwordLogin`, {
    data: { username: 'staff', password },
  })
  const { data } = await answer.json()
  await page.goto('/icon.svg')
  await page.evaluate((token) => localStorage.setItem('idToken', token), data.idToken)
  const played = await play(page, container, '/pages/tab/my/my')
  await played.portal.getByRole('button', { name: '退出登录' }).click()
  await played.portal.getByRole('dialog').getByRole('button', { name: '退出' }).click()
  return played
}

test('signing out signs out of the host app as well', async ({ page, baseURL }) => {
  const { said } = await signOut(page, baseURL, 'app-android')
  await expect(said('sysLogout')).toHaveCount(1)
})

test('signing out notifies the mini-program through WeChat', async ({ page, baseURL }) => {
  const { said } = await signOut(page, baseURL, 'mini-ios')
  await expect(said('wx.miniProgram.postMessage')).toContainText('sysLogout')
})

test.describe('the simulator', () => {
  for (const locale of ['zh-CN', 'en-US']) {
    test.describe(locale, () => {
      test.use({ locale })
      test('has no axe violations', { tag: '@desktop' }, async ({ page }) => {
        await page.goto('/simulator/')
        await expect(page.getByText('hello', { exact: true })).toBeVisible()
        expect(await axeViolations(page)).toEqual([])
      })
    })
  }

  test('shows a note when a page refuses to be framed', async ({ page }) => {
    await page.goto('/simulator/?container=browser&address=/pages/myInfo/myInfo')
    const note = page.getByRole('status').filter({ hasText: '不允许被嵌入' })
    await expect(note).toBeVisible()
    await enter(page, '打开的地址', '/pages/about/about')
    await page.getByRole('button', { name: '重新打开' }).click()
    await expect(page.frameLocator('iframe').getByRole('main')).toBeVisible()
    await expect(note).toBeHidden()
  })

  test('cannot be framed, and frames nothing but our own origin', async ({ page, request }) => {
    const { 'content-security-policy': policy } = (await request.get('/simulator/')).headers()
    expect(policy).toContain("frame-ancestors 'none'")
    await page.goto('/simulator/?address=https://example.org/')
    await expect(page.locator('iframe')).toHaveAttribute('src', '/')
  })
})
