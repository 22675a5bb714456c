import { axeViolations } from './axe.ts'
import { expect, test } from './test.ts'

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEUlEQVQImWNwKV+FFTEMLQkAxkZZQV4PmM4AAAAASUVORK5CYII=',
  'base64',
)

test.describe('a member', () => {
  test.use({ as: 'student' })

  test('rates a service after opening it, and withdraws the rating', async ({ page }) => {
    await page.goto('/pages/service/search?keyWords=xuankexitong')
    const row = page.getByRole('list', { name: '搜索结果' })
    await row.getByRole('button', { name: '选课系统，服务说明' }).click()
    const sheet = page.getByRole('dialog', { name: '选课系统' })
    await expect(sheet.getByText(/^\d\.\d 分 · 40 人评价$/)).toBeVisible()
    await sheet.getByRole('link', { name: '全部评价，写评价' }).click()
    await expect(page).toHaveURL(/\/pages\/service\/evaluate\?serviceId=\d+/)
    await expect(page.getByText(/^使用过这项服务后才能评价/)).toBeVisible()
    await page.getByRole('button', { name: '打开服务' }).click()
    await expect(page).toHaveURL(/\/pages\/webview\/webview/)
    await page.goBack()

    await page.reload()
    await page.getByRole('button', { name: '写评价' }).click()
    await page.getByRole('button', { name: '提交评价' }).click()
    await expect(page.getByText('请给每一项选择星级')).toBeVisible()
    for (const name of ['总体评分', '好不好用', '办得快不快', '说得清不清楚', '有问题有没有人帮'])
      await page.getByRole('group', { name }).getByRole('radio').nth(3).check({ force: true })
    const text = '<img src=x onerror="alert(1)"> 比去年稳定'
    await page.getByRole('textbox', { name: '说说你的看法' }).fill(text)
    await page
      .locator('input[type=file][multiple]')
      .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: picture })
    await expect(page.getByText('已上传')).toBeVisible()
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: '提交评价' }).click()
    await expect(page.getByRole('status').getByText('评价已保存')).toBeVisible()
    const opinions = page.getByRole('list', { name: '对选课系统的评价' })
    await expect(opinions.getByText(text)).toBeVisible()
    await expect(opinions.getByRole('img', { name: '图片 1' }).first()).toBeVisible()
    await expect(page.getByText(/41 人评价$/)).toBeVisible()
    // While fading out it fails the contrast check.
    await expect(page.getByText('评价已保存')).toBeHidden()
    expect(await axeViolations(page)).toEqual([])

    await page.getByRole('button', { name: '修改评价' }).click()
    await page.getByRole('button', { name: '撤回评价' }).click()
    await expect(page.getByText(/40 人评价$/)).toBeVisible()
  })
})

test('a visitor sees rankings, themes and ratings', async ({ page }) => {
  await page.goto('/pages/service/ranking')
  const ranking = page.getByRole('list', { name: '热门' })
  await expect(ranking.getByRole('button').first()).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('tab', { name: '新上线' }).click()
  await expect(page.getByRole('list', { name: '新上线' }).getByRole('button').first()).toBeVisible()

  await page.goto('/pages/service/aggregationService')
  await page.getByRole('link', { name: /^来访与参观/ }).click()
  await expect(page).toHaveURL(/aggregationService\?id=\d+/)
  await expect(page.getByRole('heading', { level: 1, name: '来访与参观' })).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: '校车，服务说明' }).click()
  await expect(page.getByRole('dialog', { name: '校车' }).getByText(/人评价$/)).toBeVisible()
})
