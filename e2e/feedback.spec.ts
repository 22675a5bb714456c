import { readFile } from 'node:fs/promises'
import { feedback } from '@atrium/contract/member/feedback'
import { axeViolations } from './axe.ts'
import { openAs } from './members.ts'
import { idToken } from './session.ts'
import { expect, test } from './test.ts'

test.use({ as: 'teacher' })

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('feedback with a photo is sent once despite a retry, answered, rated and followed up', async ({
  page,
  baseURL,
}) => {
  const content = `理科楼路灯不亮 ${Math.random().toString(36).slice(2, 8)}`
  await page.goto('/pages/tab/my/my')
  await page.getByRole('link', { name: '意见反馈' }).click()
  await expect(page.getByRole('heading', { name: '大家问过的' })).toBeVisible()
  await expect(page.getByText('4 人提过')).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('link', { name: /宿舍与校园/ }).click()
  await expect(page.getByRole('radio', { name: '宿舍与校园' })).toBeChecked()
  await page.getByRole('button', { name: '提交' }).click()
  await expect(page.getByText('请写下内容')).toBeVisible()
  await page.getByLabel('反馈内容').fill(content)
  await page.getByLabel('添加图片').setInputFiles([
    { name: 'a.png', mimeType: 'image/png', buffer: png },
    { name: 'large.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(11 * 1024 * 1024) },
  ])
  // Refused in the browser, before uploading.
  await expect(page.getByText('图片不能超过 10 MB')).toBeVisible()
  await page.getByRole('button', { name: /large\.jpg/ }).click()
  await expect(page.getByText('已上传')).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  // The draft survives leaving the page.
  await page.getByRole('button', { name: '返回' }).click()
  await page.getByRole('button', { name: '写反馈' }).click()
  await expect(page.getByLabel('反馈内容')).toHaveValue(content)
  await expect(page.getByRole('img', { name: '图片 1' })).toBeVisible()

  await page.getByRole('button', { name: '选择地点' }).click()
  await page.getByRole('button', { name: /理科楼/ }).click()
  await page.getByRole('button', { name: '使用这个地点' }).click()
  await expect(page.getByLabel('地点')).toHaveValue('理科楼')
  await expect(page.getByRole('button', { name: '换一个地点' })).toBeVisible()

  // The answer to the first attempt is lost: the retry does not create a second one.
  let lost = false
  await page.route('**/portal-api/v1/feedback', async (route) => {
    if (route.request().method() !== 'POST' || lost) return route.continue()
    lost = true
    await route.fetch()
    return route.abort()
  })
  const send = page.getByRole('button', { name: '提交' })
  await send.click()
  await expect.poll(() => lost).toBe(true)
  await send.click()
  await expect(page.getByRole('heading', { name: '反馈详情' })).toBeVisible()
  await expect(page.getByText('待处理')).toBeVisible()
  await expect(page.getByRole('link', { name: '查看位置' })).toHaveAttribute(
    'href',
    /open-location\?latitude=29\.4/,
  )
  expect(await axeViolations(page)).toEqual([])

  const headers = { 'x-id-token': await idToken(baseURL ?? '', 'admin') }
  const inbox = `/console-api/v1/feedback?${new URLSearchParams({ keyWords: content })}`
  const { data } = await (await page.request.get(inbox, { headers })).json()
  expect(data.list).toHaveLength(1)
  const [{ id, revision }] = data.list
  await page.request.post(`/console-api/v1/feedback/${id}/answer`, {
    headers,
    data: { revision, text: '已修复，谢谢反馈。' },
  })
  await page.goto('/pages/myInfo/suggestRecord')
  await page.getByRole('link', { name: new RegExp(content) }).click()
  await expect(page.getByText('已修复，谢谢反馈。')).toBeVisible()
  await page.getByRole('radio', { name: /5/ }).click({ force: true })
  await expect(page.getByText('评价已保存')).toBeVisible()
  await page.getByLabel('问题还没解决？继续补充').fill('还有一盏。')
  await page.getByRole('button', { name: '发送' }).click()
  await expect(page.getByText('还有一盏。', { exact: true }).first()).toBeVisible()
  await expect(page.getByText('待处理')).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
})

test.describe('in English', () => {
  test.use({ locale: 'en-US', as: 'staff' })

  test('feedback on a service can be withdrawn', async ({ page }) => {
    await page.goto('/pages/myInfo/suggestNew?serviceId=35')
    await expect(page.getByText(/About the service/)).toBeVisible()
    await page.getByRole('radio', { name: 'A service' }).check({ force: true })
    await page.getByLabel('Your feedback').fill('Never mind.')
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(page.getByText('Waiting')).toBeVisible()
    await page.getByRole('button', { name: 'Withdraw' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
    await expect(page.getByText('Withdrawn')).toBeVisible()
  })
})

test('operators search, merge, answer, publish, export and reassign feedback', async ({
  browser,
  baseURL,
}) => {
  const url = String(baseURL)
  const mark = Math.random().toString(36).slice(2, 8)
  const [first, second] = [`图书馆空调太冷 ${mark} 一`, `图书馆空调太冷 ${mark} 二`]
  for (const content of [first, second]) {
    const sent = await fetch(`${url}${feedback.send.path}`, {
      method: 'POST',
      headers: {
        'x-id-token': await idToken(url, 'teacher'),
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        key: `${mark}-${content.length}-${content.at(-1)}`,
        content,
        mayPublish: true,
      }),
    })
    expect(sent.status).toBe(200)
  }
  const page = await openAs(browser, url, 'admin', '/pages/secondWork/secondWorkIndex')
  await expect(page.getByRole('heading', { name: /^待处理反馈/ })).toBeVisible()
  await page.getByRole('link', { name: '查看全部：待处理反馈' }).click()
  const label = '搜索收到的反馈'
  await page.getByRole('searchbox', { name: label }).fill(mark)
  await page.getByRole('searchbox', { name: label }).press('Enter')
  // The tab's figure matches its list.
  await expect(page.getByRole('tab', { name: '待处理 2' })).toBeVisible()
  await expect(page.getByRole('link', { name: new RegExp(mark) })).toHaveCount(2)
  expect(await axeViolations(page)).toEqual([])

  await page.getByRole('link', { name: new RegExp(second) }).click()
  await page.getByRole('button', { name: '合并到另一条' }).click()
  const same = page.getByRole('dialog')
  await same.getByRole('searchbox').fill(mark)
  await same.getByRole('searchbox').press('Enter')
  await same.getByRole('button', { name: new RegExp(first) }).click()
  await expect(page.getByText('已合并到另一条反馈')).toBeVisible()
  await page.getByRole('link', { name: '查看那一条' }).click()
  await expect(page.getByRole('heading', { name: '合并进来的反馈' })).toBeVisible()
  await page.getByRole('button', { name: '发送答复' }).click()
  await expect(page.getByText('请先写下答复')).toBeVisible()
  await page.getByLabel('答复反馈人').fill('已调高两度。')
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: '发送答复' }).click()
  await expect(page.getByText('已调高两度。')).toBeVisible()
  await page.getByRole('button', { name: '公开问题和答复' }).click()
  await expect(page.getByRole('button', { name: '撤下公开内容' })).toBeVisible()

  await page.goto(`/pages/secondWork/feedback?state=answered&keyWords=${mark}`)
  await expect(page.getByRole('tab', { name: '已答复 1' })).toBeVisible()
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: '导出为表格' }).click()
  const written = await readFile(await (await file).path(), 'utf8')
  expect(written).toContain(first)
  expect(written).not.toContain(second)

  await page.getByRole('link', { name: new RegExp(first) }).click()
  await page.getByRole('button', { name: '转给其他部门' }).click()
  const hand = page.getByRole('dialog')
  await hand.getByRole('button', { name: '转给其他部门' }).click()
  await expect(hand.getByText('请选择接收的部门')).toBeVisible()
  await hand.getByLabel('转给哪个部门').selectOption({ label: '信息化中心' })
  await expect(hand).toHaveCSS('opacity', '1')
  expect(await axeViolations(page)).toEqual([])
  await hand.getByRole('button', { name: '转给其他部门' }).click()
  await expect(page.getByRole('link', { name: new RegExp(first) })).toContainText('信息化中心')
})

test('operators manage feedback types, which members can choose while enabled', async ({
  browser,
  baseURL,
}) => {
  const url = String(baseURL)
  const name = `校车 ${Math.random().toString(36).slice(2, 6)}`
  const page = await openAs(browser, url, 'admin', '/pages/secondWork/feedback')
  await page.getByRole('link', { name: '反馈类型' }).click()
  const kinds = page.getByRole('list', { name: '反馈类型' }).getByRole('listitem')
  await expect(kinds.first()).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: '新建类型' }).click()
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('请填写类型名称')).toBeVisible()
  await page.getByLabel('名称', { exact: true }).fill(name)
  await page.getByLabel('英文名称').fill('Shuttle bus')
  await page.getByLabel('由哪个部门答复').selectOption({ label: '信息化中心' })
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: '保存' }).click()
  await expect(kinds.last()).toContainText(name)
  await expect(kinds.last()).toContainText('信息化中心')
  await page.getByRole('button', { name: `上移“${name}”` }).click()
  await expect(kinds.last()).not.toContainText(name)

  const member = await openAs(browser, url, 'teacher', '/pages/myInfo/suggestNew')
  await expect(member.getByRole('radio', { name })).toBeAttached()
  await page.getByRole('link', { name: new RegExp(name) }).click()
  await page.getByRole('switch', { name: /启用/ }).click()
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('类型已保存')).toBeVisible()
  await member.reload()
  await expect(member.getByRole('radio').first()).toBeAttached()
  await expect(member.getByRole('radio', { name })).toHaveCount(0)
  await page.getByRole('button', { name: '删除类型' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '删除类型' }).click()
  await expect(page.getByText('类型已删除')).toBeVisible()
  await expect(page.getByRole('link', { name: new RegExp(name) })).toHaveCount(0)
})
