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

  test('the skip link leads to the content of the shown tab', async ({ page }) => {
    await page.goto('/')
    // A second tab: the first stays in the document, hidden.
    await page.getByRole('navigation').getByRole('link', { name: '服务' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('服务')
    await page.getByRole('link', { name: '跳到正文' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main')).toBeFocused()
    await expect(page).toHaveURL('/pages/tab/service/index')
  })
})
