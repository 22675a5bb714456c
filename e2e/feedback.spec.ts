import { axeViolations } from './axe.ts'
import { idToken } from './session.ts'
import { expect, test } from './test.ts'

test.use({ as: 'teacher' })

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('feedback goes out with a photo, is answered, and rated', async ({ page, baseURL }) => {
  const content = `理科楼路灯不亮 ${Math.random().toString(36).slice(2, 8)}`
  await page.goto('/pages/tab/my/my')
  await page.getByRole('link', { name: '意见反馈' }).click()
  await expect(page.getByRole('heading', { name: '大家问过的' })).toBeVisible()
  await expect(page.getByText('4 人提过')).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('link', { name: /宿舍与校园/ }).click()
  await expect(page.getByRole('radio', { name: '宿舍与校园' })).toBeChecked()
  await page.getByRole('button', { name: '提交' }).click()
  await expect(page.getByText('请写下内容')).toBeVisible()
  await page.getByLabel('反馈内容').fill(content)
  await page.getByLabel('添加图片').setInputFiles([
    { name: 'a.png', mimeType: 'image/png', buffer: png },
    { name: 'large.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(11 * 1024 * 1024) },
  ])
  // Refused here, before a byte of it has gone.
  await expect(page.getByText('图片不能超过 10 MB')).toBeVisible()
  await page.getByRole('button', { name: /large\.jpg/ }).click()
  await expect(page.getByText('已上传')).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  // What was written is still there after a look elsewhere.
  await page.getByRole('button', { name: '返回' }).click()
  await page.getByRole('button', { name: '写反馈' }).click()
  await expect(page.getByLabel('反馈内容')).toHaveValue(content)
  await expect(page.getByRole('img', { name: '图片 1' })).toBeVisible()

  // The answer to the first try is lost on the way: the second makes no second one.
  let lost = false
  await page.route('**/portal-api/v1/feedback', async (route) => {
    if (route.request().method() !== 'POST' || lost) return route.continue()
    lost = true
    await route.fetch()
    return route.abort()
  })
  const send = page.getByRole('button', { name: '提交' })
  await send.click()
  await expect.poll(() => lost).toBe(true)
  await send.click()
  await expect(page.getByRole('heading', { name: '反馈详情' })).toBeVisible()
  await expect(page.getByText('待处理')).toBeVisible()
  expect(await axeViolations(page)).toEqual([])

  const headers = { 'x-id-token': await idToken(baseURL ?? '', 'admin') }
  const inbox = `/console-api/v1/feedback?${new URLSearchParams({ keyWords: content })}`
  const { data } = await (await page.request.get(inbox, { headers })).json()
  expect(data.list).toHaveLength(1)
  const [{ id, revision }] = data.list
  await page.request.post(`/console-api/v1/feedback/${id}/answer`, {
    headers,
    data: { revision, text: '已修复，谢谢反馈。' },
  })
  await page.goto('/pages/myInfo/suggestRecord')
  await page.getByRole('link', { name: new RegExp(content) }).click()
  await expect(page.getByText('已修复，谢谢反馈。')).toBeVisible()
  await page.getByRole('radio', { name: /5/ }).click({ force: true })
  await expect(page.getByText('评价已保存')).toBeVisible()
  await page.getByLabel('还没解决？继续说').fill('还有一盏。')
  await page.getByRole('button', { name: '发送' }).click()
  await expect(page.getByText('还有一盏。', { exact: true }).first()).toBeVisible()
  await expect(page.getByText('待处理')).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
})

test.describe('in English', () => {
  test.use({ locale: 'en-US', as: 'staff' })

  test('feedback on a service is withdrawn again', async ({ page }) => {
    await page.goto('/pages/myInfo/suggestNew?serviceId=35')
    await expect(page.getByText(/About the service/)).toBeVisible()
    await page.getByRole('radio', { name: 'A service' }).check({ force: true })
    await page.getByLabel('Your feedback').fill('Never mind.')
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(page.getByText('Waiting')).toBeVisible()
    await page.getByRole('button', { name: 'Withdraw' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
    await expect(page.getByText('Withdrawn')).toBeVisible()
  })
})
