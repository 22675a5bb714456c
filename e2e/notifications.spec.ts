import { axeViolations } from './axe.ts'
import { fullLaunchOptions, hasFullBrowser } from './browser.ts'
import { expect, test } from './test.ts'

const path = '/pages/set/notify'

test.describe('a member', () => {
  test.use({ as: 'staff' })
  test.describe.configure({ mode: 'serial' })

  test('sets quiet hours and reminders, which are stored', async ({ page }) => {
    await page.goto('/pages/set/set')
    await page.getByRole('link', { name: '通知设置' }).click()
    const quiet = page.getByRole('switch', { name: '免打扰时段' })
    await expect(quiet).toBeChecked()
    await page.getByLabel('开始').fill('21:15')
    await page.getByRole('checkbox', { name: '星期日' }).click()
    await expect(page.getByRole('checkbox', { name: '星期日' })).toBeChecked()
    await page.getByLabel('提醒时机').selectOption('weekly')
    await page.getByLabel('星期', { exact: true }).selectOption('1')
    const saved = page.waitForResponse(
      (answer) => /"maxPerHour":4/.test(answer.request().postData() ?? '') && answer.ok(),
    )
    await page.getByLabel('每小时最多').selectOption('4')
    await saved
    expect(await axeViolations(page)).toEqual([])
    await page.reload()
    await expect(page.getByLabel('开始')).toHaveValue('21:15')
    await expect(page.getByRole('checkbox', { name: '星期日' })).toBeChecked()
    await expect(page.getByLabel('星期', { exact: true })).toHaveValue('1')
    await expect(page.getByLabel('每小时最多')).toHaveValue('4')
    const off = page.waitForResponse(
      (answer) => /"quietFrom":null/.test(answer.request().postData() ?? '') && answer.ok(),
    )
    await quiet.click()
    await expect(page.getByLabel('开始')).toHaveCount(0)
    await off
    await page.reload()
    await expect(quiet).not.toBeChecked()
  })

  test('sets the channels of a message type, except for a mandatory one', async ({ page }) => {
    await page.goto(path)
    const card = (name: string) =>
      page.locator('.card').filter({ has: page.getByRole('heading', { name, exact: true }) })
    const library = card('图书馆').getByRole('group', { name: '通知' })
    await expect(library.getByRole('checkbox', { name: '设备通知' })).toBeChecked()
    // The choice is shown once the page has processed it.
    await library.getByRole('checkbox', { name: '邮件' }).click()
    await expect(library.getByRole('checkbox', { name: '邮件' })).toBeChecked()
    const saved = page.waitForResponse(
      (answer) => /"channels":\["mail"\]/.test(answer.request().postData() ?? '') && answer.ok(),
    )
    await library.getByRole('checkbox', { name: '设备通知' }).click()
    await expect(library.getByRole('checkbox', { name: '设备通知' })).not.toBeChecked()
    await saved
    const safety = card('安全中心').getByRole('group')
    await expect(safety.getByRole('checkbox', { name: '设备通知' })).toBeDisabled()
    await expect(safety).toContainText('不能关闭')
    await page.reload()
    await expect(library.getByRole('checkbox', { name: '邮件' })).toBeChecked()
    await expect(library.getByRole('checkbox', { name: '设备通知' })).not.toBeChecked()
  })
})

// All tests of a file share one browser.
test.use({ launchOptions: fullLaunchOptions })

test.describe('a notification', () => {
  test.use({ as: 'student', serviceWorkers: 'allow', permissions: ['notifications'] })

  test('is shown by the service worker and removed when its message is read', async ({
    page,
    context,
    baseURL,
  }) => {
    const cdp = await context.newCDPSession(page)
    const registered = new Promise<string>((resolve) =>
      cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const [registration] = registrations
        if (registration) resolve(registration.registrationId)
      }),
    )
    await cdp.send('ServiceWorker.enable')
    await page.goto('/pagesA/message/entry')
    const permission = await page.evaluate(() => Notification.permission)
    // biome-ignore lint/suspicious/noSkippedTests: where only the Chromium of the npm package is to be had
    test.skip(permission === 'denied' && !hasFullBrowser, 'this browser shows no notifications')
    const line = page.getByRole('list', { name: '消息' }).getByRole('link').first()
    const id =
      new URL((await line.getAttribute('href')) ?? '', baseURL).searchParams.get('id') ?? ''
    await page.evaluate(() => navigator.serviceWorker.ready)
    const push = (title: string, ids: string[]) => ({
      title: [title, `${title} in English`],
      body: ['正文', 'Text'],
      app: ['图书馆', 'Library'],
      ids,
      url: `/pagesA/message/detail?id=${ids[0]}`,
      urgent: false,
    })
    const registrationId = await registered
    const shown = () =>
      page.evaluate(async () => {
        const registration = await navigator.serviceWorker.ready
        return (await registration.getNotifications()).map(({ title, body }) => [title, body])
      })
    const deliver = (data: object) =>
      cdp.send('ServiceWorker.deliverPushMessage', {
        origin: new URL(baseURL ?? '').origin,
        registrationId,
        data: JSON.stringify(data),
      })
    // The browser may drop one that follows another closely; sending it again replaces it.
    const arrive = (data: object, all: string[][]) =>
      expect(async () => {
        await deliver(data)
        await expect.poll(shown, { timeout: 2000 }).toEqual(all)
      }).toPass()
    await arrive(push('第一条', [id]), [['第一条', '图书馆\n正文']])
    await arrive(push('第二条', ['999999']), [
      ['第一条', '图书馆\n正文'],
      ['第二条', '图书馆\n正文'],
    ])
    await line.click()
    await expect(page.getByRole('heading', { level: 2 })).toBeVisible()
    await expect.poll(shown).toEqual([['第二条', '图书馆\n正文']])
  })
})
