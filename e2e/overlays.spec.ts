import { expect, test } from './test.ts'

test.use({ as: 'student' })

const previousPath = '/pages/about/about'
const currentPath = '/pages/tab/my/my'

test('going back closes an open dialog first, then leaves the page in one step', async ({
  page,
}) => {
  await page.goto(previousPath)
  await page.goto(currentPath)
  const signOut = page.getByRole('button', { name: '退出登录' })
  const dialog = page.getByRole('dialog')
  await signOut.click()
  await expect(dialog).toBeVisible()
  await page.goBack()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(currentPath)
  // Nothing opens again, and no history entry is left over.
  await page.goForward()
  await expect(page).toHaveURL(currentPath)
  await expect(dialog).toBeHidden()

  await signOut.click()
  const close = await dialog.getByRole('button', { name: '关闭' }).boundingBox()
  const [x, y] = [(close?.x ?? 0) + 20, (close?.y ?? 0) + 20]
  await page.mouse.click(x, y)
  await expect(dialog).toBeHidden()
  // The element below leads to the study centre and must not receive the second click.
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
  await expect(page).toHaveURL(currentPath)
  await signOut.click()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await page.goBack()
  await expect(page).toHaveURL(previousPath)
})

test('reloading a page with an open dialog closes it, and going back leaves the page', async ({
  page,
}) => {
  await page.goto(previousPath)
  await page.goto(currentPath)
  await page.getByRole('button', { name: '退出登录' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expect.poll(() => page.evaluate(() => history.state.overlays)).toBe(1)
  await page.reload()
  await expect(page.getByRole('button', { name: '退出登录' })).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect.poll(() => page.evaluate(() => history.state.overlays ?? 0)).toBe(0)
  await page.goBack()
  await expect(page).toHaveURL(previousPath)
})

test('going back closes the scanner', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: '扫一扫' }).click()
  await expect(page.getByRole('dialog', { name: '扫一扫' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('heading', { name: '常用服务', exact: true })).toBeVisible()
})

test('going back from the first page opened leads home, without duplicate entries', async ({
  page,
}) => {
  await page.goto('/pages/about/about')
  await expect(page.getByRole('button', { name: '返回首页' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { name: '常用服务', exact: true })).toBeVisible()
  await expect(page).toHaveURL(/tab\/index\/index/)
  // A reload adds no second entry.
  await page.goto('/pages/about/about')
  await page.reload()
  await expect(page.getByRole('button', { name: '返回首页' })).toBeVisible()
  await page.getByRole('button', { name: '返回首页' }).click()
  await expect(page.getByRole('heading', { name: '常用服务', exact: true })).toBeVisible()
})
