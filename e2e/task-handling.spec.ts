import { createServer } from 'node:http'
import { registry } from '@atrium/contract/sso/registry'
import { taskIntegration } from '@atrium/contract/work/task-integration'
import { taskSettings } from '@atrium/contract/work/task-settings'
import { taskSources } from '@atrium/contract/work/task-sources.operator'
import { tasks } from '@atrium/contract/work/tasks'
import type { APIRequestContext, Page } from '@playwright/test'
import { axeViolations } from './axe.ts'
import { idToken } from './session.ts'
import { expect, test } from './test.ts'

// A separate account: handling a task changes counts that other tests compare.
test.use({ as: 'admin' })
test.describe.configure({ mode: 'serial' })

const system = 'leave-desk'
let secret = ''
/** Requests received by the system, and its answer. */
const received: { task: string; action: string; comment: string }[] = []
let answer: object = { accepted: true }
const desk = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => (body += chunk))
  request.on('end', () => {
    received.push(JSON.parse(body).data)
    response.end(JSON.stringify(answer))
  })
})

test.beforeAll(async ({ playwright, baseURL }) => {
  const port = Number(process.env.ATRIUM_E2E_TASKS_PORT)
  await new Promise<void>((resolve) => desk.listen(port, '127.0.0.1', resolve))
  const request = await playwright.request.newContext({ baseURL: baseURL ?? '' })
  const headers = { 'x-id-token': await idToken(baseURL ?? '', 'admin') }
  const posted = async (path: string, data: object) => {
    const reply = await request.post(path, { headers, data })
    return (await reply.json()).data
  }
  // A retry finds it registered.
  await posted(registry.create.path, {
    code: system,
    name: '请假系统',
    redirectUris: [],
    integrations: ['transaction'],
  })
  secret = (await posted(registry.replaceSecret.path.replace('{code}', system), {})).secret
  await posted(taskSources.create.path, {
    code: 'leave',
    name: '请假系统',
    system,
    callbackUrl: `http://127.0.0.1:${port}/handled`,
  })
  // Stored phrases of an earlier run would interfere.
  await request.put(taskSettings.setPhrases.path, { headers, data: { phrases: [] } })
  await request.dispose()
})
test.afterAll(() => new Promise((resolve) => desk.close(resolve)))

async function call(request: APIRequestContext, path: string, data: object) {
  const token = await request.post('/cas/oidc/token', {
    form: { grant_type: 'client_credentials', client_id: system, client_secret: secret },
  })
  const { access_token } = await token.json()
  const reply = await request.post(path, {
    headers: { authorization: `Bearer ${access_token}` },
    data,
  })
  expect(reply.ok(), await reply.text()).toBe(true)
}
const putTasks = (request: APIRequestContext, ...titles: string[]) =>
  call(request, taskIntegration.put.path, {
    tasks: titles.map((title) => ({
      key: title,
      title,
      note: '两天，已告知导师',
      applicant: { username: 'student' },
      form: [{ label: '天数', value: '2' }],
      // Sorted before all other tasks.
      dueAt: '2026-01-01T00:00:00Z',
      steps: [
        {
          key: 'approval',
          username: 'admin',
          name: '院系审批',
          actions: [
            { code: 'approve', text: '同意', textEn: 'Approve', tone: 'primary' },
            {
              code: 'refuse',
              text: '不同意',
              textEn: 'Refuse',
              tone: 'danger',
              comment: 'required',
            },
          ],
        },
      ],
    })),
  })

const openList = (page: Page) => page.goto('/pages/msgCenterTab/newtask/newtask?isactive=1')
const rowOf = (page: Page, title: string) =>
  page.getByRole('list', { name: '待办' }).getByRole('link').filter({ hasText: title })
/** Number of to-dos counted by the server. */
async function countTodos(request: APIRequestContext, url: string | undefined) {
  const headers = { 'x-id-token': await idToken(url ?? '', 'admin') }
  const reply = await request.get(tasks.counts.path, { headers })
  return (await reply.json()).data.myTodo as number
}
const expectCount = (page: Page, count: number) =>
  expect(
    page.getByRole('tablist', { name: '事项分类' }).getByRole('tab', { name: /^待办/ }),
  ).toHaveText(count > 0 ? `待办 ${count}` : '待办')

test('an approved task is sent to its system and leaves the list and the count', async ({
  page,
  request,
  baseURL,
}) => {
  const title = '许嘉宁的请假申请'
  await putTasks(request, title)
  await openList(page)
  await expect(rowOf(page, title)).toBeVisible()
  const before = await countTodos(request, baseURL)
  await rowOf(page, title).click()
  await page
    .getByRole('toolbar', { name: '办理' })
    .getByRole('button', { name: '同意', exact: true })
    .click()
  const dialog = page.getByRole('dialog', { name: '同意', exact: true })
  const comment = dialog.getByLabel('意见（选填）')
  await comment.fill('注意安全')
  await dialog.getByRole('button', { name: '存为常用语' }).click()
  await comment.fill('')
  await dialog.getByRole('button', { name: '注意安全' }).click()
  await expect(comment).toHaveValue('注意安全')
  expect(await axeViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: '同意', exact: true }).click()
  await expect(page.getByText('已提交：同意')).toBeVisible()
  await expect(page.getByRole('toolbar', { name: '办理' })).toHaveCount(0)
  await expect
    .poll(() => received.filter(({ task }) => task === title))
    .toMatchObject([{ action: 'approve', comment: '注意安全' }])
  await page.getByRole('button', { name: '返回' }).click()
  await expect(rowOf(page, title)).toHaveCount(0)
  await expectCount(page, before - 1)
  await page.getByRole('tab', { name: '已办' }).click()
  const done = page.getByRole('list', { name: '已办' }).getByRole('link')
  await expect(done.filter({ hasText: title })).toBeVisible()
})

test('a decision rejected by its system returns the task with the reason', async ({
  page,
  request,
}) => {
  const title = '江若彤的请假申请'
  answer = { accepted: false, reason: '学生已销假' }
  await putTasks(request, title)
  await openList(page)
  await rowOf(page, title).click()
  await page.getByRole('toolbar', { name: '办理' }).getByRole('button', { name: '不同意' }).click()
  const dialog = page.getByRole('dialog', { name: '不同意', exact: true })
  await expect(dialog.getByRole('button', { name: '不同意', exact: true })).toBeDisabled()
  await dialog.getByLabel('意见（必填）').fill('本周有考试')
  await dialog.getByRole('button', { name: '不同意', exact: true }).click()
  await expect(page.getByText('已提交：不同意')).toBeVisible()
  await expect(async () => {
    await page.reload()
    await expect(page.getByText('“不同意”没有办理成功：学生已销假')).toBeVisible({ timeout: 1000 })
  }).toPass()
  await expect(page.getByRole('toolbar', { name: '办理' })).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await openList(page)
  await expect(rowOf(page, title)).toContainText('办理失败')
  answer = { accepted: true }
  await call(request, taskIntegration.remove.path, { keys: [title] })
})

test('a batch handles several tasks and reports failures', async ({ page, request }) => {
  const titles = ['甲的请假', '乙的请假', '丙的请假']
  await putTasks(request, ...titles)
  await openList(page)
  await page.getByRole('link', { name: '批量办理' }).click()
  for (const name of titles) await page.getByRole('checkbox', { name }).check()
  const bar = page.getByRole('toolbar', { name: '办理' })
  await expect(bar).toContainText('已选 3 项')
  expect(await axeViolations(page)).toEqual([])
  await call(request, taskIntegration.remove.path, { keys: ['乙的请假'] })
  await bar.getByRole('button', { name: '同意', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '同意 3 项' })
  await dialog.getByRole('button', { name: '同意', exact: true }).click()
  await expect(page.getByText('已办理 2 项，1 项未成功，原因见各项')).toBeVisible()
  await expect
    .poll(() => received.flatMap(({ task }) => (titles.includes(task) ? task : [])).sort())
    .toEqual(['丙的请假', '甲的请假'].sort())
  await expect(page.getByRole('checkbox', { name: '甲的请假' })).toHaveCount(0)
  await page.getByRole('button', { name: '全选' }).click()
  await expect(page.getByRole('checkbox', { checked: false })).toHaveCount(0)
  await page.getByRole('button', { name: '取消全选' }).click()
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0)
  await expect(bar).toHaveCount(0)
})

test('a task is grouped, snoozed, returned and found by search', async ({
  page,
  request,
  baseURL,
}) => {
  const title = '戊的请假'
  const group = `请假${Date.now()}`
  await putTasks(request, title)
  await openList(page)
  await rowOf(page, title).click()
  const menu = () => page.getByRole('button', { name: '更多', exact: true })
  await menu().click()
  await page.getByRole('button', { name: '放入分组' }).click()
  const sheet = page.getByRole('dialog', { name: '放入分组' })
  await sheet.getByLabel('新分组的名称').fill(group)
  expect(await axeViolations(page)).toEqual([])
  await sheet.getByRole('button', { name: '新建并放入' }).click()
  await expect(sheet).toHaveCount(0)
  await openList(page)
  await page.getByRole('combobox', { name: '分组' }).selectOption({ label: `${group}（1）` })
  const list = page.getByRole('list', { name: '待办' })
  await expect(list.getByRole('link')).toHaveCount(1)
  expect(await axeViolations(page)).toEqual([])
  const before = await countTodos(request, baseURL)

  await list.getByRole('link').click()
  await menu().click()
  await page.getByRole('button', { name: '稍后处理' }).click()
  await page.getByRole('button', { name: /^明天早上/ }).click()
  await expect(page.getByText(/再提醒$/).first()).toBeVisible()
  await openList(page)
  await expect(rowOf(page, title)).toHaveCount(0)
  await expectCount(page, before - 1)
  await page.getByRole('combobox', { name: '筛选' }).selectOption('snoozed')
  await rowOf(page, title).click()
  await menu().click()
  await page.getByRole('button', { name: '放回待办' }).click()
  await expect(page.getByText('已放回待办')).toBeVisible()
  await openList(page)
  await page.getByRole('button', { name: '搜索待办' }).click()
  await page.getByRole('searchbox').fill('戊的')
  await expect(list.getByRole('link')).toHaveCount(1)
  await page.getByRole('searchbox').fill('没有这样的')
  await expect(page.getByText('没有符合条件的待办')).toBeVisible()
  await page.getByRole('button', { name: '查看全部' }).click()
  await expect(rowOf(page, title)).toBeVisible()
  await page.getByRole('button', { name: `更多操作：${title}` }).click()
  expect(await axeViolations(page)).toEqual([])
  await page
    .getByRole('dialog', { name: title })
    .getByRole('button', { name: '同意', exact: true })
    .click()
  const dialog = page.getByRole('dialog', { name: '同意', exact: true })
  await dialog.getByRole('button', { name: '同意', exact: true }).click()
  await expect(rowOf(page, title)).toHaveCount(0)
  await expect.poll(() => received.some(({ task }) => task === title)).toBe(true)
})
