import { withSettings } from './settings.ts'
import { expect, test } from './test.ts'

test.use({ as: 'student' })

/** Text of the to-do due today at 18:00: tests may run before or after that. */
const dueAtSix = (before: string, after: string) => {
  const hour = new Intl.DateTimeFormat('en', {
    hour: 'numeric',
    hourCycle: 'h23',
    timeZone: 'Asia/Shanghai',
  }).format()
  return Number(hour) < 18 ? before : after
}

test('the address opens the to-dos, and a to-do shows its form and history', async ({ page }) => {
  await page.goto('/pages/msgCenterTab/newtask/newtask?isactive=1')
  await expect(page.getByRole('tab', { name: /^待办/ }).first()).toHaveAttribute(
    'aria-selected',
    'true',
  )
  const first = page.getByRole('list', { name: '待办' }).getByRole('link').first()
  await expect(first).toContainText(dueAtSix('今天 18:00 截止', '今天 18:00 已逾期'))
  const title = (await first.locator('.task-line-title').textContent()) ?? ''
  await first.click()
  await expect(page.getByRole('heading', { name: title, level: 2 })).toBeVisible()
  await expect(page.getByRole('heading', { name: '表单内容' })).toBeVisible()
  await expect(page.getByRole('heading', { name: '办理记录' })).toBeVisible()
  await expect(page.getByText('等待办理')).toBeVisible()
})

test('going back restores the selected tab and level', async ({ page }) => {
  await page.goto('/pages/msgCenterTab/newtask/newtask')
  await page.getByRole('tab', { name: /^待办/ }).click()
  await page.getByRole('tab', { name: '已办' }).click()
  await page.getByRole('list', { name: '已办' }).getByRole('link').first().click()
  await expect(page).toHaveURL(/doneDetail/)
  await page.getByRole('button', { name: '返回' }).click()
  await expect(page.getByRole('tab', { name: '已办' })).toHaveAttribute('aria-selected', 'true')
})

test('the initial filter of a level can be configured', async ({ page }) => {
  await withSettings(page, {
    ENV_APP_TODO_MODULE_SETTING: JSON.stringify([
      { level: 'myRequest', initial: 'finish' },
      { level: 'myReaded', initial: ['Meto'] },
    ]),
  })
  const requested: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname === '/transaction/api/v1/tasks') requested.push(search)
  })
  await page.goto('/pages/msgCenterTab/newtask/newtask?isactive=1')
  const parts = page.getByRole('group', { name: '筛选' })
  await expect(parts.getByRole('button', { name: '已办结' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await expect.poll(() => requested.at(-1)).toMatch(/level=myRequest&status=finish/)
  await page.getByRole('tab', { name: '传阅' }).click()
  await expect.poll(() => requested.at(-1)).toMatch(/level=myReaded&circulate=Meto/)
  await expect(parts).toHaveCount(0)
})

test('to-dos are shown in English', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('language', 'en'))
  await page.goto('/pages/msgCenterTab/newtask/newtask?isactive=1')
  await expect(page.getByRole('list', { name: 'To do' }).getByRole('link').first()).toContainText(
    dueAtSix('Due today 18:00', 'Overdue since 18:00'),
  )
  await page.getByRole('tab', { name: 'Drafts' }).click()
  await expect(page.getByRole('tab', { name: 'Drafts' })).toHaveAttribute('aria-selected', 'true')
})

test('adds a task to the schedule', async ({ page }) => {
  await page.goto('/pages/msgCenterTab/newtask/newtask')
  await page.getByRole('tab', { name: /^待办/ }).click()
  await page.getByRole('tab', { name: '已办' }).click()
  await page.getByRole('list', { name: '已办' }).getByRole('link').first().click()
  await page.getByRole('link', { name: '加入日程' }).click()
  const title = await page.getByLabel('标题').inputValue()
  expect(title).toMatch(/\S/)
  await page.getByLabel('开始日期').fill(`${new Date().getFullYear() + 1}-12-02`)
  await page.getByRole('button', { name: '加入日程' }).click()
  await expect(page).toHaveURL(/shedulDetail/)
  await expect(page.getByRole('heading', { name: title })).toBeVisible()
})
