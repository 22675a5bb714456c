import { password } from './session.ts'
import { expect, test } from './test.ts'

test('a visitor who signs in returns to the page', async ({ page }) => {
  await page.goto('/pages/msgCenterTab/newtask/newtask')
  await page.getByRole('button', { name: '登录' }).click()
  await expect(page).toHaveURL(/\/cas\/login/)
  await page.getByLabel('学号').fill('student')
  await page.getByLabel('密码').fill(password)
  await page.getByRole('button', { name: '登录' }).click()
  await expect(page).toHaveURL(/newtask\/newtask/)
})

test.describe('signed in', () => {
  test.use({ as: 'student' })

  test('all five tabs open, and the current one is marked', { tag: '@desktop' }, async ({
    page,
  }) => {
    await page.goto('/')
    for (const name of ['首页', '服务', '消息', '日程', '我的']) {
      const tab = page.getByRole('navigation').getByRole('link', { name })
      await tab.click()
      await expect(tab).toHaveAttribute('aria-current', 'page')
    }
  })
})
