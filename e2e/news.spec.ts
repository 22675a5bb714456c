import { news } from '@atrium/contract/content/news'
import { axeViolations } from './axe.ts'
import { idToken } from './session.ts'
import { expect, test } from './test.ts'

test('a visitor reads public news; the list loads more, and a read article is marked', async ({
  page,
}) => {
  await page.goto('/pagesA/news/news?columnCode=headlines')
  const list = page.getByRole('list', { name: '要闻' })
  await expect(list.getByRole('listitem')).toHaveCount(20)
  await list.getByRole('listitem').last().scrollIntoViewIfNeeded()
  await expect(list.getByRole('listitem').nth(20)).toBeVisible()
  const first = list.getByRole('link').first()
  await expect(first).toContainText('新')
  await first.click()
  await expect(page).toHaveURL(/\/pagesA\/news\/detail\?id=/)
  await expect(page.getByRole('article').getByRole('heading', { level: 2 })).toBeVisible()
  await page.goBack()
  await expect(list.getByRole('link').first()).toContainText('已读')
})

test('an inaccessible column or article shows a message and a sign-in button', async ({ page }) => {
  await page.goto('/pagesA/news/news?columnCode=teachers')
  await expect(page.getByText('没有这个栏目', { exact: true })).toBeVisible()
  await expect(page.getByRole('tab', { name: '教师工作' })).toHaveCount(0)
  await page.goto('/pages/channel/channel?columnCode=teachers')
  await expect(page.getByRole('button', { name: '登录' })).toBeVisible()
  // A missing article can be neither saved nor enlarged.
  await page.goto('/pagesA/news/detail?id=999999999')
  await expect(page.getByRole('button', { name: '登录' })).toBeVisible()
  await expect(page.getByRole('button', { name: '收藏' })).toHaveCount(0)
})

test.describe('in English', () => {
  test.use({ locale: 'en-US' })

  test('an article shows its English body in the selected text size', async ({ page }) => {
    await page.goto('/pagesA/news/news?columnCode=notices')
    await page.getByRole('link', { name: /Course selection for next term/ }).click()
    const article = page.getByRole('article')
    await expect(article.getByText('To all undergraduates:')).toBeVisible()
    await expect(article.getByRole('table')).toBeVisible()
    await page.getByRole('button', { name: 'Text size' }).click()
    // Tap the label; the click waits until the sheet has settled.
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

test('external links lead through a warning page, which blocks unsafe addresses', async ({
  page,
}) => {
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

test('news search highlights the matches and can be filtered', async ({ page }) => {
  await page.goto('/pagesA/news/news')
  await page.getByRole('link', { name: '搜索资讯' }).click()
  await expect(page.getByRole('heading', { name: '大家在看' })).toBeVisible()
  await page.getByRole('searchbox', { name: '搜索资讯' }).fill('选课')
  const results = page.getByRole('list', { name: '搜索结果' })
  await expect(results.locator('mark').first()).toHaveText('选课')
  await expect(page).toHaveURL(/keyWords=/)
  await expect(page.getByRole('searchbox', { name: '搜索资讯' })).toBeFocused()
  expect(await axeViolations(page)).toEqual([])
  await page.getByText('筛选', { exact: true }).click()
  await page.getByLabel('栏目', { exact: true }).selectOption({ label: '通知公告' })
  await expect(page).toHaveURL(/columnId=/)
  await expect(results.getByRole('listitem').first()).toContainText('通知公告')
  await results.getByRole('link').first().click()
  await expect(page.getByRole('article')).toContainText('选课')
  await page.goBack()
  await expect(page.getByRole('searchbox', { name: '搜索资讯' })).toHaveValue('选课')
  await page.getByRole('searchbox', { name: '搜索资讯' }).fill('“没有这样的一句话”')
  await expect(page.getByText('没有找到“没有这样的一句话”')).toBeVisible()
})

test('an article offers its attachments and links to the next article', async ({ page }) => {
  await page.goto('/pagesA/news/news?columnCode=notices')
  await page.getByRole('list', { name: '通知公告' }).getByRole('link').first().click()
  const article = page.getByRole('article')
  const download = page.waitForEvent('download')
  await article.getByRole('link', { name: '下载 办理说明.pdf' }).click()
  expect((await download).suggestedFilename()).toBe('办理说明.pdf')
  expect(await axeViolations(page)).toEqual([])
  await article.getByRole('link', { name: /^办理说明\.pdf/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: '办理说明.pdf' })).toBeVisible()
  await expect(page.getByRole('img', { name: '第 1 页，共 1 页' })).toBeVisible()
  await page.goBack()

  const title = await article.getByRole('heading', { level: 2 }).textContent()
  await page.getByRole('navigation', { name: '同一栏目的前后两篇' }).getByText('下一篇').click()
  await expect(article.getByRole('heading', { level: 2 })).not.toHaveText(title ?? '')
  await page.goBack()
  await expect(page.getByRole('list', { name: '通知公告' })).toBeVisible()
})

test.describe('a member', () => {
  test.use({ as: 'staff' })

  test('adds an article to the schedule and deletes the event', async ({ page }) => {
    await page.goto('/pagesA/news/news?columnCode=notices')
    await page.getByRole('list', { name: '通知公告' }).getByRole('link').first().click()
    await page.getByRole('article').getByRole('link', { name: '加入日程' }).click()
    const title = await page.getByLabel('标题').inputValue()
    await page.getByLabel('开始日期').fill(`${new Date().getFullYear() + 1}-03-02`)
    await page.getByLabel('开始', { exact: true }).fill('09:00')
    await page.getByLabel('结束', { exact: true }).fill('08:30')
    await expect(page.getByText('结束时间应晚于开始时间')).toBeVisible()
    await page.getByLabel('结束', { exact: true }).fill('10:30')
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: '加入日程' }).click()
    await expect(page.getByRole('heading', { level: 2, name: title })).toBeVisible()
    await expect(page.getByText('09:00 – 10:30')).toBeVisible()
    await page.getByRole('button', { name: '删除日程' }).click()
    const ask = page.getByRole('dialog', { name: '删除这项日程？' })
    await ask.getByRole('button', { name: '删除日程' }).click()
    await expect(page.getByText('日程已删除')).toBeVisible()
    await expect(page.getByRole('article')).toContainText(title)
  })

  test('hides and reorders columns, which changes the news tab', async ({ page, baseURL }) => {
    await restoreColumns(baseURL ?? '')
    // The answers to the first changes are late.
    const released = Promise.withResolvers<void>()
    await page.route(`**${news.arrangeColumns.path}`, async (route) => {
      if (route.request().method() === 'PUT') await released.promise
      await route.continue()
    })
    let saved = 0
    page.on('response', (response) => {
      if (response.request().method() === 'PUT' && response.ok()) saved++
    })
    await page.goto('/msgCenter/pages/news/personalSettingCenter')
    const careers = page.getByRole('switch', { name: '招聘就业' })
    await expect(careers).toBeChecked()
    expect(await axeViolations(page)).toEqual([])
    await page.getByText('招聘就业', { exact: true }).click()
    await expect(careers).not.toBeChecked()

    await page.getByRole('link', { name: '栏目排序' }).click()
    const rows = page.getByRole('list', { name: '栏目排序' }).getByRole('listitem')
    await expect(rows.first()).toContainText('要闻')
    await page.getByRole('button', { name: '下移“要闻”' }).click()
    await expect(rows.nth(1)).toContainText('要闻')
    await expect(page.getByRole('status').filter({ hasText: '第 2 位' })).toBeAttached()
    expect(await axeViolations(page)).toEqual([])
    released.resolve()
    await expect.poll(() => saved).toBe(2)
    // By dragging as well.
    const from = await rows.nth(1).locator('.order-handle').boundingBox()
    const to = await rows.nth(3).locator('.order-handle').boundingBox()
    if (!from || !to) throw new Error('no handles')
    await page.mouse.move(from.x + 20, from.y + 20)
    await page.mouse.down()
    await page.mouse.move(from.x + 20, from.y + 40, { steps: 4 })
    await page.mouse.move(to.x + 20, to.y + 30, { steps: 12 })
    // The row follows the pointer, although the page policy blocks the library's style elements.
    const dragged = page.locator('[data-dnd-dragging]')
    await expect
      .poll(async () => Math.abs(((await dragged.boundingBox())?.y ?? 0) - to.y))
      .toBeLessThan(25)
    await expect(dragged).toHaveCSS('border-left-width', '0px')
    await page.mouse.up()
    await expect.poll(() => saved).toBe(3)
    await expect(rows.nth(3)).toContainText('要闻')

    await page.goto('/pages/msgCenterTab/news/news')
    const tabs = page.getByRole('tab')
    await expect(tabs.first()).toHaveText('全部')
    await expect(page.getByRole('tab', { name: '招聘就业' })).toHaveCount(0)
    await expect(tabs.nth(1)).toHaveText('通知公告')
    await page.goto('/pagesA/news/news')
    await expect(page.getByRole('tab', { name: '招聘就业' })).toBeVisible()
  })

  test('sorts message applications into groups', async ({ page }) => {
    await page.goto('/msgCenter/pages/news/applicationGroup')
    await page.getByRole('button', { name: '新建分组' }).click()
    await page.getByRole('dialog').getByLabel('分组名称').fill('教学')
    await page.getByRole('dialog').getByRole('button', { name: '保存' }).click()
    await page.getByRole('combobox', { name: '教务处的分组' }).selectOption({ label: '教学' })
    await expect(page.getByRole('list', { name: '我的分组' })).toContainText('1 个应用')
    expect(await axeViolations(page)).toEqual([])
    await page.reload()
    await expect(page.getByRole('combobox', { name: '教务处的分组' })).toHaveValue('0')
    await page.goto('/pages/msgCenterTab/newtask/newtask')
    await expect(page.getByRole('heading', { name: '教学', level: 2 })).toBeVisible()
    await expect(page.getByRole('heading', { name: '不分组', level: 2 })).toBeVisible()
    expect(await axeViolations(page)).toEqual([])
    await page.goto('/msgCenter/pages/news/applicationGroup')
    await page.getByRole('button', { name: '删除分组“教学”' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '删除' }).click()
    await expect(page.getByText('还没有分组。')).toBeVisible()
  })

  test('likes and comments; the comment is shown once an operator has approved it', async ({
    page,
    baseURL,
  }) => {
    await page.goto('/pagesA/news/news?columnCode=campus')
    await page.getByRole('list', { name: '校园生活' }).getByRole('link').last().click()
    await page.getByRole('button', { name: '去评论' }).click()
    const like = page.getByRole('button', { name: /^点赞 \d/ })
    await like.click()
    await expect(like).toHaveAttribute('aria-pressed', 'true')
    await page.getByLabel('写评论').fill('<b>很有意思</b>')
    await page.getByRole('button', { name: '发布' }).click()
    const own = page.getByRole('list', { name: '我的待发布评论' })
    await expect(own).toContainText('<b>很有意思</b>')
    await expect(own).toContainText('待审核')
    expect(await axeViolations(page)).toEqual([])

    const headers = { 'x-id-token': await idToken(baseURL ?? '', 'admin') }
    const waiting = await page.request.get('/console-api/v1/comments?pageSize=200', { headers })
    const { data } = (await waiting.json()) as {
      data: { list: { id: string; username: string }[] }
    }
    const comment = data.list.find(({ username }) => username === 'staff')
    await page.request.post(`/console-api/v1/comments/${comment?.id}/approve`, { headers })
    await page.reload()
    const shown = page.getByRole('list', { name: '评论', exact: true })
    await expect(shown).toContainText('<b>很有意思</b>')
    await shown
      .getByRole('listitem')
      .filter({ hasText: '很有意思' })
      .getByRole('button', { name: '删除我的评论' })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: '删除' }).click()
    await expect(page.getByText('<b>很有意思</b>')).toHaveCount(0)
  })
})

test.describe('a teacher', () => {
  test.use({ as: 'teacher', permissions: ['clipboard-read', 'clipboard-write'] })

  test('sees the tab of the open column even if it is the last', async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 640 })
    await page.goto('/pagesA/news/news?columnCode=teachers')
    const tab = page.getByRole('tab', { name: '教师工作' })
    await expect(tab).toHaveAttribute('aria-selected', 'true')
    await expect(tab).toBeInViewport({ ratio: 1 })
  })

  test('stars and shares an article, and a visitor opens the shared link', async ({
    page,
    browser,
  }) => {
    await page.goto('/pagesA/news/news?columnCode=headlines')
    await page.getByRole('list', { name: '要闻' }).getByRole('link').nth(1).click()
    const article = page.getByRole('article')
    const title = (await article.getByRole('heading', { level: 2 }).textContent()) ?? ''
    const star = page.getByRole('button', { name: '收藏', exact: true })
    await star.click()
    await expect(star).toHaveAttribute('aria-pressed', 'true')
    await article.getByRole('button', { name: '分享' }).click()
    await page
      .getByRole('dialog', { name: '分享' })
      .getByRole('button', { name: '复制链接' })
      .click()
    await expect(page.getByText('已复制')).toBeVisible()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    await page.goto('/pagesA/myFavorite/myFavorite?tab=news')
    await expect(page.getByRole('list', { name: '资讯' })).toContainText(title)

    const stranger = await (await browser.newContext({ locale: 'en-US' })).newPage()
    await stranger.goto(link)
    await stranger.getByRole('link', { name: 'Read the article' }).click()
    await expect(stranger).toHaveURL(/\/pagesA\/news\/detail/)
    await expect(stranger.getByRole('article').getByRole('heading', { level: 2 })).toBeVisible()
    await stranger.context().close()
  })
})

/** All columns in the institution's order, as before a first change. */
async function restoreColumns(url: string) {
  const headers = {
    'x-id-token': await idToken(url, 'student'),
    'content-type': 'application/json',
  }
  const { data } = await (await fetch(`${url}${news.columns.path}`, { headers })).json()
  const columns = data.map(({ id }: { id: string }) => ({ id, subscribed: true }))
  const body = JSON.stringify({ columns })
  const answer = await fetch(`${url}${news.arrangeColumns.path}`, { method: 'PUT', headers, body })
  if (!answer.ok) throw new Error(await answer.text())
}
