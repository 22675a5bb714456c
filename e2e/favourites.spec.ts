import { axeViolations } from './axe.ts'
import { expect, test } from './test.ts'

test.use({ as: 'staff' })
// Serial: the tests share one member's favourites.
test.describe.configure({ mode: 'default' })

test('services can be removed, restored to their position, reordered and searched', async ({
  page,
}) => {
  await page.goto('/pagesA/myFavorite/myFavorite')
  const list = page.getByRole('list', { name: '服务' })
  await expect(list.getByText('由信息化中心预置')).toBeVisible()
  const names = () => list.locator('.kept-name').allTextContents()
  await expect(list.getByRole('listitem')).toHaveCount(7)
  const before = await names()
  expect(await axeViolations(page)).toEqual([])

  await page.getByRole('button', { name: '取消收藏教室借用' }).click()
  await expect(list.getByText('已取消收藏“教室借用”')).toBeVisible()
  const moved = page.waitForResponse('**/v1/favourites/order')
  await list.getByRole('button', { name: '撤销' }).click()
  expect((await moved).ok()).toBe(true)
  await page.reload()
  await expect(list.getByRole('listitem')).toHaveCount(7)
  expect(await names()).toEqual(before)

  // By buttons, and by dragging.
  await page.getByRole('button', { name: '调整顺序' }).click()
  const rows = list.getByRole('listitem')
  await page.getByRole('button', { name: '上移“会议预约”' }).click()
  await expect(rows.first()).toContainText('会议预约')
  await expect(page.getByRole('status').getByText('“会议预约”移到了第 1 位')).toBeAttached()
  const saved = page.waitForResponse('**/v1/favourites/order')
  const handle = rows.last().locator('.order-handle')
  const from = await handle.boundingBox()
  const to = await rows.first().boundingBox()
  const last = (await rows.last().locator('.kept-name').textContent()) ?? ''
  if (!from || !to) throw new Error('nothing to drag')
  await page.mouse.move(from.x + 20, from.y + 20)
  await page.mouse.down()
  await page.mouse.move(from.x + 20, to.y + 40, { steps: 4 })
  await page.mouse.move(from.x + 20, to.y + 8, { steps: 4 })
  await page.mouse.up()
  await expect(rows.first()).toContainText(last)
  expect((await saved).ok()).toBe(true)
  expect(await axeViolations(page)).toEqual([])
  await page.reload()
  await expect(list.getByRole('listitem')).toHaveCount(7)
  expect((await names()).slice(1, 3)).toEqual([last, '会议预约'])

  await page.getByRole('searchbox', { name: '搜索收藏' }).fill('huiyi')
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await expect(list).toContainText('会议预约')
})

test('a starred article is in favourites and history, and the history can be cleared', async ({
  page,
}) => {
  await page.goto('/pagesA/news/news')
  const article = page.getByRole('list', { name: '全部' }).getByRole('link').nth(4)
  await article.click()
  const title = (await page.locator('.article-title:visible').textContent()) ?? ''
  const star = page.getByRole('button', { name: '收藏', exact: true })
  await expect(star).toHaveAttribute('aria-pressed', 'false')
  await star.click()
  await expect(star).toHaveAttribute('aria-pressed', 'true')

  await page.goto('/pagesA/myFavorite/myFavorite?tab=news')
  await expect(page.getByRole('list', { name: '资讯' }).getByRole('link').first()).toContainText(
    title,
  )

  await page.goto('/pagesA/newsHistory/newsHistory')
  const history = page.getByRole('list', { name: '浏览历史' })
  await expect(history.getByRole('heading', { name: '今天' })).toBeVisible()
  await expect(history.getByRole('link').first()).toContainText(title)
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: `删除“${title}”的浏览记录` }).click()
  await expect(history.getByRole('link', { name: title })).toHaveCount(0)
  await page.getByRole('button', { name: '清空' }).click()
  await page
    .getByRole('dialog', { name: '清空浏览历史？' })
    .getByRole('button', { name: '清空' })
    .click()
  await expect(page.getByText('还没有浏览记录')).toBeVisible()
})

test('a removed article is no longer listed after the tab was left', async ({ page }) => {
  await page.goto('/pagesA/myFavorite/myFavorite?tab=news')
  const list = page.getByRole('list', { name: '资讯' })
  const row = list.getByRole('listitem').first()
  const title = (await row.locator('.kept-name').textContent()) ?? ''
  const removed = page.waitForResponse('**/cms/content/collect')
  await row.getByRole('button').click()
  expect((await removed).ok()).toBe(true)
  // The row keeps its place for an undo.
  await expect(row.getByText(`已取消收藏“${title}”`)).toBeVisible()
  await page.getByRole('tab', { name: '文件' }).click()
  await expect(page.getByRole('list', { name: '文件' })).toBeVisible()
  await page.getByRole('tab', { name: '资讯' }).click()
  await expect(row).toBeVisible()
  await expect(list.getByText(title)).toHaveCount(0)
})

test('a file is starred in its list, found in favourites and unstarred in its viewer', async ({
  page,
}) => {
  const name = `会议纪要 ${Date.now()}.csv`
  await page.goto('/pages/myInfo/files')
  await page
    .getByLabel('添加文件')
    .setInputFiles({ name, mimeType: '', buffer: Buffer.from(`议题,结论\n${name},通过\n`) })
  const star = page.getByRole('button', { name: `收藏${name}` })
  await star.click()
  await expect(star).toHaveAttribute('aria-pressed', 'true')
  await page.goto('/pagesA/myFavorite/myFavorite?tab=file')
  const files = page.getByRole('list', { name: '文件' })
  await files.getByRole('link', { name }).click()
  // Not the signed address it was redirected to, which expires; its owner can still read the file.
  await expect(page).toHaveURL(/\/pagesA\/news\/video\?url=%2Ffiles%2F\d+$/)
  await expect(page.getByRole('cell', { name: '通过' })).toBeVisible()
  await expect(star).toHaveAttribute('aria-pressed', 'true')
  expect(await axeViolations(page)).toEqual([])
  const taken = page.waitForResponse('**/cms/content/collectFile')
  await star.click()
  expect((await taken).ok()).toBe(true)
  await page.goBack()
  await expect(page.getByText('公文格式样例.docx')).toBeVisible()
  await expect(files.getByRole('link', { name })).toHaveCount(0)
})

test('a favourite set by a department stays removed until it is starred again', async ({
  page,
}) => {
  await page.goto('/pagesA/myFavorite/myFavorite')
  const list = page.getByRole('list', { name: '服务' })
  const managed = list.getByRole('listitem').filter({ hasText: '由信息化中心预置' })
  const name = (await managed.locator('.kept-name').textContent()) ?? ''
  // It precedes the member's own choices and cannot be moved.
  await expect(list.getByRole('listitem').first()).toContainText(name)
  const cancelled = page.waitForResponse('**/v1/service/cancelDeptManage')
  await managed.getByRole('button', { name: `取消收藏${name}` }).click()
  expect((await cancelled).ok()).toBe(true)
  await page.reload()
  await expect(list.getByRole('listitem').first()).toBeVisible()
  await expect(managed).toHaveCount(0)
  await page.goto(`/pages/service/search?keyWords=${encodeURIComponent(name)}`)
  const back = page.waitForResponse('**/v1/service/collect')
  await page.getByRole('button', { name: `${name}，服务说明` }).click()
  await page.getByRole('dialog').getByRole('button', { name: '收藏' }).click()
  expect((await back).ok()).toBe(true)
  await page.goto('/pagesA/myFavorite/myFavorite')
  await expect(managed).toContainText(name)
})

test('an empty list mentions hidden favourites and links to the services', async ({ page }) => {
  await page.route('**/v2/service/collect/list*', async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    await route.fulfill({
      response,
      json: { ...body, data: { ...body.data, list: [], hidden: 2 } },
    })
  })
  await page.goto('/pagesA/myFavorite/myFavorite')
  await expect(page.getByRole('note')).toContainText('另有 2 项收藏的服务已下线或暂不对你开放')
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('link', { name: '去看看服务' }).click()
  await expect(page).toHaveURL(/\/pages\/tab\/service\/index/)
})

test('a list of ten thousand favourites renders only the visible rows', async ({ page }) => {
  await page.route('**/v1/cms/content/myFile*', async (route) => {
    const list = Array.from({ length: 10_000 }, (_, at) => ({
      id: String(at + 1),
      fileLink: `https://files.example.edu/${at}.pdf`,
      fileName: `第 ${at + 1} 份文件.pdf`,
      favouriteAt: '2026-01-05T08:00:00.000Z',
    }))
    const data = { list, total: list.length, pageNo: 1, pageSize: list.length, nextCursor: null }
    await route.fulfill({ json: { code: 0, message: '', data } })
  })
  await page.goto('/pagesA/myFavorite/myFavorite?tab=file')
  const rows = page.getByRole('list', { name: '文件' }).getByRole('listitem')
  await expect(rows.first()).toContainText('第 1 份文件')
  expect(await rows.count()).toBeLessThan(60)
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  await expect(rows.last()).toContainText('第 10000 份文件')
  expect(await rows.count()).toBeLessThan(60)
})
