import { appointments } from '@atrium/contract/work/appointments'
import { schedule } from '@atrium/contract/work/schedule'
import type { Browser, Page } from '@playwright/test'
import { axeViolations } from './axe.ts'
import { createMembers, openAs } from './members.ts'
import { idToken } from './session.ts'
import { expect, test } from './test.ts'

// Separate accounts: events created and answered here change what others see.
test.describe.configure({ mode: 'serial' })
const people = { convener: '顾清和', reader: '容若水', listener: '温叙言' }
type Name = keyof typeof people

test.beforeAll(({ baseURL }) => createMembers(baseURL ?? '', people))

const tab = '/pages/tab/schedule/schedule'
const title = '组会'
// A Tuesday and the following one, far enough ahead not to be past.
const first = '2027-03-02'
const second = '2027-03-09'
const invite = async (page: Page, username: Name) => {
  await page.getByRole('searchbox').fill(people[username])
  await page.getByRole('checkbox', { name: new RegExp(people[username]) }).check()
}

test('a weekly seminar with two participants is created from a pasted line', async ({
  browser,
  baseURL,
}) => {
  const page = await openAs(browser, baseURL ?? '', 'convener', tab)
  await page.getByRole('link', { name: '新建日程' }).click()
  await page.getByLabel('快速填写').fill(`${first} 下午两点到四点 教三305 ${title}`)
  await expect(page.getByLabel('标题')).toHaveValue(title)
  await expect(page.getByLabel('开始日期')).toHaveValue(first)
  await expect(page.getByLabel('开始', { exact: true })).toHaveValue('14:00')
  await expect(page.getByLabel('结束', { exact: true })).toHaveValue('16:00')
  await expect(page.getByLabel('地点')).toHaveValue('教三305')
  expect(await axeViolations(page)).toEqual([])

  await page.getByRole('link', { name: /^重复/ }).click()
  await page.getByRole('radio', { name: '每周二', exact: true }).check()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: '完成' }).click()
  await page.getByRole('link', { name: /^结束重复/ }).click()
  await page.getByRole('radio', { name: '重复若干次后' }).check()
  await page.getByLabel('重复次数').fill('8')
  await expect(page.getByRole('status').filter({ hasText: '共 8 次' })).toBeVisible()
  await page.getByRole('button', { name: '完成' }).click()
  await page.getByRole('link', { name: /^参与人/ }).click()
  await invite(page, 'reader')
  await invite(page, 'listener')
  await expect(page.getByRole('heading', { name: '大家都有空的时间' })).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: '完成' }).click()
  await page.getByRole('button', { name: '加入日程' }).click()

  await expect(page.getByRole('heading', { name: title, level: 2 })).toBeVisible()
  await expect(page.getByText('每周二，共 8 次')).toBeVisible()
  await expect(page.getByRole('list', { name: '参与人' })).toContainText(people.listener)
  expect(await axeViolations(page)).toEqual([])
})

/** Opens the seminar as a member sees it, on one of its days. */
async function openSeminar(browser: Browser, url: string, username: Name, day: string) {
  const headers = { 'x-id-token': await idToken(url, username) }
  const requested = `${url}${schedule.events.path}?from=${day}&to=${day}`
  const answer = await fetch(requested, { headers })
  const { data } = (await answer.json()) as { data: { list: { id: string; startsAt: string }[] } }
  const [event] = data.list
  const search = new URLSearchParams({ id: event?.id ?? '', startsAt: event?.startsAt ?? '' })
  return openAs(browser, url, username, `/pages/shedul/shedulDetail?${search}`)
}

test('moving a single occurrence leaves the others unchanged', async ({ browser, baseURL }) => {
  const url = baseURL ?? ''
  const page = await openSeminar(browser, url, 'convener', second)
  await page.getByRole('button', { name: '修改' }).click()
  await page.getByLabel('开始日期').fill('2027-03-10')
  await page.getByLabel('开始', { exact: true }).fill('10:00')
  await expect(page.getByLabel('结束', { exact: true })).toHaveValue('12:00')
  await page.getByRole('button', { name: '保存' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(/14:00.*→.*10:00/)).toBeVisible()
  await dialog.getByRole('radio', { name: '仅这一次' }).check()
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(dialog).toBeHidden()
  const days = await startsOf(url, 'reader')
  expect(days).toEqual(['2027-03-02T06:00', '2027-03-10T02:00', '2027-03-16T06:00'])
})

async function startsOf(url: string, username: Name) {
  const headers = { 'x-id-token': await idToken(url, username) }
  const answer = await fetch(`${url}${schedule.events.path}?from=${first}&to=2027-03-16`, {
    headers,
  })
  const { data } = (await answer.json()) as { data: { list: { startsAt: string }[] } }
  return data.list.map(({ startsAt }) => startsAt.slice(0, 16))
}

test('the organiser sees accepted and tentative replies with their comments', async ({
  browser,
  baseURL,
}) => {
  const url = baseURL ?? ''
  const reader = await openSeminar(browser, url, 'reader', first)
  await reader.getByRole('button', { name: '参加', exact: true }).click()
  await expect(reader.getByRole('button', { name: '参加', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  const listener = await openSeminar(browser, url, 'listener', first)
  await listener.getByLabel('附言').fill('可能晚到十分钟')
  await listener.getByRole('button', { name: '待定' }).click()
  await expect(listener.getByText('“可能晚到十分钟”')).toBeVisible()

  const convener = await openSeminar(browser, url, 'convener', first)
  await expect(convener.getByText('参加 1 · 待定 1')).toBeVisible()
  await expect(convener.getByText('“可能晚到十分钟”')).toBeVisible()
})

test('saving over a concurrent change reports a conflict and offers to reload', async ({
  browser,
  baseURL,
}) => {
  const url = baseURL ?? ''
  const page = await openSeminar(browser, url, 'convener', first)
  const id = new URL(page.url()).searchParams.get('id') ?? ''
  await page.getByRole('button', { name: '修改' }).click()
  await page.getByLabel('标题').fill('读书会')
  const headers = { 'x-id-token': await idToken(url, 'convener') }
  const read = await fetch(`${url}${schedule.read.path.replace('{id}', id)}`, { headers })
  const { version } = ((await read.json()) as { data: { version: number } }).data
  await fetch(`${url}${appointments.update.path.replace('{id}', id)}`, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ scope: 'all', version, location: '教三307' }),
  })
  await page.getByRole('button', { name: '保存' }).click()
  await page.getByRole('dialog').getByRole('radio', { name: '这一系列的所有日程' }).check()
  await page.getByRole('dialog').getByRole('button', { name: '保存' }).click()
  await expect(page.getByText(/刚在别处修改过/)).toBeVisible()
  await page.getByRole('button', { name: '重新载入' }).click()
  await expect(page.getByLabel('标题')).toHaveValue(title)
  await expect(page.getByLabel('地点')).toHaveValue('教三307')
})

test('a campus place is chosen for an event, which links to its location', async ({
  browser,
  baseURL,
}) => {
  const page = await openAs(browser, baseURL ?? '', 'reader', '/pages/shedul/creatShedul')
  const name = '书法练习'
  await page.getByLabel('标题').fill(name)
  await page.getByRole('button', { name: '选择地点' }).click()
  await page.getByRole('button', { name: /大学生活动中心/ }).click()
  await page.getByRole('button', { name: '使用这个地点' }).click()
  await expect(page.getByLabel('标题')).toHaveValue(name)
  await expect(page.getByLabel('地点')).toHaveValue('大学生活动中心')
  await page.getByLabel('地点').fill('大学生活动中心 204')
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: '加入日程' }).click()
  await expect(page.getByRole('heading', { name, level: 2 })).toBeVisible()
  await expect(page.getByText('大学生活动中心 204')).toBeVisible()
  await page.getByRole('link', { name: '查看位置' }).click()
  await expect(page).toHaveURL(/open-location\?latitude=29\.4\d+&longitude=120\.2\d+/)
  await expect(page.getByRole('heading', { name: '大学生活动中心 204' })).toBeVisible()
})

test('a participant checks in with the code shown by the organiser', async ({
  browser,
  baseURL,
}) => {
  const url = String(baseURL)
  const headers = {
    'x-id-token': await idToken(url, 'convener'),
    'content-type': 'application/json',
  }
  const made = await fetch(`${url}${appointments.create.path}`, {
    ...{ method: 'POST', headers },
    body: JSON.stringify({
      uid: `check-in-${Date.now()}-browser`,
      title: '读书会',
      startsLocal: new Date().toISOString().slice(0, 16),
      ...{ minutes: 60, timeZone: 'Etc/UTC' },
      participants: [{ accountName: 'listener' }],
    }),
  })
  const { id } = (await made.json()).data
  const host = await openAs(browser, url, 'convener', `/pages/shedul/shedulDetail?id=${id}`)
  await host.getByRole('link', { name: '签到' }).click()
  await expect(host.getByRole('img', { name: '签到二维码' })).toBeVisible()
  expect(await axeViolations(host)).toEqual([])
  const code = ((await host.getByLabel('签到码').textContent()) ?? '').replaceAll(/\s/g, '')
  const guest = await openAs(browser, url, 'listener', `/pages/shedul/checkIn?id=${id}`)
  await guest.getByLabel('签到码').fill('000000')
  await expect(guest.getByText('签到码不正确')).toBeVisible()
  expect(await axeViolations(guest)).toEqual([])
  // As read by the camera.
  await guest.goto(`/pages/shedul/checkIn?id=${id}&code=${code}`)
  await expect(guest.getByText(/^已于 .* 签到$/)).toBeVisible()
  await expect(host.getByRole('list', { name: '已签到' })).toContainText(people.listener)
})

test('a calendar is created, shared, reordered and hidden', async ({ browser, baseURL }) => {
  const url = baseURL ?? ''
  const page = await openAs(browser, url, 'convener', '/pages/shedul/calendList')
  await page.getByRole('button', { name: '新建日历' }).click()
  await page.getByLabel('名称').fill('课题组')
  await page.getByRole('radio', { name: '紫色' }).check()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: '新建', exact: true }).click()
  await expect(page.getByRole('heading', { name: '课题组' })).toBeVisible()
  await page.getByRole('button', { name: '编辑日历' }).click()
  await page.getByRole('searchbox').fill(people.reader)
  await page.getByRole('button', { name: new RegExp(people.reader) }).click()
  await page.getByLabel(people.reader, { exact: true }).selectOption({ label: '可编辑' })
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('可编辑')).toBeVisible()

  await page.goto('/pages/shedul/calendarOrder')
  const order = page.getByRole('list', { name: '我的日历' }).getByRole('listitem')
  await expect(order.filter({ hasText: '课题组' })).toBeVisible()
  const place = (await order.allTextContents()).findIndex((text) => text.includes('课题组'))
  for (let at = place; at > 0; at--) {
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT')
    await page.getByRole('button', { name: '上移“课题组”' }).click()
    expect((await saved).ok()).toBe(true)
  }
  await expect(order.first()).toContainText('课题组')
  await expect(page.getByRole('button', { name: '上移“课题组”' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  expect(await axeViolations(page)).toEqual([])
  await page.goto('/pages/shedul/calendList')
  await expect(page.locator('.calendar-row').first()).toContainText('课题组')

  const reader = await openAs(browser, url, 'reader', '/pages/shedul/calendList')
  const shown = reader.getByRole('switch', { name: '显示课题组' })
  await expect(shown).toBeChecked()
  // The switch updates immediately after the tap, before the server has stored it.
  const saved = reader.waitForResponse((answer) => answer.request().method() === 'PUT')
  await shown.click()
  await expect(shown).not.toBeChecked()
  expect((await saved).ok()).toBe(true)
  await reader.reload()
  await expect(reader.getByRole('switch', { name: '显示课题组' })).not.toBeChecked()
  expect(await axeViolations(reader)).toEqual([])
})

test('an event is created with a category, which sets its colour, and a file', async ({
  browser,
  baseURL,
}) => {
  const page = await openAs(browser, baseURL ?? '', 'reader', tab)
  await page.getByRole('link', { name: '新建日程' }).click()
  await page.getByLabel('标题').fill('论文预审')
  await page.getByLabel('类别').fill('考试')
  // A known category sets the colour.
  await expect(page.getByLabel('颜色')).toHaveValue('orange')
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: '提纲.txt', mimeType: 'text/plain', buffer: Buffer.from('一、背景') })
  await expect(page.getByText('提纲.txt').first()).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: '加入日程' }).click()
  await expect(page.getByText('考试', { exact: true })).toBeVisible()
  const files = page.getByRole('list', { name: '文件' })
  await expect(files).toContainText('提纲.txt')
  await page.getByRole('button', { name: '修改' }).click()
  await expect(page.getByLabel('类别')).toHaveValue('考试')
  await expect(page.getByText('提纲.txt').first()).toBeVisible()
})

test('the event form shows conflicting events', async ({ browser, baseURL }) => {
  // A random day: a retry finds the events of the first try.
  const day = new Date(Date.UTC(2028, 0, 1 + Math.floor(Math.random() * 360)))
  const create = `/pages/shedul/creatShedul?day=${day.toISOString().slice(0, 10)}`
  const page = await openAs(browser, baseURL ?? '', 'reader', create)
  const state = page.getByRole('status').filter({ hasText: '冲突' })
  await expect(state).toHaveText('与已有日程没有冲突')
  await page.getByLabel('标题').fill('读书会')
  await page.getByRole('button', { name: '加入日程' }).click()
  await expect(page.getByRole('heading', { name: '读书会' })).toBeVisible()
  await page.goto(create)
  await expect(state).toContainText(/\d+:\d\d–\d+:\d\d 与“读书会”冲突/)
  await state.locator('summary').click()
  await expect(state.getByRole('listitem')).toContainText('读书会')
  expect(await axeViolations(page)).toEqual([])
})
