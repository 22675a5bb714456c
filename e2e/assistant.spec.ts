import { events, openModelServer, words } from '../apps/server/test/model-server.ts'
import { axeViolations } from './axe.ts'
import { startServer } from './server.ts'
import { idToken, storedSession } from './session.ts'
import { expect, test } from './test.ts'

test('the assistant answers with sources and executes an action once it is confirmed', async ({
  browser,
}) => {
  const model = await openModelServer()
  const server = await startServer([Number(new URL(model.address).port)])
  const { url } = server
  try {
    const headers = {
      'x-id-token': await idToken(url, 'admin'),
      'content-type': 'application/json',
    }
    const set = await fetch(`${url}/console-api/v1/assistant`, {
      method: 'PUT',
      headers,
      body: JSON.stringify({
        address: model.address,
        model: 'small-1',
        enabled: true,
        sends: ['question', 'guide', 'service', 'place', 'news'],
        dailyPerMember: 50,
        dailyTokens: 100_000,
        seconds: 10,
      }),
    })
    expect(set.status).toBe(200)
    const context = await browser.newContext({
      storageState: await storedSession(url, 'student', { language: 'zh' }),
      baseURL: url,
    })
    const page = await context.newPage()
    const log = page.getByRole('log')
    await page.goto('/pages/robot/AI')
    await expect(page.getByText('今天还可以问 50 次')).toBeVisible()
    await expect(page.getByText('姓名和号码会隐去')).toBeVisible()

    model.does(words('在登录页用手机号找回[1]。也可以到现场办理[1]。'))
    const box = page.getByRole('textbox', { name: '输入你的问题' })
    await box.fill('忘记密码了怎么办')
    await box.press('Enter')
    await expect(log).toContainText('在登录页用手机号找回。')
    await expect(log).toContainText('由 AI 生成')
    await expect(log.getByRole('list', { name: '出处' }).getByRole('link')).toHaveCount(1)

    const call = { name: 'propose_todo', arguments: '{"title":"还图书馆的三本书"}' }
    model.does(
      events(
        JSON.stringify({ choices: [{ delta: { tool_calls: [{ index: 0, function: call }] } }] }),
        JSON.stringify({ choices: [{ delta: {}, finish_reason: 'tool_calls' }] }),
        '[DONE]',
      ),
    )
    await box.fill('提醒我还书')
    await box.press('Enter')
    await expect(log).toContainText('确认后才会执行')
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: '确认添加待办' }).click()
    await expect(log).toContainText('已完成')
    await page.reload()
    await expect(log).toContainText('已完成')
    await expect(page.getByRole('button', { name: '确认添加待办' })).toHaveCount(0)
    await page.goto('/msgCenter/pages/task/personaltodo')
    await expect(page.getByText('还图书馆的三本书')).toBeVisible()
    await context.close()
  } finally {
    await server.stop()
    await model.close()
  }
})
