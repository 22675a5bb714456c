import type { Page } from '@playwright/test'
import { axeViolations } from './axe.ts'
import { password } from './session.ts'
import { swipe } from './swipe.ts'
import { actions, list, openList, rowOf, signedIn, taskDesk } from './task-inbox.ts'
import { expect, test } from './test.ts'

// One system on one port, shared by these tests.
test.describe.configure({ mode: 'default', timeout: 180_000 })

const systems = { contracts: '合同系统', labs: '实验室系统', dorms: '宿舍系统' }
const { start, stop, putTasks, receivedFor } = taskDesk('inbox', systems)

test.beforeAll(async ({ playwright, baseURL }) => {
  const request = await playwright.request.newContext({ baseURL: baseURL ?? '' })
  await start(request, baseURL ?? '', Number(process.env.ATRIUM_E2E_INBOX_PORT))
  await request.dispose()
})
test.afterAll(stop)

const scan = {
  name: 'scan',
  label: '签字页',
  labelEn: 'Signed page',
  kind: 'files',
  accept: ['txt', 'pdf'],
  required: true,
}

const titles = (page: Page) => list(page).locator('.task-line-title').allTextContents()
const tabs = (page: Page) => page.getByRole('tablist', { name: '事项分类' })

/** Simulates an older sign-in: a new session needs no confirmation for ten minutes. */
async function simulateOldSignIn(page: Page) {
  let confirmed = false
  await page.route('**/token/account/confirm', async (route) => {
    const response = await route.fetch()
    confirmed ||= response.ok()
    await route.fulfill({ response })
  })
  await page.route(/\/tasks\/(\d+\/handle|batchHandle)$/, async (route) => {
    if (confirmed) return route.continue()
    const error = { code: 403, error: 'session.confirmation_due', message: '', requestId: '' }
    await route.fulfill({ status: 403, json: { ...error, fields: {} } })
  })
}

test('a task is filtered, swiped and approved with a file after confirming the password', async ({
  page,
  request,
  baseURL,
}) => {
  const username = await signedIn(page, baseURL)
  const contract = `设备采购合同 ${username}`
  const proof = [{ ...actions[0], confirm: true, fields: [scan] }, actions[1]]
  await putTasks(request, 'contracts', username, [
    {
      key: contract,
      title: contract,
      urgent: true,
      dueAt: new Date(Date.now() + 2 * 86_400_000).toISOString(),
      steps: [{ key: 's1', username, name: '签批', actions: proof }],
    },
  ])
  await putTasks(request, 'labs', username, [
    { key: `lab ${username}`, title: '夜间使用实验室', dueAt: new Date().toISOString() },
  ])
  await putTasks(request, 'dorms', username, [{ key: `dorm ${username}`, title: '假期留校申请' }])

  await openList(page)
  await expect.poll(() => titles(page)).toEqual(['夜间使用实验室', contract, '假期留校申请'])
  await expect(tabs(page).getByRole('tab', { name: /^待办/ })).toHaveText('待办 3')
  await page.getByRole('button', { name: '搜索待办' }).click()
  await page.getByRole('searchbox').fill('留校')
  await expect.poll(() => titles(page)).toEqual(['假期留校申请'])
  await page.getByRole('button', { name: '搜索待办' }).click()
  await page.getByRole('button', { name: '来源' }).click()
  const sources = page.getByRole('dialog', { name: '按来源筛选' })
  await sources.getByRole('checkbox', { name: /合同系统/ }).check()
  await sources.getByRole('checkbox', { name: /宿舍系统/ }).check()
  expect(await axeViolations(page)).toEqual([])
  await sources.getByRole('button', { name: '完成' }).click()
  await expect.poll(() => titles(page)).toEqual([contract, '假期留校申请'])

  // A swipe from the screen's edge, or upwards, opens nothing.
  const row = rowOf(page, contract)
  const approve = row.locator('.swipe-action', { hasText: '同意' })
  await swipe(page, row, { dx: 120, x: 8 })
  await swipe(page, row, { dx: -10, dy: -60 })
  await expect(row.locator('.swipe-actions')).toHaveAttribute('inert', '')
  await swipe(page, row, { dx: -160 })
  await expect(row.locator('.swipe-actions')).not.toHaveAttribute('inert')
  expect(await axeViolations(page)).toEqual([])
  const { width = 0, height = 0 } = (await approve.boundingBox()) ?? {}
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
  await simulateOldSignIn(page)
  await approve.click()

  const dialog = page.getByRole('dialog', { name: '同意', exact: true })
  const press = dialog.getByRole('button', { name: '同意', exact: true })
  await dialog.getByLabel('意见（选填）').fill('条款无误')
  await expect(press).toBeDisabled()
  await dialog
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: '签字页.txt', mimeType: 'text/plain', buffer: Buffer.from('已签字') })
  await expect(dialog.getByText('已上传')).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await press.click()
  await expect(page.getByRole('heading', { name: '身份验证', level: 1 })).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await page.getByRole('textbox', { name: '登录密码' }).fill(password)
  await page.getByRole('button', { name: '下一步' }).click()
  await expect(dialog.getByLabel('意见（选填）')).toHaveValue('条款无误')
  await expect(dialog.getByText('签字页.txt')).toBeVisible()
  await press.click()
  await expect(page.getByText('已提交：同意')).toBeVisible()
  await expect(rowOf(page, contract)).toHaveCount(0)
  await expect(tabs(page).getByRole('tab', { name: /^待办/ })).toHaveText('待办 2')
  await expect(
    page.getByRole('navigation', { name: '主导航' }).getByRole('link', { name: /消息/ }),
  ).toContainText('2')
  await expect.poll(() => receivedFor(contract)).toMatchObject([{ comment: '条款无误' }])
  const [{ files }] = receivedFor(contract)
  expect(await (await fetch(files.scan[0].url)).text()).toBe('已签字')

  await page.getByRole('tab', { name: '已办' }).click()
  await page.getByRole('list', { name: '已办' }).getByRole('link').first().click()
  await expect(page.getByRole('list', { name: '“签批”的附件' })).toContainText('签字页.txt')
  expect(await axeViolations(page)).toEqual([])
})

test('personal groups are created, reordered by keyboard and deleted', async ({
  page,
  request,
  baseURL,
}) => {
  const username = await signedIn(page, baseURL)
  const title = `报修回访 ${username}`
  await putTasks(request, 'dorms', username, [{ key: title, title }])
  await openList(page)
  const openGroups = async () => {
    await page.getByRole('button', { name: `更多操作：${title}` }).press('Enter')
    await page
      .getByRole('dialog', { name: title })
      .getByRole('button', { name: '放入分组' })
      .click()
    return page.getByRole('dialog', { name: '放入分组' })
  }
  for (const name of ['学业', '生活', '社团']) {
    const sheet = await openGroups()
    await sheet.getByLabel('新分组的名称').fill(name)
    await sheet.getByRole('button', { name: '新建并放入' }).click()
    await expect(sheet).toHaveCount(0)
  }
  const choice = page.getByRole('combobox', { name: '分组' })
  const names = () => choice.locator('option').allTextContents()
  await expect.poll(names).toEqual(['全部分组', '学业（0）', '生活（0）', '社团（1）'])

  await (await openGroups()).getByRole('button', { name: '调整分组顺序' }).click()
  const arranging = page.getByRole('dialog', { name: '调整分组顺序' })
  await arranging.getByRole('button', { name: '上移“社团”' }).press('Enter')
  await arranging.getByRole('button', { name: '上移“社团”' }).press('Enter')
  await expect(arranging.getByRole('status')).toHaveText('“社团”移到了第 1 位')
  await expect(arranging.getByRole('button', { name: '上移“社团”' })).toBeFocused()
  expect(await axeViolations(page)).toEqual([])
  await arranging.getByRole('button', { name: '完成' }).click()
  await page.keyboard.press('Escape')
  await page.reload()
  await expect.poll(names).toEqual(['全部分组', '社团（1）', '学业（0）', '生活（0）'])

  const sheet = await openGroups()
  await expect(sheet.getByRole('radio', { name: '社团' })).toBeChecked()
  await sheet.getByRole('button', { name: '删除分组：社团' }).click()
  await expect(sheet.getByRole('radio', { name: '社团' })).toHaveCount(0)
  await expect(sheet.getByRole('radio', { name: '不分组' })).toBeChecked()
})

test('a batch that requires the password asks once and keeps the selection', async ({
  page,
  request,
  baseURL,
}) => {
  const username = await signedIn(page, baseURL)
  const steps = [{ key: 's1', username, name: '签批', actions: [{ ...actions[0], confirm: true }] }]
  const keys = ['甲', '乙', '丙'].map((name) => `${name} ${username}`)
  await putTasks(
    request,
    'contracts',
    username,
    keys.map((key) => ({ key, title: key, steps })),
  )
  await simulateOldSignIn(page)
  await page.goto('/msgCenter/pages/task/todoBatch')
  for (const key of keys.slice(0, 2)) await page.getByRole('checkbox', { name: key }).check()
  const bar = page.getByRole('toolbar', { name: '办理' })
  await bar.getByRole('button', { name: '同意' }).click()
  const dialog = page.getByRole('dialog', { name: '同意 2 项' })
  await dialog.getByLabel('意见（选填）').fill('一并同意')
  await dialog.getByRole('button', { name: '同意', exact: true }).click()
  await page.getByRole('textbox', { name: '登录密码' }).fill(password)
  await page.getByRole('button', { name: '下一步' }).click()
  await expect(dialog.getByLabel('意见（选填）')).toHaveValue('一并同意')
  await dialog.getByRole('button', { name: '同意', exact: true }).click()
  await expect(page.getByText('已办理 2 项')).toBeVisible()
  await expect
    .poll(() => keys.map((key) => receivedFor(key).map(({ comment }) => comment)))
    .toEqual([['一并同意'], ['一并同意'], []])
})
