import { expect, test } from './test.ts'

const newtask = '/pages/msgCenterTab/newtask/newtask'

test('a visitor sees what the tab is for', async ({ page }) => {
  await page.goto(newtask)
  await expect(page.getByRole('heading', { name: '消息', level: 1 })).toBeVisible()
  await expect(page.getByText('登录后查看你的消息与待办')).toBeVisible()
  await expect(page.getByRole('button', { name: '登录' })).toBeVisible()
})

test.describe('a member', () => {
  test.use({ as: 'teacher' })
  test.describe.configure({ mode: 'serial' })

  test('reads a message, and the counts follow at once', async ({ page }) => {
    await page.goto(newtask)
    const half = page.getByRole('tab', { name: /^消息/ })
    await expect(half).toHaveText(/消息 \d+/)
    const before = Number(((await half.textContent()) ?? '').replace(/\D/g, ''))
    const badge = page.getByRole('navigation').getByRole('link', { name: '消息' })
    await expect(badge).toContainText(`${before} 条未读`)

    await page
      .getByRole('listitem')
      .filter({ hasText: '条未读' })
      .filter({ hasNot: page.getByRole('img', { name: '已静音' }) })
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

  test('marks all as read, after being asked', async ({ page }) => {
    await page.goto(newtask)
    await page.getByRole('button', { name: '全部已读' }).click()
    const dialog = page.getByRole('dialog', { name: '全部标为已读？' })
    await expect(dialog).toContainText('不能撤销')
    await dialog.getByRole('button', { name: '取消' }).click()
    await expect(dialog).toBeHidden()
    await page.getByRole('button', { name: '全部已读' }).click()
    await dialog.getByRole('button', { name: '全部已读' }).click()
    await expect(page.getByRole('status').filter({ hasText: '标为已读' })).toBeVisible()
    await expect(page.getByRole('tab', { name: '消息', exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: '全部已读' })).toBeHidden()
  })
})
