import { axeViolations } from './axe.ts'
import { expect, test } from './test.ts'

test.use({ as: 'student' })

test('a question is answered from the knowledge base, and its source opens', async ({ page }) => {
  await page.goto('/pages/tab/index/index')
  await page.getByRole('link', { name: '智能客服' }).click()
  await expect(page.getByRole('heading', { name: '智能客服' })).toBeVisible()
  await page.getByRole('textbox', { name: '输入你的问题' }).fill('密码忘了怎么办')
  await page.getByRole('button', { name: '发送' }).click()
  const log = page.getByRole('log')
  await expect(log).toContainText('在登录页点“忘记密码”')
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: '没帮助' }).click()
  await expect(log).toContainText('已记录')
  await log.getByRole('list', { name: '出处' }).getByRole('link').click()
  await expect(page.getByRole('heading', { name: '忘记密码了怎么办？' })).toBeVisible()
  await page.getByRole('button', { name: '返回' }).click()
  await page.getByRole('link', { name: '对话记录' }).click()
  await expect(page.getByRole('link', { name: /密码忘了怎么办/ })).toBeVisible()
})
