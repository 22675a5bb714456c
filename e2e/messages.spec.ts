import { live } from '@atrium/contract/work/live'
import { messages } from '@atrium/contract/work/messages'
import type { Page } from '@playwright/test'
import { axeViolations } from './axe.ts'
import { expect, test } from './test.ts'
import { numberIn, unreadInList } from './unread.ts'

const newtask = '/pages/msgCenterTab/newtask/newtask'

test('a visitor sees the purpose of the tab and a sign-in button', async ({ page }) => {
  await page.goto(newtask)
  await expect(page.getByRole('heading', { name: '消息', level: 1 })).toBeVisible()
  await expect(page.getByText('登录后查看你的消息与待办')).toBeVisible()
  await expect(page.getByRole('button', { name: '登录' })).toBeVisible()
})

test.describe('a member', () => {
  test.use({ as: 'teacher' })
  test.describe.configure({ mode: 'serial' })

  test('reading a message updates the unread counts at once', async ({ page }) => {
    await page.goto(newtask)
    const half = page.getByRole('tab', { name: /^消息/ })
    await expect(half).toHaveText(/消息 \d+/)
    const before = Number(((await half.textContent()) ?? '').replace(/\D/g, ''))
    const badge = page.getByRole('navigation').getByRole('link', { name: '消息' })
    await expect(badge).toContainText(`${before} 条未读`)

    await page
      .getByRole('listitem')
      .filter({ hasText: '条未读' })
      .filter({ hasNot: page.getByRole('img', { name: '已开启免打扰' }) })
      .getByRole('link')
      .first()
      .click()
    await page.getByRole('tab', { name: '未读' }).click()
    const line = page.getByRole('list').getByRole('link').first()
    const title = (await line.locator('.message-line-name').textContent()) ?? ''
    await line.click()
    await expect(page.getByRole('heading', { name: title, level: 2 })).toBeVisible()

    await page.getByRole('button', { name: '返回' }).click()
    await expect(page.getByRole('link', { name: title })).toBeHidden()
    await page.getByRole('button', { name: '返回' }).click()
    await expect(badge).toContainText(`${before - 1} 条未读`)
  })

  test('marks all messages as read after a confirmation', async ({ page }) => {
    await page.goto(newtask)
    // Each row has its own button as well, hidden behind it.
    const all = page.locator('header').getByRole('button', { name: '全部已读' })
    await all.click()
    const dialog = page.getByRole('dialog', { name: '全部标为已读？' })
    await expect(dialog).toContainText('不能撤销')
    await dialog.getByRole('button', { name: '取消' }).click()
    await expect(dialog).toBeHidden()
    await all.click()
    await dialog.getByRole('button', { name: '全部已读' }).click()
    await expect(page.getByRole('status').filter({ hasText: '标为已读' })).toBeVisible()
    await expect(page.getByRole('tab', { name: '消息', exact: true })).toBeVisible()
    await expect(all).toBeHidden()
  })
})

test.describe('a student', () => {
  test.use({ as: 'student' })
  test.describe.configure({ mode: 'serial' })
  const row = (page: Page, name: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('link', { name }) })
  const choose = async (page: Page, name: string, action: string) => {
    await page.getByRole('button', { name: `“${name}”的更多操作` }).click()
    await page.getByRole('dialog').getByRole('button', { name: action }).click()
  }

  test('pins and mutes an application, and deletes its messages with undo', async ({ page }) => {
    await page.goto(newtask)
    const half = page.getByRole('tab', { name: /^消息/ })
    await expect(half).toHaveText(/消息 \d+/)
    const count = async () => Number(((await half.textContent()) ?? '').replace(/\D/g, ''))
    const before = await count()
    await choose(page, '图书馆', '置顶')
    await expect(row(page, '图书馆').getByRole('img', { name: '已置顶' })).toBeVisible()

    await choose(page, '图书馆', '消息免打扰')
    await expect(row(page, '图书馆').getByRole('img', { name: '已开启免打扰' })).toBeVisible()
    expect(await count()).toBeLessThan(before)
    await choose(page, '图书馆', '取消免打扰')
    await expect.poll(count).toBe(before)

    await choose(page, '图书馆', '删除全部消息')
    await expect(row(page, '图书馆')).toHaveCount(0)
    expect(await count()).toBeLessThan(before)
    await page.getByRole('status').getByRole('button', { name: '撤销' }).click()
    await expect(row(page, '图书馆')).toBeVisible()
    await expect.poll(count).toBe(before)
    await choose(page, '图书馆', '取消置顶')
  })

  test('a long press on an application opens only its menu', async ({ page }) => {
    await page.goto(newtask)
    const line = page.getByRole('link', { name: /^一卡通/ })
    await line.dispatchEvent('contextmenu')
    await expect(page.getByRole('dialog', { name: '一卡通' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page).toHaveURL(new RegExp(newtask))
  })

  test('finds a message by search, stars it and lists it among the starred', async ({ page }) => {
    await page.goto('/pagesA/message/entry')
    await page.getByRole('button', { name: '搜索消息' }).click()
    await page.getByRole('searchbox', { name: '搜索消息' }).fill('校园网 流通')
    await expect(page.getByRole('status').filter({ hasText: '没有找到相关消息' })).toBeVisible()
    await page.getByRole('searchbox', { name: '搜索消息' }).fill('算法导论')
    const title = '你借阅的《算法导论》将于 3 天后到期'
    await expect(row(page, title)).toBeVisible()
    await choose(page, title, '加星标')
    await expect(row(page, title).getByRole('img', { name: '已加星标' })).toBeVisible()
    await page.getByRole('searchbox', { name: '搜索消息' }).fill('')
    await page.getByRole('tab', { name: '星标' }).click()
    await choose(page, title, '取消星标')
    await expect(row(page, title)).toHaveCount(0)
  })

  test('selects several messages, deletes them and undoes it', async ({ page }) => {
    await page.goto('/pagesA/message/entry')
    await page.getByRole('button', { name: '更多操作', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: '选择多条' }).click()
    const boxes = page.getByRole('list', { name: '消息' }).getByRole('checkbox')
    const titles = page.locator('.message-line-name')
    const first = (await titles.first().textContent()) ?? ''
    await boxes.nth(0).check()
    await boxes.nth(1).check()
    const bar = page.getByRole('toolbar')
    await expect(bar.getByRole('status')).toHaveText('已选 2 项')
    await expect(bar.getByRole('checkbox', { name: '全选', exact: true })).not.toBeChecked()
    expect(await axeViolations(page)).toEqual([])
    await bar.getByRole('button', { name: '删除' }).click()
    await expect(page.getByText('已删除 2 条消息')).toBeVisible()
    await expect(row(page, first)).toHaveCount(0)
    await page.getByRole('button', { name: '撤销' }).click()
    await expect(row(page, first)).toBeVisible()
  })

  test('confirms a message, answers one, and sees why it was received', async ({ page }) => {
    await page.goto('/pagesA/message/entry')
    await page.getByRole('link', { name: /宿舍安全承诺书请在本周内确认/ }).click()
    await page.getByRole('button', { name: '确认收到' }).click()
    await expect(page.getByText(/已于 .* 确认/)).toBeVisible()
    await page.getByRole('button', { name: '返回' }).click()

    await page.getByRole('link', { name: /哪个时段对你影响更小/ }).click()
    await page.getByRole('button', { name: '22:00–23:00' }).click()
    await expect(page.getByText('你的回复：22:00–23:00')).toBeVisible()
    await page.getByRole('button', { name: '为什么收到这条消息' }).click()
    const why = page.getByRole('dialog', { name: '为什么收到这条消息' })
    await expect(why).toContainText('信息化中心')
    await expect(why).toContainText('发送方直接选择了你')
    await why.getByRole('button', { name: '消息免打扰' }).click()
    await expect(why.getByRole('button', { name: '取消免打扰' })).toBeVisible()
    expect(await axeViolations(page)).toEqual([])
  })

  test('adds a message to the schedule', async ({ page }) => {
    await page.goto('/pagesA/message/entry')
    await page.getByRole('link', { name: /关于组织学科竞赛报名的通知/ }).click()
    await page.getByRole('link', { name: '加入日程' }).click()
    await expect(page.getByLabel('标题')).toHaveValue('关于组织学科竞赛报名的通知')
    await page.locator('.nav-bar').getByRole('button', { name: '取消' }).click()
    await page.getByRole('link', { name: '加入日程' }).click()
    await page.getByLabel('开始日期').fill(`${new Date().getFullYear() + 1}-12-01`)
    await page.getByRole('button', { name: '加入日程' }).click()
    await expect(page.getByRole('heading', { name: '关于组织学科竞赛报名的通知' })).toBeVisible()
  })
})

test.describe('two devices', () => {
  test.use({ as: 'staff', live: true })

  test('reading a message on one updates the badge on the other', async ({
    page,
    context,
    request,
    baseURL,
  }) => {
    const stream = page.waitForRequest(`**${live.stream.path}`)
    await page.goto('/pages/tab/my/my')
    const badge = page
      .getByRole('navigation')
      .getByRole('link', { name: '消息' })
      .locator('.unseen')
    await expect(badge).toContainText(/\d+ 条未读/)
    await (await stream).response()
    const matchesList = async () =>
      (await numberIn(badge)) - (await unreadInList(request, baseURL, 'staff'))
    await expect.poll(matchesList).toBe(0)

    const second = await context.newPage()
    await second.goto(newtask)
    // Messages of a muted application do not count in any badge.
    await second
      .getByRole('listitem')
      .filter({ hasText: '条未读' })
      .filter({ hasNot: second.getByRole('img', { name: '已开启免打扰' }) })
      .getByRole('link')
      .first()
      .click()
    await second.getByRole('tab', { name: '未读' }).click()
    const read = second.waitForResponse(`**${messages.markRead.path}`)
    await second.getByRole('list').getByRole('link').first().click()
    await expect(second.getByRole('heading', { level: 2 })).toBeVisible()
    await read
    await expect.poll(matchesList).toBe(0)
  })
})
