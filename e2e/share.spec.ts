import { endpoints } from '@atrium/contract'
import type { Browser, Page } from '@playwright/test'
import { axeViolations } from './axe.ts'
import { idToken, password } from './session.ts'
import { withSettings } from './settings.ts'
import { expect, test } from './test.ts'

/** The server's answer to a member, or to a visitor. */
async function get(baseURL: string | undefined, address: string, token?: string) {
  const answer = await fetch(`${baseURL}${address}`, {
    headers: token ? { 'x-id-token': token } : {},
  })
  return ((await answer.json()) as { data: never }).data
}

/** The shared address of a service, by name, as the student shares it. */
async function linkOf(baseURL: string | undefined, name: string) {
  const token = await idToken(baseURL ?? '', 'student')
  const { services, share } = endpoints
  const { list } = (await get(
    baseURL,
    `${services.list.path}?keyWords=${encodeURIComponent(name)}`,
    token,
  )) as { list: { serviceId: string }[] }
  const id = list[0]?.serviceId
  const { url } = (await get(baseURL, `${share.link.path}?kind=service&id=${id}`, token)) as {
    url: string
  }
  return url
}

/** A fresh browser without a session. */
const stranger = async (browser: Browser, locale = 'zh-CN') =>
  (await browser.newContext({ locale, viewport: { width: 390, height: 844 } })).newPage()

const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

test.describe('a member', () => {
  test.use({ as: 'student', permissions: ['clipboard-read', 'clipboard-write'] })

  test('shares an article with their name, and a visitor reads it', async ({ page, browser }) => {
    await page.goto('/pagesA/news/news')
    await page
      .getByRole('main')
      .getByRole('link')
      .filter({ has: page.locator('time') })
      .first()
      .click()
    await expect(page).toHaveURL(/\/pagesA\/news\/detail/)
    const title = (await page.locator('.article-title').textContent()) ?? ''
    await page.getByRole('button', { name: '分享' }).click()
    const sheet = page.getByRole('dialog', { name: '分享' })
    await expect(sheet.getByText('对方不会看到是谁分享的')).toBeVisible()
    await sheet.getByRole('switch', { name: '附上我的姓名' }).click()
    await expect(sheet.getByText(/^对方会看到：.+ 分享$/)).toBeVisible()
    await sheet.getByRole('button', { name: '复制链接' }).click()
    await expect(page.getByText('已复制')).toBeVisible()
    await sheet.getByRole('button', { name: '生成海报' }).click()
    const poster = sheet.getByRole('img', { name: `海报：${title}，扫码打开` })
    await expect(poster).toBeVisible()
    expect(await poster.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(750)
    expect(await axeViolations(page)).toEqual([])

    const other = await stranger(browser)
    await other.goto(await copied(page))
    await expect(other.getByRole('heading', { level: 1, name: '资讯分享' })).toBeVisible()
    await expect(other.getByText(/^.+ 分享给你$/)).toBeVisible()
    await expect(other.getByRole('heading', { level: 2, name: title })).toBeVisible()
    expect(await axeViolations(other)).toEqual([])
    await other.getByRole('link', { name: '阅读全文' }).click()
    await expect(other).toHaveURL(/\/pagesA\/news\/detail/)
    await expect(other.locator('.article-title')).toHaveText(title)
    await other.context().close()
  })

  test('shares a service without their name, and a visitor opens it', async ({ page, browser }) => {
    await page.goto(`/pages/service/search?keyWords=${encodeURIComponent('校历')}`)
    await page.getByRole('button', { name: '校历，服务说明' }).click()
    await page.getByRole('dialog', { name: '校历' }).getByRole('button', { name: '分享' }).click()
    const sheet = page.getByRole('dialog', { name: '分享' })
    await sheet.getByRole('button', { name: '复制链接' }).click()
    await expect(page.getByText('已复制')).toBeVisible()
    expect(await axeViolations(page)).toEqual([])
    const other = await stranger(browser)
    await other.goto(await copied(page))
    await expect(other.getByRole('heading', { level: 1, name: '服务分享' })).toBeVisible()
    await expect(other.getByRole('heading', { level: 2, name: '校历' })).toBeVisible()
    await expect(other.getByText(/分享给你/)).toBeHidden()
    const { url } = { url: other.url() }
    await other.getByRole('button', { name: '打开服务' }).click()
    await expect(other).not.toHaveURL(url)
    await other.context().close()
  })

  test('shares directly through the device when the institution enables quick sharing', async ({
    page,
  }) => {
    await withSettings(page, { ENV_SERVICE_SHARE_TYPE: 'quick' })
    await page.addInitScript(() => {
      navigator.share = async (data) => {
        document.title = JSON.stringify(data)
      }
    })
    await page.goto(`/pages/service/search?keyWords=${encodeURIComponent('校历')}`)
    await page.getByRole('button', { name: '校历，服务说明' }).click()
    await page.getByRole('dialog', { name: '校历' }).getByRole('button', { name: '分享' }).click()
    await expect(page).toHaveTitle(/"title":"校历".*serviceShare\?serviceInfo=/)
    await expect(page.getByRole('dialog', { name: '分享' })).toBeHidden()
  })

  test('configures the share menu of WeChat', async ({ page }) => {
    await page.route('**/v1/wechat/getWechatJSSDK*', (route) =>
      route.fulfill({
        json: {
          code: 0,
          message: '',
          data: { appid: 'wx1', timestamp: 1, nonceStr: 'n', signature: 'a'.repeat(40) },
        },
      }),
    )
    const address = `/pages/service/search?keyWords=${encodeURIComponent('校历')}`
    await page.goto(`/simulator/?container=wechat&address=${encodeURIComponent(address)}`)
    const portal = page.frameLocator('iframe')
    await page.locator('iframe').scrollIntoViewIfNeeded()
    await portal.getByRole('button', { name: '校历，服务说明' }).click()
    await portal.getByRole('dialog', { name: '校历' }).getByRole('button', { name: '分享' }).click()
    await portal.getByRole('button', { name: '微信好友、朋友圈、QQ' }).click()
    await expect(portal.getByRole('dialog', { name: '分享' }).getByText(/点右上角/)).toBeVisible()
    for (const call of ['updateAppMessageShareData', 'updateTimelineShareData']) {
      const said = page
        .getByRole('listitem')
        .filter({ has: page.getByText(`wx.${call}`, { exact: true }) })
      await expect(said).toContainText('"title":"校历"')
      await expect(said).toContainText('/pages/service/serviceShare?serviceInfo=')
    }
  })
})

test('a shared members-only service asks to sign in and returns to the service', async ({
  page,
  baseURL,
}) => {
  await page.goto(await linkOf(baseURL, '成绩查询'))
  await expect(page.getByText('这项服务暂不可用')).toBeVisible()
  await expect(page.getByText('成绩查询')).toBeHidden()
  await page.getByRole('button', { name: '登录后使用' }).click()
  await page.getByRole('textbox', { name: '学号 / 工号' }).fill('student')
  await page.getByRole('textbox', { name: '密码', exact: true }).fill(password)
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await expect(page).toHaveURL(/\/pages\/service\/serviceShare\?serviceInfo=/)
  await expect(page.getByRole('heading', { level: 2, name: '成绩查询' })).toBeVisible()
})

test('a direct link opens the service without redirecting again on the way back', async ({
  page,
  baseURL,
}) => {
  await page.route('**/portal-api/v1/share/service*', async (route) => {
    const answer = await route.fetch()
    const body = await answer.json()
    await route.fulfill({
      response: answer,
      json: { ...body, data: { ...body.data, direct: true } },
    })
  })
  await page.goto(await linkOf(baseURL, '校历'))
  await expect(page).not.toHaveURL(/serviceShare/)
  await page.goBack()
  await expect(page.getByRole('button', { name: '打开服务' })).toBeVisible()
})

test('altered and broken links show an error in both languages', async ({ browser, baseURL }) => {
  const good = await linkOf(baseURL, '校历')
  const altered = good.replace('&noLogin', 'x&noLogin')
  for (const [locale, words, home] of [
    ['zh-CN', '这个分享链接不完整或被改动过', '去首页看看'],
    ['en-US', 'This shared link is incomplete or was altered', 'Go to the home page'],
  ] as const) {
    const page = await stranger(browser, locale)
    await page.goto(altered)
    await expect(page.getByText(words)).toBeVisible()
    expect(await axeViolations(page)).toEqual([])
    await page.goto(`${baseURL}/pagesA/news/midTrans?data=%3Cscript%3E&noLogin=1`)
    await expect(page.getByText(words)).toBeVisible()
    await page.getByRole('button', { name: home }).click()
    await expect(page).toHaveURL(/\/pages\/tab\/index\/index/)
    await page.context().close()
  }
})
