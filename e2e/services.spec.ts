import { expect, test } from './test.ts'

test('a visitor sees public services and is asked to sign in for a favourite', async ({ page }) => {
  await page.goto('/pages/tab/service/index')
  await expect(page.getByRole('heading', { name: '常用服务' })).toBeVisible()
  await page.getByRole('button', { name: /^收藏/ }).first().click()
  await expect(page.getByRole('dialog', { name: '登录后才能收藏' })).toBeVisible()
})

test.describe('signed in', () => {
  test.use({ as: 'student' })

  test('services are browsed by category, told of, and opened', async ({ page }) => {
    await page.goto('/pages/tab/service/index')
    await expect(page.getByRole('heading', { name: '最近使用' })).toBeVisible()
    const types = page.getByRole('navigation', { name: '服务分类' })
    await types.getByRole('button', { name: '生活后勤' }).click()
    await expect(page.getByRole('heading', { name: /^生活后勤 · \d+$/ })).toBeVisible()
    await types.getByRole('button', { name: '教务学习' }).click()
    await page.getByRole('button', { name: '我的课表，服务说明' }).click()
    const sheet = page.getByRole('dialog', { name: '我的课表' })
    await expect(sheet.getByText('联系方式')).toBeVisible()
    await sheet.getByRole('button', { name: '打开服务' }).click()
    await expect(page).toHaveURL(/\/pages\/tab\/schedule\/schedule/)
  })

  test('an outside service opens as a web page inside the app', async ({ page }) => {
    await page.goto('/pages/tab/service/index')
    await page.getByRole('button', { name: /^选课系统 / }).click()
    await expect(page).toHaveURL(/\/pages\/webview\/webview\?url=https.*jianglan\.example/)
    // Whether it can be reached or not: its name stands above.
    await expect(page.locator('main:visible').getByText('选课系统', { exact: true })).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL(/\/pages\/tab\/service\/index/)
  })

  test('a favourite shows at once, and is taken back when the server refuses it', async ({
    page,
  }) => {
    await page.goto('/pages/tab/service/index')
    const star = page.getByRole('button', { name: '收藏教学评价' })
    await expect(star).toHaveAttribute('aria-pressed', 'false')
    const seen = Promise.withResolvers<void>()
    await page.route('**/v1/service/collect', async (route) => {
      await seen.promise
      await route.abort()
    })
    await star.click()
    await expect(star).toHaveAttribute('aria-pressed', 'true')
    seen.resolve()
    await expect(page.getByRole('status').getByText(/网络/)).toBeVisible()
    await expect(star).toHaveAttribute('aria-pressed', 'false')
  })

  test('a search keeps its words in the address and remembers them', async ({ page }) => {
    await page.goto('/pages/tab/service/index')
    await page.getByRole('link', { name: /^搜索 \d+ 项服务$/ }).click()
    const field = page.getByRole('searchbox', { name: '搜索服务' })
    await expect(field).toBeFocused()
    await field.fill('xiaoche')
    await expect(page).toHaveURL(/keyWords=xiaoche/)
    await expect(field).toBeFocused()
    await expect(page.getByRole('list', { name: '搜索结果' }).getByText('校车')).toBeVisible()
    await field.press('Enter')
    await field.fill('没有这样的服务')
    await expect(page.getByText('没有找到“没有这样的服务”')).toBeVisible()
    await page.getByRole('button', { name: '清空', exact: true }).click()
    await page.getByRole('button', { name: 'xiaoche' }).click()
    await expect(page.getByText(/^找到 \d+ 项服务$/)).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL(/\/pages\/tab\/service\/index/)
  })
})
