import { expect, test } from './test.ts'

test('a visitor changes the language and reads the privacy statement', async ({ page }) => {
  await page.goto('/pages/tab/my/my')
  await page.getByRole('button', { name: 'English' }).click()
  await expect(page.getByRole('heading', { name: 'Me', level: 1 })).toBeVisible()
  await page.getByRole('link', { name: 'Privacy statement' }).click()
  await expect(page.getByRole('heading', { name: 'Privacy statement', level: 1 })).toBeVisible()
  await expect(page.locator('.rich-text')).toContainText(/\w+/)
})

test('a table wider than the screen can be focused and scrolled by keyboard', async ({ page }) => {
  const path = '/pages/privacyPolicy/personalInformation'
  const cells = ['姓名、学号或工号', '教务处', '登录与显示服务', '在校期间保存']
  await page.route(/getText\?name=personalInformation/, async (route) => {
    const response = await route.fetch()
    const { data, ...body } = await response.json()
    const html = `<table><tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr></table>`
    await route.fulfill({ response, json: { ...body, data: { ...data, html } } })
  })
  const table = page.getByRole('table')
  const region = page.getByRole('region', { name: '内容较宽，可左右滑动' })
  await page.setViewportSize({ width: 320, height: 700 })
  await page.goto(path)
  await expect(region).toContainText('教务处')
  await region.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => region.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0)
  await page.setViewportSize({ width: 700, height: 700 })
  await expect(table).toBeVisible()
  await expect(region).toHaveCount(0)
})

test.describe('a member', () => {
  test.use({ as: 'student' })

  test('sees their name, card balance and profile', async ({ page }) => {
    await page.goto('/pages/tab/my/my')
    await expect(page.getByRole('heading', { name: '林知夏', level: 1 })).toBeVisible()
    await expect(page.getByText('计算机学院')).toBeVisible()
    await expect(page.getByText('¥128.40')).toBeVisible()
    await page.getByRole('link', { name: '个人资料' }).click()
    await expect(page.getByText('138****0001')).toBeVisible()
  })

  test('sees a single error when the network fails, and one retry reloads everything', async ({
    page,
  }) => {
    await page.route(/\/(personal|personalData)\//, (route) => route.abort())
    await page.goto('/pages/tab/my/my')
    const retry = page.getByRole('button', { name: /重试|重新/ })
    await expect(retry).toHaveCount(1)
    await expect(page.getByRole('alert')).toHaveCount(1)
    await expect(page.getByText('本科生')).toHaveCount(0)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await retry.click()
    await expect(page.getByText('¥128.40')).toBeVisible()
    await expect(page.getByText('本科生')).toBeVisible()
    await expect(retry).toHaveCount(0)
  })

  test('sets language, text size, appearance and contrast, which are kept after a reload', async ({
    page,
  }) => {
    await page.goto('/pages/set/set')
    await page.getByRole('radio', { name: 'English' }).check()
    await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
    await expect(page.getByRole('radio', { name: 'English' })).toBeFocused()
    await page.getByRole('slider', { name: 'Text size' }).fill('5')
    await page.getByRole('radio', { name: 'Dark' }).check()
    await page.getByRole('switch', { name: 'More contrast' }).check()
    await page.reload()
    await expect(page.getByRole('slider', { name: 'Text size' })).toHaveAttribute(
      'aria-valuetext',
      '200%',
    )
    const html = page.locator('html')
    await expect(html).toHaveAttribute('lang', 'en')
    await expect(html).toHaveAttribute('data-scheme', 'dark')
    await expect(html).toHaveAttribute('data-contrast', 'more')
    const wider = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
    expect(wider).toBe(false)
  })
})
