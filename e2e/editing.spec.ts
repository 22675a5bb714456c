import { endpoints } from '@atrium/contract'
import { axeViolations } from './axe.ts'
import { idToken } from './session.ts'
import { expect, test } from './test.ts'

const list = '/pages/secondWork/gonggao/gonggaoList'

test.describe('an announcement', () => {
  test.use({ as: 'admin' })

  test('is reviewed by a second editor, scheduled, published, confirmed and withdrawn', async ({
    page,
    browser,
    baseURL,
  }) => {
    // A second editor, working on their own device.
    const asAdmin = { 'x-id-token': await idToken(baseURL ?? '', 'admin') }
    await page.request.post('/console-api/v1/operators', {
      headers: asAdmin,
      data: { username: 'teacher', permission: 'content' },
    })
    const asTeacher = { 'x-id-token': await idToken(baseURL ?? '', 'teacher') }

    await page.goto(list)
    await page.getByRole('button', { name: '写公告' }).click()
    await page.getByLabel('栏目').selectOption({ label: '通知公告' })
    await page.getByLabel('中文标题').fill('图书馆<script>x()</script>延长开放')
    const text = page.getByRole('textbox', { name: '中文正文' })
    await text.click()
    await page.keyboard.type('即日起延长至 23 时。')
    await expect(page).toHaveURL(/[?&]id=\d+/)
    await expect(page.getByText(/^已保存 /)).toBeVisible()
    const id = new URL(page.url()).searchParams.get('id') ?? ''
    await expect(page.getByText('草稿', { exact: true })).toBeVisible()

    // A manual save creates a version.
    const before = await page.request.get(`/console-api/news/articles/${id}`, { headers: asAdmin })
    const { data: draft } = await before.json()
    const saved = await page.request.put(`/console-api/news/articles/${id}`, {
      headers: asAdmin,
      data: { ...draft.text, text: '<p>即日起延长至 22 时。</p>', revision: draft.revision },
    })
    expect(saved.status()).toBe(200)
    await page.reload()
    await page.getByRole('button', { name: '第 2 版：查看改动' }).click()
    await expect(page.locator('ins')).toHaveText('22')
    expect(await axeViolations(page)).toEqual([])

    await page.getByRole('button', { name: '提交审核' }).click()
    await expect(page.getByText('你参与了撰写，需要由其他人审核。')).toBeVisible()
    const read = await page.request.get(`/console-api/news/articles/${id}`, { headers: asTeacher })
    const { revision } = (await read.json()).data
    const approval = await page.request.post(`/console-api/news/articles/${id}/approval`, {
      headers: asTeacher,
      data: { revision },
    })
    expect(approval.status()).toBe(200)

    await page.reload()
    await page.getByRole('button', { name: '定时发布' }).click()
    await page.getByLabel('发布时间').fill(`${new Date().getFullYear() + 1}-03-01T08:00`)
    await page.getByRole('button', { name: '确定定时' }).click()
    await expect(page.getByText(/^将于 .+ 发布$/)).toBeVisible()
    const seen = `/portal-api/api/proxy/cms/api/rest/mobile/v2/contents/${id}`
    expect((await page.request.get(seen, { headers: asTeacher })).status()).toBe(404)
    await page.getByRole('button', { name: '撤下' }).click()
    await expect(page.getByRole('button', { name: '撤下' })).toHaveCount(0)
    await page.getByRole('button', { name: '立即发布' }).click()
    await expect(page.getByRole('heading', { name: '阅读确认' })).toBeVisible()

    const reader = await browser.newContext({
      storageState: {
        cookies: [],
        origins: [
          {
            origin: baseURL ?? '',
            localStorage: [{ name: 'idToken', value: await idToken(baseURL ?? '', 'student') }],
          },
        ],
      },
    })
    const theirs = await reader.newPage()
    await theirs.goto(`${baseURL}/pagesA/news/detail?id=${id}`)
    await expect(
      theirs.getByRole('heading', { name: '图书馆<script>x()</script>延长开放' }),
    ).toBeVisible()
    await theirs.getByRole('button', { name: '确认已读' }).click()
    await expect(theirs.getByText(/^你已于 .+ 确认阅读$/)).toBeVisible()
    await theirs.reload()
    await expect(theirs.getByText(/^你已于 .+ 确认阅读$/)).toBeVisible()
    expect(await axeViolations(theirs)).toEqual([])

    await page.reload()
    await expect(page.getByRole('row', { name: /^合计 1 / })).toBeVisible()
    await page.getByRole('button', { name: '撤下' }).click()
    await expect(page.getByText('已撤下', { exact: true }).first()).toBeVisible()
    await theirs.reload()
    await expect(theirs.getByText('该资讯不存在或未对你开放')).toBeVisible()
    await reader.close()
  })
})

test.describe('an editor', () => {
  test.use({ as: 'admin' })

  test('sees no notice of a newer version when there is none', async ({ page, baseURL }) => {
    const articles = await fetch(`${baseURL}${endpoints.news.list.path}?columnCode=academic`)
    const { data } = (await articles.json()) as { data: { list: { id: string }[] } }
    await page.goto(`/pages/secondWork/gonggao/gonggaoSet?kind=article&id=${data.list[0]?.id}`)
    await expect(page.getByRole('button', { name: '撤下' })).toBeVisible()
    await expect(page.getByRole('button', { name: '立即发布' })).toHaveCount(0)
    await expect(page.getByText('成员看到的仍是较早的版本')).toHaveCount(0)
  })
})

test.describe('a reader', () => {
  test.use({ as: 'student' })
  test('is denied access to the workbench', async ({ page }) => {
    await page.goto(list)
    await expect(page.getByText('你没有权限进行此操作')).toBeVisible()
  })
})
