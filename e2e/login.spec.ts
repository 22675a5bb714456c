import { password } from './session.ts'
import { expect, test } from './test.ts'

test('signing in opens the return target, and going back skips the sign-in page', async ({
  page,
}) => {
  await page.goto('/pages/about/about')
  await page.goto(`/pages/login/login?returnTarget=${encodeURIComponent('/pages/myInfo/myInfo')}`)
  await page.getByRole('textbox', { name: '学号 / 工号' }).fill('admin')
  await page.getByRole('textbox', { name: '密码' }).fill(password)
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await expect(page).toHaveURL(/myInfo\/myInfo/)
  await page.goBack()
  await expect(page).toHaveURL(/about\/about/)
  await page.goForward()
  await expect(page).toHaveURL(/myInfo\/myInfo/)
})

test('a missing value focuses its field', async ({ page }) => {
  await page.goto('/pages/login/pwdLogin')
  await page.getByRole('button', { name: '登录', exact: true }).click()
  const username = page.getByRole('textbox', { name: '学号 / 工号' })
  await expect(username).toBeFocused()
  await expect(username).toHaveAccessibleDescription('请填写学号或工号')
  await page.goto('/pages/login/codeLogin')
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await expect(page.getByLabel('手机号')).toBeFocused()
  await page.goto('/pages/login/forgotten')
  await page.getByRole('button', { name: '下一步' }).click()
  await expect(page.getByRole('textbox')).toBeFocused()
})

test('the wait after too many attempts continues while the phone sleeps', async ({ page }) => {
  await page.clock.install()
  await page.route('**/token/password/passwordLogin', (route) =>
    route.fulfill({
      status: 429,
      headers: { 'retry-after': '60' },
      json: {
        code: 429,
        error: 'login.too_many',
        message: '请稍后再试',
        data: null,
        requestId: 'x',
      },
    }),
  )
  await page.goto('/pages/login/pwdLogin')
  await page.getByRole('textbox', { name: '学号 / 工号' }).fill('student')
  await page.getByRole('textbox', { name: '密码' }).fill('wrong')
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await expect(page.getByRole('button', { name: /请在 \d+ 秒后重试/ })).toBeDisabled()
  await page.clock.fastForward(70_000)
  await expect(page.getByRole('button', { name: '登录', exact: true })).toBeEnabled()
})

test('a wrong password is rejected, and too many attempts must wait', async ({ page }) => {
  await page.goto('/pages/login/login')
  await page.getByRole('textbox', { name: '学号 / 工号' }).fill('nobody-here')
  await page.getByRole('textbox', { name: '密码' }).fill('wrong')
  const submit = page.getByRole('button', { name: '登录', exact: true })
  await submit.click()
  await expect(page.getByRole('alert')).toHaveText('账号或密码不正确')
  // The button kept the focus while waiting.
  await expect(submit).toBeFocused()
  await page.getByRole('button', { name: '显示密码' }).click()
  await expect(page.getByRole('textbox', { name: '密码' })).toHaveAttribute('type', 'text')
  for (let tries = 1; tries < 8 && (await submit.isVisible()); tries++) {
    await submit.click()
    await expect(page.getByRole('button', { name: /^登录$|秒后重试/ })).not.toHaveAttribute(
      'aria-busy',
      'true',
    )
  }
  await expect(page.getByRole('button', { name: /请在 \d+ 秒后重试/ })).toBeDisabled()
})

test('a demo account fills in the form, and signing out asks for confirmation', async ({
  page,
}) => {
  await page.goto('/pages/login/login')
  await page.getByRole('button', { name: /staff$/ }).click()
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await expect(page).toHaveURL(/tab\/index\/index/)
  await page.getByRole('navigation').getByRole('link', { name: '我的' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('陈思齐')
  await page.getByRole('button', { name: '退出登录' }).click()
  const dialog = page.getByRole('dialog', { name: '退出登录？' })
  await dialog.getByRole('button', { name: '退出登录' }).click()
  await expect(page.getByRole('heading', { name: '已退出登录' })).toBeVisible()
  await expect(page).toHaveURL(/pages\/login\/signedOut/)
  await expect(page.getByRole('button', { name: '重新登录' })).toBeVisible()
  await page.getByRole('button', { name: '以访客身份浏览' }).click()
  await page.getByRole('navigation').getByRole('link', { name: '我的' }).click()
  await expect(page.getByRole('button', { name: '登录' })).toBeVisible()
})

test('demo accounts are shown with English names in English', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('language', 'en'))
  await page.goto('/pages/login/pwdLogin')
  await expect(page.getByRole('button', { name: 'Chen Siqi staff' })).toBeVisible()
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the central login works in both languages', async ({ page }) => {
    await page.goto('/cas/login?lang=en')
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await page.getByRole('link', { name: '简体中文' }).click()
    await page.getByLabel('学号 / 工号').fill('student')
    await page.getByLabel('密码').fill('wrong')
    await page.getByRole('button', { name: '登录' }).click()
    await expect(page.getByRole('alert')).toHaveText('账号或密码不正确')
    await expect(page.getByLabel('学号 / 工号')).toHaveValue('student')
    await page.getByLabel('密码').fill(password)
    await page.getByRole('button', { name: '登录' }).click()
    await expect(page.getByRole('heading', { name: '林知夏，你已登录' })).toBeVisible()
  })
})
