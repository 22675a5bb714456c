import { recordedEvents } from './recorded-events.ts'
import { idToken } from './session.ts'
import { expect, test } from './test.ts'

test('a visit is recorded', async ({ page }) => {
  const accepted = recordedEvents(page)
  await page.goto('/')
  await expect.poll(() => accepted, { timeout: 15_000 }).toContain('visitPortal')
})

test('sign-in events name the method and report failures', async ({ page, baseURL }) => {
  const accepted = recordedEvents(page)
  const token = await idToken(String(baseURL), 'staff')
  await page.goto('/pages/login/pwdLogin')
  await page.getByLabel('学号 / 工号').fill('nobody')
  await page.getByRole('textbox', { name: '密码' }).fill('wrong')
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await expect.poll(() => accepted, { timeout: 15_000 }).toContain('accoutLogin failed')
  await page.goto('/?idToken=x.y.z')
  await expect.poll(() => accepted, { timeout: 15_000 }).toContain('tokenLogin failed')
  await page.goto(`/?idToken=${token}`)
  await expect.poll(() => accepted, { timeout: 15_000 }).toContain('tokenLogin')
})

test.describe('signed in', () => {
  test.use({ as: 'teacher' })

  test('events recorded offline are sent when the network is back', async ({ page, context }) => {
    const accepted = recordedEvents(page)
    await page.goto('/pages/tab/my/my')
    await expect.poll(() => accepted, { timeout: 15_000 }).toContain('personalCenter')
    accepted.length = 0
    const waiting = () => page.evaluate(() => localStorage.getItem('eventQueue') ?? '')
    const tabs = page.getByRole('navigation')
    await tabs.getByRole('link', { name: '首页' }).click()
    await context.setOffline(true)
    await tabs.getByRole('link', { name: '我的' }).click()
    await expect.poll(waiting).toContain('personalCenter')
    await context.setOffline(false)
    await expect.poll(() => accepted, { timeout: 15_000 }).toContain('personalCenter')
    await expect.poll(waiting).toBe('')
  })
})
