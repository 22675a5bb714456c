import { messages } from '@atrium/contract/work/messages'
import type { Page } from '@playwright/test'
import { axeViolations } from './axe.ts'
import { idToken } from './session.ts'
import { expect, test } from './test.ts'

// The staff account: other tests answer these requests as the student.
test.use({ as: 'staff' })
test.describe.configure({ mode: 'serial' })

const question = '周五晚的系统维护，哪个时段对你影响更小？'
const row = (page: Page) => page.getByRole('listitem').filter({ hasText: question })

test('a message is answered in its list row, and the answer is undone', async ({ page }) => {
  await page.goto('/pagesA/message/entry')
  await row(page).getByRole('button', { name: '23:00–24:00', exact: false }).click()
  await expect(row(page)).toContainText('已选“23:00–24:00”')
  expect(await axeViolations(page)).toEqual([])
  const undo = row(page).getByRole('button', { name: `撤销：23:00–24:00，${question}` })
  await expect(undo).toBeFocused()
  await undo.click()
  await expect(row(page).getByRole('button', { name: '22:00–23:00' })).toBeVisible()
})

test('an answer can be undone for as long as a keyboard is on its undo', async ({ page }) => {
  await page.clock.install()
  await page.goto('/pagesA/message/entry')
  await row(page).getByRole('button', { name: '22:00–23:00' }).press('Enter')
  const undo = row(page).getByRole('button', { name: /^撤销/ })
  await expect(undo).toBeFocused()
  await page.clock.runFor(30_000)
  await expect(undo).toBeFocused()
  await undo.press('Enter')
  await expect(row(page).getByRole('button', { name: '22:00–23:00' })).toBeVisible()
})

test('an answer is sent when the member leaves the page before the undo time is over', async ({
  page,
  request,
  baseURL,
}) => {
  await page.goto('/pagesA/message/entry')
  await row(page).getByRole('button', { name: '22:00–23:00' }).click()
  await expect(row(page)).toContainText('已选“22:00–23:00”')
  await page.goto('about:blank')
  const headers = { 'x-id-token': await idToken(baseURL ?? '', 'staff') }
  const requested = await request.get(`${messages.list.path}?pageSize=50`, { headers })
  const { data } = await requested.json()
  const { id } = data.list.find((one: { title: string }) => one.title === question)
  await expect
    .poll(async () => {
      const read = await request.get(`${messages.read.path}?id=${id}`, { headers })
      return (await read.json()).data.answer
    })
    .toBe('22')
})

test('a to-do is approved and undone on the home page', async ({ page }) => {
  await page.goto('/pages/tab/index/clean')
  const card = page.locator('section').filter({ hasText: '课程容量调整：文学概论' })
  await card.getByRole('button', { name: '同意：课程容量调整：文学概论' }).click()
  await expect(page.getByText('已选“同意”').first()).toBeVisible()
  await expect(card.getByRole('button', { name: '撤销' })).toBeFocused()
  await card.getByRole('button', { name: '撤销' }).click()
  await expect(card.getByRole('button', { name: '同意：课程容量调整：文学概论' })).toBeVisible()
})
