import { expect, test } from './test.ts'

test('a visitor reads public news; the list goes on, and what was read says so', async ({
  page,
}) => {
  await page.goto('/pagesA/news/news?columnCode=headlines')
  const list = page.getByRole('list', { name: '要闻' })
  await expect(list.getByRole('listitem')).toHaveCount(20)
  await page.getByRole('button', { name: '加载更多' }).scrollIntoViewIfNeeded()
  await expect(list.getByRole('listitem').nth(20)).toBeVisible()
  const first = list.getByRole('link').first()
  await expect(first).toContainText('新')
  await first.click()
  await expect(page).toHaveURL(/\/pagesA\/news\/detail\?id=/)
  await expect(page.getByRole('article').getByRole('heading', { level: 2 })).toBeVisible()
  await page.goBack()
  await expect(list.getByRole('link').first()).toContainText('已读')
})

test('a column a visitor may not read says so', async ({ page }) => {
  await page.goto('/pagesA/news/news?columnCode=teachers')
  await expect(page.getByText('没有这个栏目。')).toBeVisible()
  await expect(page.getByRole('tab', { name: '教师工作' })).toHaveCount(0)
})

test.describe('in English', () => {
  test.use({ locale: 'en-US' })

  test('an article shows its English body, and in the size one likes', async ({ page }) => {
    await page.goto('/pagesA/news/news?columnCode=notices')
    await page.getByRole('link', { name: /Course selection for next term/ }).click()
    const article = page.getByRole('article')
    await expect(article.getByText('To all undergraduates:')).toBeVisible()
    await expect(article.getByRole('table')).toBeVisible()
    await page.getByRole('button', { name: 'Text size' }).click()
    // The words are what one touches; the click waits until the sheet has come to rest.
    await page.getByRole('dialog').getByText('Largest', { exact: true }).click()
    await expect(page.getByRole('radio', { name: 'Largest' })).toBeChecked()
    await page.getByRole('button', { name: 'Close' }).click()
    await expect
      .poll(() =>
        article.getByText('To all undergraduates:').evaluate((p) => getComputedStyle(p).fontSize),
      )
      .toBe('25.5px')
  })
})

test('links out of the portal pass a page that says so', async ({ page }) => {
  await page.goto('/pages/webview/webview?url=https%3A%2F%2Fexample.org%2Fa')
  await expect(page.getByText('example.org', { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: '继续前往' })).toHaveAttribute(
    'href',
    'https://example.org/a',
  )
  await page.goto('/pages/webview/webview?url=javascript%3Aalert(1)')
  await expect(page.getByText('不能打开这个地址')).toBeVisible()
  await expect(page.getByRole('link', { name: '继续前往' })).toHaveCount(0)
})
