import type { Page } from '@playwright/test'
import { idToken } from './session.ts'
import { expect, test } from './test.ts'

/** The code of the newest message to a recipient, as an operator of the demo reads it. */
async function codeFor(url = '', recipient: string) {
  const answer = await fetch(
    `${url}/console-api/v1/outbox?recipient=${encodeURIComponent(recipient)}&pageSize=1`,
    { headers: { 'x-id-token': await idToken(url, 'admin') } },
  )
  const { data } = (await answer.json()) as { data: { list: { body: string }[] } }
  return /\d{6}/.exec(data.list[0]?.body ?? '')?.[0] ?? ''
}
const wrongCodeFor = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
const english = (page: Page) => page.addInitScript(() => localStorage.setItem('language', 'en'))

test('code sign-in shows a countdown, rejects a wrong code and accepts the right one', async ({
  page,
  baseURL,
}) => {
  await page.goto('/pages/login/codeLogin')
  await page.getByRole('textbox', { name: '手机号' }).fill('13800000001')
  await page.getByRole('button', { name: '获取验证码' }).click()
  await expect(page.getByRole('button', { name: /秒后重新获取/ })).toBeDisabled()
  const field = page.getByRole('textbox', { name: '验证码' })
  await expect(field).toHaveAttribute('autocomplete', 'one-time-code')
  const code = await codeFor(baseURL, '13800000001')
  await field.fill(wrongCodeFor(code))
  await expect(field).toHaveAccessibleDescription('验证码不正确或已失效')
  // The countdown survives leaving the page.
  await page.getByRole('link', { name: '《用户协议》' }).click()
  await expect(page).toHaveURL(/userAgreement/)
  await page.goBack()
  await expect(page.getByRole('button', { name: /秒后重新获取/ })).toBeDisabled()
  await page.getByRole('textbox', { name: '验证码' }).fill(code)
  await expect(page).toHaveURL(/tab\/index\/index/)
  await page.goto('/pages/myInfo/myInfo')
  await expect(page.getByText('林知夏').first()).toBeVisible()
})

test('code sign-in from the central login returns to the requested page', async ({
  page,
  baseURL,
}) => {
  await page.goto('/pages/myInfo/myInfo')
  await page.getByRole('link', { name: '其他登录方式' }).click()
  await page.getByRole('button', { name: '短信验证码登录' }).click()
  await page.getByRole('textbox', { name: '手机号' }).fill('13800000003')
  await page.getByRole('button', { name: '获取验证码' }).click()
  await expect(page.getByRole('button', { name: /秒后重新获取/ })).toBeDisabled()
  await page.getByRole('textbox', { name: '验证码' }).fill(await codeFor(baseURL, '13800000003'))
  await page.getByRole('button', { name: /职工/ }).click()
  await expect(page).toHaveURL(/myInfo\/myInfo/)
})

test('password recovery in English rejects a wrong code and can go back', async ({
  page,
  baseURL,
}) => {
  await english(page)
  await page.goto('/pages/login/pwdLogin?returnTarget=%2Fpages%2Fset%2Fset')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page).toHaveURL(/forgotten\?returnTarget=%2Fpages%2Fset%2Fset$/)
  const who = page.getByRole('textbox', { name: /^Student or staff number,/ })
  await who.fill('staff')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByRole('heading', { name: 'Confirm that it’s you' })).toBeFocused()
  await page.getByRole('radio', { name: /Email/ }).check()
  await page.getByRole('button', { name: 'Get code' }).click()
  await expect(page.getByText('a code is on its way')).toBeVisible()
  const field = page.getByRole('textbox', { name: 'Verification code' })
  await field.fill(wrongCodeFor(await codeFor(baseURL, 'chen.siqi@jianglan.example')))
  await expect(field).toHaveAccessibleDescription('The code is wrong or no longer valid.')
  await page.getByRole('button', { name: 'Go back' }).click()
  await expect(who).toBeVisible()
})

test('an imported member activates the account and is led to the sign-in', async ({
  page,
  baseURL,
}) => {
  await page.goto('/pages/set/set')
  await page.getByRole('link', { name: '激活账号' }).click()
  await page.getByRole('textbox', { name: '学号 / 工号、手机号或邮箱' }).fill('13800010001')
  await page.getByRole('button', { name: '下一步' }).click()
  await expect(page.getByRole('heading', { name: '验证身份' })).toBeFocused()
  await page.getByRole('radio', { name: /短信/ }).check()
  await page.getByRole('button', { name: '获取验证码' }).click()
  await expect(page.getByRole('status').filter({ hasText: '5 分钟内有效' })).toBeVisible()
  await page.getByRole('textbox', { name: '验证码' }).fill(await codeFor(baseURL, '13800010001'))
  await expect(page.getByRole('heading', { name: '设置新密码' })).toBeFocused()
  const field = page.getByRole('textbox', { name: '新密码' })
  await field.fill('12345678')
  await page.getByRole('button', { name: '保存新密码' }).click()
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await field.fill('纸船 顺着 江水 漂 2026')
  await page.getByRole('button', { name: '保存新密码' }).click()
  await expect(page.getByRole('heading', { name: '密码已设置' })).toBeFocused()
  await page.getByRole('button', { name: '去登录' }).click()
  // Back at the central login, which has stored the target.
  await expect(page).toHaveURL(/cas\/login\?service=.*set%252Fset/)
})
