import { axeViolations } from './axe.ts'
import { expect, test } from './test.ts'

test.use({ as: 'student', viewport: { width: 1280, height: 800 }, isMobile: false })

test('on a wide screen the list stays visible beside the opened article', async ({ page }) => {
  await page.goto('/pagesA/news/news')
  const main = page.getByRole('main')
  const rows = main.getByRole('list', { name: '全部' }).getByRole('link')
  const second = String(await rows.nth(1).getAttribute('href'))
  await rows.first().click()
  const pane = page.getByRole('region', { name: '资讯' })
  await expect(main.getByRole('article')).toBeVisible()
  await expect(pane.locator('li a[aria-current]')).toHaveCount(1)
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  expect(await axeViolations(page)).toEqual([])

  await pane.locator(`a[href="${second}"]`).click()
  await expect(page).toHaveURL(new RegExp(`id=${/id=(\d+)/.exec(second)?.[1]}`))
  await expect(pane.locator(`a[href="${second}"]`)).toHaveAttribute('aria-current', 'page')
  await page.goBack()
  await page.goBack()
  await expect(pane).toHaveCount(0)
  await expect(rows.first()).toBeVisible()
})

test('messages and to-dos open beside their lists, but not when narrow or reloaded', async ({
  page,
}) => {
  const main = page.getByRole('main')
  await page.goto('/pagesA/message/entry')
  await main.getByRole('listitem').getByRole('link').first().click()
  await expect(page).toHaveURL(/message\/detail/)
  await expect(page.locator('.pane-list')).toBeVisible()
  await page.goto('/msgCenter/pages/task/personaltodo')
  await main.getByRole('listitem').getByRole('link').first().click()
  await expect(page).toHaveURL(/personalDetail/)
  await expect(page.locator('.pane-list')).toBeVisible()
  await page.setViewportSize({ width: 700, height: 800 })
  await expect(page.locator('.pane-list')).toHaveCount(0)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.reload()
  await expect(main.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('.pane-list')).toHaveCount(0)
})
