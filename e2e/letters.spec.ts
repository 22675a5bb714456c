import { axeViolations } from './axe.ts'
import { idToken } from './session.ts'
import { expect, test } from './test.ts'

test.use({ as: 'staff' })

test('a letter is sent to a department, answered and published', async ({ page, baseURL }) => {
  // Unique: other tests write concurrently, and a retry finds the first attempt's letter.
  const title = `路灯不亮 ${Math.random().toString(36).slice(2, 8)}`
  const letter = page.locator('section').filter({ hasText: title })
  await page.goto('/msgCenter/pages/news/throughTrain')
  await page.getByRole('tab', { name: '写信' }).click()
  await page.getByRole('button', { name: '寄出' }).click()
  await expect(page.getByText('请选择一个信箱')).toBeVisible()
  await expect(page.getByText('请填写标题')).toBeVisible()
  await page.getByRole('radio', { name: /校长信箱/ }).check()
  await page.getByLabel('标题').fill(title)
  await page.getByLabel('内容').fill('东门外<b>三盏</b>路灯不亮。')
  await page.getByRole('switch', { name: '同意公开' }).click()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: '寄出' }).click()
  await expect(letter.getByRole('heading', { name: title })).toBeVisible()
  await expect(letter.getByText('待答复')).toBeVisible()
  await expect(letter.getByText('东门外<b>三盏</b>路灯不亮。')).toBeVisible()

  const headers = { 'x-id-token': await idToken(baseURL ?? '', 'admin') }
  const { data } = await (
    await page.request.get('/console-api/v1/letters?state=waiting&pageSize=20', { headers })
  ).json()
  const { id, revision } = data.list.find((one: { title: string }) => one.title === title)
  const answered = await page.request.put(`/console-api/v1/letters/${id}/answer`, {
    headers,
    data: { revision, answer: '已报修，三日内修复。' },
  })
  await page.request.put(`/console-api/v1/letters/${id}/published`, {
    headers,
    data: { revision: (await answered.json()).data.revision, published: true },
  })
  await page.reload()
  await expect(letter.getByText('已报修，三日内修复。')).toBeVisible()
  await expect(letter.getByText('已答复')).toBeVisible()
  await page.getByRole('tab', { name: '公开答复' }).click()
  await expect(page.getByRole('heading', { name: title })).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
})

test('a letter draft survives switching tabs and a reload, and can be discarded', async ({
  page,
}) => {
  const write = page.getByRole('tab', { name: '写信' })
  const kept = page.getByText('内容已自动保存在本机')
  await page.goto('/msgCenter/pages/news/throughTrain')
  await write.click()
  await page.getByRole('radio', { name: /校长信箱/ }).check()
  await page.getByLabel('标题').fill('一封长信')
  await page.getByLabel('内容').fill('写到一半')
  await page.getByRole('tab', { name: '公开答复' }).click()
  await write.click()
  await expect(page.getByLabel('内容')).toHaveValue('写到一半')
  await expect(kept).toBeVisible()
  await page.reload()
  await write.click()
  await expect(page.getByLabel('标题')).toHaveValue('一封长信')
  await expect(page.getByRole('radio', { name: /校长信箱/ })).toBeChecked()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: '放弃' }).click()
  await expect(page.getByLabel('内容')).toHaveValue('')
  await expect(page.getByRole('radio', { name: /校长信箱/ })).not.toBeChecked()
  await expect(kept).toBeHidden()
  await page.reload()
  await write.click()
  await expect(page.getByLabel('标题')).toHaveValue('')
})

test.describe('in English', () => {
  test.use({ locale: 'en-US' })

  test('an unanswered letter can be withdrawn', async ({ page }) => {
    const title = `A second letter ${Math.random().toString(36).slice(2, 8)}`
    await page.goto('/msgCenter/pages/news/throughTrain')
    await page.getByRole('tab', { name: 'Write' }).click()
    await page.getByRole('radio', { name: /Registrar’s Office/ }).check()
    await page.getByLabel('Title').fill(title)
    await page.getByLabel('Letter', { exact: true }).fill('Never mind.')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('button', { name: `Withdraw “${title}”` }).click()
    await expect(page.getByRole('heading', { name: title })).toHaveCount(0)
  })
})
