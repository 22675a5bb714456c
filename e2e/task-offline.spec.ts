import type { Page } from '@playwright/test'
import { axeViolations } from './axe.ts'
import { openApproval, openList, rowOf, signedIn, taskDesk } from './task-inbox.ts'
import { expect, test } from './test.ts'

// One system on one port, shared by these tests.
test.describe.configure({ mode: 'default', timeout: 180_000 })

const { start, stop, putTasks, receivedFor } = taskDesk('offline', { labs: '野外站系统' })

test.beforeAll(async ({ playwright, baseURL }) => {
  const request = await playwright.request.newContext({ baseURL: baseURL ?? '' })
  await start(request, baseURL ?? '', Number(process.env.ATRIUM_E2E_OFFLINE_TASKS_PORT))
  await request.dispose()
})
test.afterAll(stop)

async function approve(page: Page, title: string) {
  const dialog = await openApproval(page, title)
  await dialog.getByLabel('意见（选填）').fill('离线也批')
  await dialog.getByRole('button', { name: '同意', exact: true }).click()
}

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow', prefetching: true })

  test('a decision is stored, shown in every tab and sent once', async ({
    page,
    context,
    request,
    baseURL,
  }) => {
    const username = await signedIn(page, baseURL)
    const keys = ['一', '二', '三'].map((name) => `${name} ${username}`)
    await putTasks(
      request,
      'labs',
      username,
      keys.map((key) => ({ key, title: key })),
    )
    const [first = '', second = '', third = ''] = keys
    await openList(page)
    await page.evaluate(() => navigator.serviceWorker.ready)
    await page.reload()
    await expect(rowOf(page, first)).toBeVisible()
    const other = await context.newPage()
    await openList(other)
    await expect(rowOf(other, first)).toBeVisible()
    // Opening the dialog once caches what it needs offline.
    await openApproval(page, first)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await context.setOffline(true)
    await approve(page, first)
    await expect(page.getByText(/联网后自动提交/).first()).toBeVisible()
    for (const tab of [page, other]) await expect(rowOf(tab, first)).toContainText('待发送')
    expect(await axeViolations(page)).toEqual([])
    await approve(page, second)
    await expect(rowOf(other, second)).toContainText('待发送')
    await approve(page, third)
    await expect(rowOf(other, third)).toContainText('待发送')
    // Taken back in the other tab: it is never sent.
    const notes = other.getByRole('list', { name: '待提交的操作' })
    await notes
      .getByRole('listitem')
      .filter({ hasText: second })
      .getByRole('button', { name: '撤销' })
      .click()
    await expect(rowOf(page, second)).not.toContainText('待发送')

    // Its system refuses one by the time it is sent.
    await putTasks(request, 'labs', username, [{ key: third, title: third, status: 'finish' }])
    await page.reload()
    await expect(page.getByRole('list', { name: '待提交的操作' })).toContainText(first)
    await context.setOffline(false)
    await expect.poll(() => receivedFor(first).length).toBe(1)
    await expect(rowOf(other, first)).toHaveCount(0)
    const refused = notes.getByRole('listitem').filter({ hasText: third })
    await expect(refused).toContainText('没有提交成功')
    await refused.getByRole('button', { name: '知道了' }).click()
    await expect(notes).toHaveCount(0)
    expect(receivedFor(first)).toMatchObject([{ comment: '离线也批' }])
    expect([receivedFor(second), receivedFor(third)]).toEqual([[], []])
  })

  test('stored decisions are deleted with the session', async ({
    page,
    context,
    request,
    baseURL,
  }) => {
    const username = await signedIn(page, baseURL)
    const key = `四 ${username}`
    await putTasks(request, 'labs', username, [{ key, title: key }])
    await openList(page)
    await page.evaluate(() => navigator.serviceWorker.ready)
    await page.reload()
    await expect(rowOf(page, key)).toBeVisible()
    // Opening the dialog once caches what it needs offline.
    await openApproval(page, key)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    const other = await context.newPage()
    await other.goto('/pages/about/about')
    await context.setOffline(true)
    await approve(page, key)
    await expect(rowOf(page, key)).toContainText('待发送')
    const kept = () =>
      other.evaluate(() => Object.keys(localStorage).filter((one) => one.startsWith('waiting:')))
    expect(await kept()).toHaveLength(1)
    await other.evaluate(() => localStorage.removeItem('idToken'))
    await expect.poll(kept).toEqual([])
    await context.setOffline(false)
    // Longer than pending actions are held back.
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(receivedFor(key)).toEqual([])
  })
})
