import { axeViolations } from './axe.ts'
import { expect, test } from './test.ts'

test.use({ as: 'teacher' })
test.describe.configure({ mode: 'serial' })

const calendars = '/pages/shedul/calendList'
const fileOf = (retry: number) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Example//EN',
    'BEGIN:VEVENT',
    `UID:hall-meeting-${retry}@example.org`,
    'DTSTAMP:20270101T000000Z',
    'DTSTART;TZID=Asia/Shanghai:20270304T140000',
    'DTEND;TZID=Asia/Shanghai:20270304T160000',
    'SUMMARY:<b>院系</b>联席会',
    'END:VEVENT',
    'BEGIN:VEVENT',
    'UID:no-start@example.org',
    'DTSTAMP:20270101T000000Z',
    'SUMMARY:没有时间的日程',
    'END:VEVENT',
    'END:VCALENDAR',
  ].join('\r\n')

test('a calendar feed address is created, read, replaced and disabled', async ({ page, request }, {
  retry,
}) => {
  const name = `我的手机 ${retry}`
  await page.goto(calendars)
  await page.getByRole('link', { name: '在其他日历中查看' }).click()
  await page.getByLabel('用在哪里').fill(name)
  await page.getByRole('button', { name: '生成地址' }).click()
  const address = page.locator('.exchange-address')
  await expect(address).toHaveText(/\/feeds\/[\w-]{43}\.ics$/)
  await expect(page.getByRole('link', { name: '在本机日历中打开' })).toHaveAttribute(
    'href',
    /^webcal:\/\//,
  )
  expect(await axeViolations(page)).toEqual([])
  const first = (await address.textContent()) ?? ''
  const read = await request.get(first)
  expect(read.headers()['content-type']).toMatch(/^text\/calendar/)
  expect(await read.text()).toContain('BEGIN:VCALENDAR')

  // The address is shown only once.
  await page.reload()
  const list = page.getByRole('list', { name: '在其他日历中查看' })
  const feed = list.getByRole('listitem').filter({ hasText: name })
  await expect(feed).toBeVisible()
  await expect(address).toHaveCount(0)
  await feed.getByRole('button', { name: '更换地址' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '更换地址' }).click()
  await expect(address).toHaveText(/\.ics$/)
  await expect(page.getByRole('dialog')).toBeHidden()
  const second = (await address.textContent()) ?? ''
  expect(second).not.toBe(first)
  expect((await request.get(first)).status()).toBe(404)
  expect((await request.get(second)).status()).toBe(200)

  await feed.getByRole('button', { name: '停用' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '停用' }).click()
  // The list is hidden from locators while the dialog is open.
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(feed).toHaveCount(0)
  expect((await request.get(second)).status()).toBe(404)
})

test('an import shows a preview, and importing the same file again adds nothing', async ({ page }, {
  retry,
}) => {
  const file = fileOf(retry)
  const choose = (buffer: Buffer) =>
    page
      .getByLabel('选择文件')
      .setInputFiles({ name: '日程.ics', mimeType: 'text/calendar', buffer })
  await page.goto(calendars)
  await page.getByRole('link', { name: '导入日历文件' }).click()
  await choose(Buffer.from('not a calendar'))
  await expect(page.locator('.field-error')).toBeVisible()
  await choose(Buffer.from(file))
  const events = page.getByRole('list', { name: '将要导入的日程' })
  await expect(events).toContainText('<b>院系</b>联席会')
  await expect(events).toContainText('14:00')
  await expect(page.getByText('新增 1 · 更新 0 · 未变 0 · 略过 1')).toBeVisible()
  await expect(page.getByText('没有时间的日程')).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: '导入 1 项日程' }).click()
  await expect(page.getByText('已导入 1 项日程')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('导入日历文件')

  await page.getByRole('link', { name: '导入日历文件' }).click()
  await choose(Buffer.from(file))
  await expect(page.getByRole('button', { name: '没有需要导入的日程' })).toBeDisabled()
})

test('a subscribed calendar shows why it cannot be updated, and is renamed and removed', async ({
  page,
}) => {
  await page.goto(calendars)
  await page.getByRole('link', { name: '订阅外部日历' }).click()
  await page.getByLabel('日历地址').fill('ftp://calendar.example/team.ics')
  await page.getByLabel('名称').fill('校队训练')
  await page.getByRole('button', { name: '添加', exact: true }).click()
  await expect(page.getByLabel('日历地址')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('日历地址').fill('https://127.0.0.1/team.ics')
  await page.getByRole('button', { name: '添加', exact: true }).click()
  await expect(page.getByText('这个地址在内部网络中，无法读取')).toBeVisible()
  await page.getByLabel('日历地址').fill('https://calendar.invalid/team.ics')
  await page.getByRole('button', { name: '添加', exact: true }).click()
  const card = page.getByRole('listitem').filter({ hasText: /^校队训练/ })
  await expect(card).toContainText('暂时无法更新')
  await expect(card).toContainText('还没有更新过')
  expect(await axeViolations(page)).toEqual([])
  await card.getByRole('button', { name: '名称与颜色' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('名称').fill('校队')
  await sheet.getByRole('radio', { name: '紫色' }).check()
  await sheet.getByRole('button', { name: '保存' }).click()
  await expect(page.getByRole('heading', { name: '校队', exact: true })).toBeVisible()
  const changed = page.getByRole('listitem').filter({ hasText: /^校队/ })
  await changed.getByRole('button', { name: '移除' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '移除' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(changed).toHaveCount(0)
})
