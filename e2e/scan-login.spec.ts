import { scanLogin } from '@atrium/contract/identity/scan-login'
import type { Browser } from '@playwright/test'
import { axeViolations } from './axe.ts'
import { createMembers, openAs } from './members.ts'
import { expect, test } from './test.ts'

test.describe.configure({ mode: 'default' })
const people = { scanner: '苗扫之', onlooker: '阮旁观' }

test.beforeAll(({ baseURL }) => createMembers(String(baseURL), people))

/** A computer at the sign-in page, with the content of its code. */
async function computer(browser: Browser, url: string) {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1280, height: 900 },
    locale: 'zh-CN',
  })
  const page = await context.newPage()
  await page.goto('/pages/login/pwdLogin')
  const begun = page.waitForResponse(`**${scanLogin.begin.path}`)
  await page.getByRole('button', { name: '扫码登录' }).click()
  const { data } = (await (await begun).json()) as { data: { url: string; number: string } }
  const { pathname, search } = new URL(data.url)
  return { page, path: pathname + search, number: data.number }
}

test('a phone confirms a scan sign-in, and the computer gets a session of its own', async ({
  browser,
  baseURL,
}) => {
  const url = String(baseURL)
  const { page, path, number } = await computer(browser, url)
  await expect(page.getByRole('img', { name: '扫码登录二维码' })).toBeVisible()
  expect(await axeViolations(page)).toEqual([])

  const phone = await openAs(browser, url, 'scanner', path)
  await expect(phone.getByText(number, { exact: true })).toBeVisible()
  await expect(phone.getByText('与这部手机相同')).toBeVisible()
  await expect(page.getByText('已扫码，请在手机上核对数字并确认')).toBeVisible()
  expect(await axeViolations(phone)).toEqual([])
  const onlooker = await openAs(browser, url, 'onlooker', path)
  await expect(onlooker.getByText(/已被别人扫过/)).toBeVisible()

  await phone.getByRole('button', { name: '确认登录' }).click()
  await expect(phone.getByText('已确认，电脑正在登录')).toBeVisible()
  await expect(page).not.toHaveURL(/login/)
  await phone.getByRole('link', { name: '查看登录设备' }).click()
  await expect(phone.getByText(/扫码登录/).first()).toBeVisible()
  // A second scan finds it expired.
  await phone.goto(path)
  await expect(phone.getByText(/二维码已失效/)).toBeVisible()
})

test('a refused scan sign-in signs nobody in and offers a new code; a phone shows no code', async ({
  browser,
  baseURL,
}) => {
  const url = String(baseURL)
  const { page, path } = await computer(browser, url)
  const phone = await openAs(browser, url, 'scanner', path)
  await phone.getByRole('button', { name: '拒绝登录' }).click()
  await expect(phone.getByText('已拒绝，电脑没有登录')).toBeVisible()
  await expect(page.getByText('手机上已拒绝这次登录')).toBeVisible()
  await page.getByRole('button', { name: '刷新二维码' }).click()
  await expect(page.getByRole('img', { name: '扫码登录二维码' })).toBeVisible()
  await expect(page).toHaveURL(/login/)

  const visitor = await (
    await browser.newContext({ baseURL: url, viewport: { width: 375, height: 812 } })
  ).newPage()
  await visitor.goto('/pages/login/pwdLogin')
  await expect(visitor.getByRole('button', { name: '登录', exact: true })).toBeVisible()
  await expect(visitor.getByRole('button', { name: '扫码登录' })).toHaveCount(0)
})
