import { axeViolations } from './axe.ts'
import { storedSession } from './session.ts'
import { expect, test } from './test.ts'

test.use({ as: 'student' })

test('a question is answered from the knowledge base with a link to the source', async ({
  page,
}) => {
  await page.goto('/pages/tab/index/index')
  await page.getByRole('link', { name: '智能客服' }).click()
  await expect(page.getByRole('heading', { name: '智能客服' })).toBeVisible()
  await page.getByRole('textbox', { name: '输入你的问题' }).fill('密码忘了怎么办')
  await page.getByRole('button', { name: '发送' }).click()
  const log = page.getByRole('log')
  await expect(log).toContainText('在登录页点“忘记密码”')
  await page.getByRole('button', { name: '没帮助' }).click()
  await expect(log).toContainText('已记录')
  expect(await axeViolations(page)).toEqual([])
  await log.getByRole('list', { name: '出处' }).getByRole('link').click()
  await expect(page.getByRole('heading', { name: '忘记密码了怎么办？' })).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: '返回' }).click()
  // The conversation is still there, and nothing is asked again.
  await expect(log).toContainText('在登录页点“忘记密码”')
  await expect(log.getByText('密码忘了怎么办', { exact: true })).toHaveCount(1)
  await page.getByRole('link', { name: '对话记录' }).click()
  await expect(page.getByRole('link', { name: /密码忘了怎么办/ }).first()).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
})

test('an unknown question is handed to a desk, and the reply arrives as a message', async ({
  page,
  browser,
  baseURL,
}) => {
  const question = `量子纠缠第 ${Math.random().toString(36).slice(2, 8)} 问`
  await page.goto(`/pages/robot/robot?${new URLSearchParams({ question })}`)
  const log = page.getByRole('log')
  await expect(log).toContainText('还不知道答案')
  await page.getByRole('button', { name: '转人工' }).click()
  await page.getByRole('button', { name: '信息化服务台' }).click()
  await expect(page.getByText('正在等待人工客服')).toBeVisible()
  await page.reload()
  await expect(log.getByText(question, { exact: true })).toHaveCount(1)
  expect(await axeViolations(page)).toEqual([])
  // The member leaves; the reply below is sent once they count as offline.
  await page.goto('about:blank')
  const left = Date.now()

  const agent = await browser.newContext({
    storageState: await storedSession(baseURL ?? '', 'staff', { language: 'zh' }),
    ...(baseURL && { baseURL }),
  })
  const desk = await agent.newPage()
  await desk.goto('/pages/robot/robot')
  await desk.getByRole('link', { name: /服务台/ }).click()
  await desk.getByRole('link', { name: new RegExp(question) }).click()
  await expect(desk.getByRole('log')).toContainText('还不知道答案')
  await desk.getByRole('button', { name: '接待' }).click()
  await desk.getByRole('button', { name: '常用回复' }).click()
  await desk.getByRole('button', { name: '到现场办理' }).click()
  await expect(desk.getByLabel('回复', { exact: true })).toHaveValue(/一楼服务台/)
  expect(await axeViolations(desk)).toEqual([])
  // A member counts as present for twenty seconds after the last poll.
  await desk.waitForTimeout(Math.max(0, left + 21_000 - Date.now()))
  await desk.getByRole('button', { name: '发送' }).click()
  await expect(desk.getByRole('log')).toContainText('一楼服务台')

  await page.goto('/pagesA/message/entry')
  await page
    .getByRole('link', { name: new RegExp(`人工客服回复了：${question}`) })
    .first()
    .click()
  await expect(page.getByText(/一楼服务台/).first()).toBeVisible()

  await page.goto('/pages/robot/dialogs')
  await page.getByRole('link', { name: new RegExp(question) }).click()
  await expect(log).toContainText('一楼服务台')
  await desk.getByRole('button', { name: '结束' }).click()
  await page.getByRole('group', { name: '评价人工服务' }).locator('label').last().click()
  await expect(page.getByRole('img', { name: '评价人工服务 5 星' })).toBeVisible()
  await agent.close()
})

test('the assistant answers without a model and says that none is enabled', async ({ page }) => {
  await page.goto('/pages/robot/AI')
  await expect(page.getByText('AI 模型未启用')).toBeVisible()
  await page.getByRole('textbox', { name: '输入你的问题' }).fill('校园网能连几台设备')
  await page.getByRole('textbox', { name: '输入你的问题' }).press('Enter')
  await expect(page.getByRole('log')).toContainText('最多同时在线 5 台')
  expect(await axeViolations(page)).toEqual([])
})
