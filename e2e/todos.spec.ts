import { schedule } from '@atrium/contract/work/schedule'
import { todos } from '@atrium/contract/work/todos'
import { axeViolations } from './axe.ts'
import { createMembers, openAs } from './members.ts'
import { idToken } from './session.ts'
import { swipe } from './swipe.ts'
import { expect, test } from './test.ts'

// A separate account: reading a message and assigning a to-do change counts that other tests compare.
test.use({ as: 'staff' })

test('a to-do from a message gets reminders and an assignee, is completed and reopened', async ({
  page,
}) => {
  await page.goto('/pagesA/message/entry')
  await page.getByRole('list', { name: '消息' }).getByRole('link').first().click()
  const subject = (await page.getByRole('heading', { level: 2 }).textContent()) ?? ''
  await page.getByRole('link', { name: '加入待办' }).click()
  const title = page.getByLabel('标题', { exact: true })
  await expect(title).toHaveValue(subject)
  await title.fill('')
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('请填写标题')).toBeVisible()
  // Its own, also on a second try.
  const words = `准备答辩材料 ${Date.now()}`
  await title.fill(words)
  const due = new Date(Date.now() + 30 * 24 * 3_600_000)
  await page.getByLabel('截止日期').fill(due.toISOString().slice(0, 10))
  await page.getByLabel('重复').selectOption('每周')
  expect(await axeViolations(page)).toEqual([])

  await page.getByRole('link', { name: /^提醒时间/ }).click()
  await page.getByRole('checkbox', { name: '提前 1 天' }).check()
  await page.getByRole('checkbox', { name: '提前 30 分钟' }).check()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: '完成' }).click()
  await page.getByRole('link', { name: /^执行人/ }).click()
  await page.getByRole('searchbox').fill('zhaoqihang')
  await page.getByRole('checkbox', { name: /admin/ }).check()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: '完成' }).click()
  await expect(page.getByRole('link', { name: /^提醒时间/ })).toContainText(
    '提前 30 分钟、提前 1 天',
  )
  for (const step of ['论文', '幻灯片']) {
    await page.getByRole('button', { name: '添加步骤' }).click()
    await page
      .getByLabel(/^步骤 \d$/)
      .last()
      .fill(step)
  }
  await page.getByRole('button', { name: '保存' }).click()

  await expect(page.getByRole('heading', { name: words })).toBeVisible()
  await expect(page.getByRole('link', { name: `来自：${subject}` })).toBeVisible()
  await page.getByRole('checkbox', { name: '论文' }).check()
  expect(await axeViolations(page)).toEqual([])
  await page.goto('/pages/msgCenterTab/newtask/newtask?tab=task')
  await page.getByRole('tab', { name: /^待办/ }).click()
  await page.getByRole('link', { name: '个人待办' }).click()
  const open = page.getByRole('list', { name: '未完成' })
  const row = open.getByRole('listitem').filter({ hasText: words })
  await expect(row).toContainText('1/2')
  await expect(row).toContainText('1 个执行人')
  expect(await axeViolations(page)).toEqual([])

  await row.getByRole('checkbox').check()
  // It recurs the following week.
  await expect(row).toContainText('0/2')
  await page.getByRole('button', { name: '撤销' }).click()
  await expect(row).toContainText('1/2')
  await row.getByRole('link').click()
  await page.getByRole('button', { name: '删除' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click()
  await expect(page.getByText('已删除')).toBeVisible()
})

test('a to-do from an article links back to it and is postponed by a swipe', async ({ page }) => {
  await page.goto('/pagesA/news/news?columnCode=headlines')
  await page.getByRole('list', { name: '要闻' }).getByRole('link').first().click()
  const article = page.getByRole('article')
  const subject = (await article.getByRole('heading', { level: 2 }).textContent()) ?? ''
  await article.getByRole('link', { name: '加入待办' }).click()
  await expect(page.getByLabel('标题', { exact: true })).toHaveValue(subject)
  const title = `读：${subject.slice(0, 20)}`
  await page.getByLabel('标题', { exact: true }).fill(title)
  await page.getByRole('button', { name: '保存' }).click()
  await page.getByRole('link', { name: `来自：${subject}` }).click()
  await expect(article.getByRole('heading', { name: subject, level: 2 })).toBeVisible()

  await page.goto('/msgCenter/pages/task/personaltodo')
  const row = page
    .getByRole('list', { name: '未完成' })
    .getByRole('listitem')
    .filter({ hasText: title })
  await swipe(page, row.locator('.todo-words'), { dx: -160 })
  expect(await axeViolations(page)).toEqual([])
  await row.locator('.swipe-action', { hasText: '推迟' }).click()
  await page.getByRole('button', { name: /^明天 · / }).click()
  await expect(page.getByText(`已推迟：${title}`)).toBeVisible()
  await expect(row).toContainText('明天 23:59 截止')
  await page.getByRole('button', { name: '撤销' }).click()
  await expect(row).not.toContainText('截止')
  // The same with its button, for keyboards.
  await row.getByRole('button', { name: `更多操作：${title}` }).press('Enter')
  await page.getByRole('dialog', { name: title }).getByRole('button', { name: '完成' }).click()
  await expect(page.getByText('已完成', { exact: true }).last()).toBeVisible()
  await expect(row).toHaveCount(0)
})

test('a to-do from an event is due on the day of the event and links back to it', async ({
  page,
  request,
  baseURL,
}) => {
  const today = new Date()
  const day = (days: number) =>
    new Date(today.getTime() + days * 86_400_000).toISOString().slice(0, 10)
  const headers = { 'x-id-token': await idToken(baseURL ?? '', 'staff') }
  const reply = await request.get(`${schedule.events.path}?from=${day(1)}&to=${day(60)}`, {
    headers,
  })
  const [event] = (await reply.json()).data.list
  await page.goto(`/pages/shedul/shedulDetail?id=${event.id}&startsAt=${event.startsAt}`)
  await page.getByRole('link', { name: '加入待办' }).click()
  await expect(page.getByLabel('标题', { exact: true })).toHaveValue(event.title)
  await expect(page.getByLabel('截止日期')).toHaveValue(event.firstDay)
  await page.getByRole('button', { name: '保存' }).click()
  await page.getByRole('link', { name: `来自：${event.title}` }).click()
  await expect(page).toHaveURL(/shedulDetail/)
  await expect(page.getByRole('heading', { name: event.title, level: 2 })).toBeVisible()
})

test('a change keeps what was entered when the to-do is changed elsewhere meanwhile', async ({
  browser,
  baseURL,
}) => {
  const url = String(baseURL)
  await createMembers(url, { amender: '路改之' })
  const { id, version } = await createTodo(url, 'amender', '交表')
  const page = await openAs(browser, url, 'amender', `/msgCenter/pages/task/addtodo?id=${id}`)
  await page.getByLabel('标题', { exact: true }).fill('交奖学金申请表')
  const elsewhere = { ...todoOf('交表'), note: '带上学生证', version }
  await callAs(url, 'amender', todos.update, elsewhere, id)
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('你改的内容还在')).toBeVisible()
  await expect(page.getByLabel('标题', { exact: true })).toHaveValue('交奖学金申请表')
  await expect(page.getByLabel('备注')).toHaveValue('带上学生证')
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('已保存')).toBeVisible()
  await page.goto(`/msgCenter/pages/task/personalDetail?id=${id}`)
  await expect(page.getByRole('heading', { name: '交奖学金申请表' })).toBeVisible()
  await expect(page.getByText('带上学生证')).toBeVisible()
  await page.context().close()
})

const todoOf = (title: string) => ({
  ...{ title, note: '', tags: [], repeat: 'none', dueLocal: '', timeZone: 'Asia/Shanghai' },
  ...{ allDay: false, reminders: [], steps: [], executors: [] },
})
async function callAs(
  url: string,
  username: string,
  { method, path }: { method: string; path: string },
  body: object,
  id = '',
) {
  const answer = await fetch(url + path.replace('{id}', id), {
    method,
    headers: { 'x-id-token': await idToken(url, username), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.ok).toBe(true)
  return (await answer.json()).data
}
const createTodo = (url: string, username: string, title: string) =>
  callAs(url, username, todos.create, { key: `${title}-${Date.now()}`, ...todoOf(title) })

test('the focus goes to the next to-do when one is completed, and to the heading after the last', async ({
  browser,
  baseURL,
}) => {
  const url = String(baseURL)
  await createMembers(url, { finisher: '路毕之' })
  for (const title of ['交表', '取件', '还书']) await createTodo(url, 'finisher', title)
  const page = await openAs(browser, url, 'finisher', '/msgCenter/pages/task/personaltodo')
  const rows = page.getByRole('list', { name: '未完成' }).getByRole('listitem')
  await expect(rows.first()).toBeVisible()
  for (let count = await rows.count(); count > 0; count--) {
    await rows.first().getByRole('checkbox').press('Space')
    await expect(rows).toHaveCount(count - 1)
    if (count > 1) await expect(rows.first().getByRole('checkbox')).toBeFocused()
  }
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await page.context().close()
})

test.describe('a member with several to-dos', () => {
  test.use({ as: 'student' })

  test('chooses an action in the menu of a row with a slow tap', async ({ page }) => {
    await page.clock.install()
    await page.goto('/msgCenter/pages/task/personaltodo')
    await page.getByRole('button', { name: '更多操作：提交数据结构实验报告' }).click()
    const action = page.getByRole('dialog').getByRole('button', { name: '推迟', exact: true })
    const finger = { pointerType: 'touch', isPrimary: true }
    await action.dispatchEvent('pointerdown', finger)
    await page.clock.fastForward(800)
    await action.dispatchEvent('pointerup', finger)
    await action.dispatchEvent('click', { detail: 1 })
    await expect(page.getByRole('dialog', { name: '推迟' })).toBeVisible()
  })

  test('reorders them, and completes their part of another member’s to-do', async ({ page }) => {
    await page.goto('/msgCenter/pages/task/personaltodo')
    const rows = page.getByRole('list', { name: '未完成' }).getByRole('listitem')
    await expect(rows.first()).toContainText('提交数据结构实验报告')
    await page.getByRole('button', { name: '调整顺序' }).click()
    await page.getByRole('button', { name: '下移“提交数据结构实验报告”' }).click()
    await expect(rows.nth(1)).toContainText('提交数据结构实验报告')
    await page.getByRole('button', { name: '上移“提交数据结构实验报告”' }).click()
    await expect(rows.first()).toContainText('提交数据结构实验报告')
    await page.getByRole('button', { name: '完成调整' }).click()

    await page.getByRole('link', { name: /核对实验室门禁名单/ }).click()
    await expect(page.getByText('赵启航')).toBeVisible()
    await page.getByRole('button', { name: '完成我的部分' }).click()
    await expect(page.getByRole('button', { name: '重新打开' })).toBeVisible()
    await page.getByRole('button', { name: '重新打开' }).click()
    await expect(page.getByRole('button', { name: '完成我的部分' })).toBeVisible()

    await page.goto('/msgCenter/pages/task/personaltodo?part=finished')
    await expect(page.getByText('缴纳住宿费')).toBeVisible()
    await page.getByRole('searchbox').fill('没有这样的')
    await expect(page.getByText('还没有完成的待办')).toBeVisible()
  })
})
