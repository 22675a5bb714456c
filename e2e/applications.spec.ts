import { applicationForms } from '@atrium/contract/work/applications.operator'
import { tasks } from '@atrium/contract/work/tasks'
import type { Page } from '@playwright/test'
import { axeViolations } from './axe.ts'
import { createMembers, openAs } from './members.ts'
import { idToken } from './session.ts'
import { expect, test } from './test.ts'

// Separate accounts: applications and decisions change counts and messages.
test.describe.configure({ mode: 'serial' })
const people = { applier: '申一鸣', head: '沈仲言', deputy: '戴立行', registrar: '任闻达' }

test.beforeAll(async ({ baseURL, playwright }) => {
  const url = baseURL ?? ''
  await createMembers(url, people)
  const request = await playwright.request.newContext({ baseURL: url })
  const headers = { 'x-id-token': await idToken(url, 'admin') }
  const forms = await (await request.get(applicationForms.list.path, { headers })).json()
  const leave = forms.data.find(({ code }: { code: string }) => code === 'leave')
  const { code: _, version: __, running: ___, waiting: ____, ...fields } = leave
  const named = (target: string) => [{ kind: 'account', target, above: 0, inOrganization: false }]
  const [first, second] = fields.steps
  const answer = await request.put(applicationForms.put.path.replace('{code}', 'sabbatical'), {
    headers,
    data: {
      ...fields,
      name: '进修',
      nameEn: 'Study leave',
      audience: [{ effect: 'include', kind: 'organization', target: 'MA' }],
      title: '进修：{days} 天',
      steps: [
        { ...first, approvers: named('head') },
        { ...second, approvers: named('registrar'), when: [] },
      ],
      managers: ['head', 'registrar'],
    },
  })
  expect(answer.ok(), await answer.text()).toBe(true)
  await request.dispose()
})

const inbox = '/pages/msgCenterTab/newtask/newtask?isactive=1'
const title = '进修：12 天'
const approve = async (page: Page, comment: string) => {
  await page.getByRole('toolbar').getByRole('button', { name: '同意', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill(comment)
  await dialog.getByRole('button', { name: '同意', exact: true }).click()
  await expect(dialog).toBeHidden()
}

test('an application is submitted and approved by a delegate and a second approver', async ({
  browser,
  baseURL,
}) => {
  const url = baseURL ?? ''
  const applier = await openAs(browser, url, 'applier', inbox)
  await applier.getByRole('link', { name: '发起申请' }).click()
  await applier.getByRole('link', { name: /^进修(?!：)/ }).click()
  await applier.getByRole('button', { name: '提交申请' }).click()
  await expect(applier.getByText('必填').first()).toBeVisible()
  await applier.getByLabel('假别').selectOption({ label: '公假' })
  await applier.getByLabel('开始日期').fill('2026-12-01')
  await applier.getByLabel('结束日期').fill('2026-12-12')
  await applier.getByLabel('天数').fill('12')
  await applier.getByLabel('事由').fill('赴外校访学')
  await applier.getByLabel('代课或代班人').fill('戴立')
  await applier.getByRole('button', { name: /戴立行/ }).click()
  await expect(applier.getByText('草稿已保存')).toBeVisible()
  expect(await axeViolations(applier)).toEqual([])

  // The draft is available on another device.
  await applier.goto('/msgCenter/pages/task/applications')
  await applier.getByRole('link', { name: title }).click()
  await expect(applier.getByLabel('事由')).toHaveValue('赴外校访学')
  await expect(applier.getByText('戴立行')).toBeVisible()
  // A change that could not be saved is saved later, and is there when the draft is opened again within the app.
  let saves = 0
  await applier.route(/\/applications\/\d+$/, (route) =>
    route.request().method() !== 'GET' && saves++ === 0 ? route.abort() : route.fallback(),
  )
  await applier.getByLabel('事由').fill('赴外校访学一学期')
  await expect(applier.getByText('草稿已保存')).toBeVisible()
  expect(saves).toBe(2)
  await applier.goBack()
  await applier.getByRole('link', { name: title }).click()
  await expect(applier.getByLabel('事由')).toHaveValue('赴外校访学一学期')
  await applier.getByRole('button', { name: '提交申请' }).click()
  await expect(applier.getByRole('heading', { name: title })).toBeVisible()

  const head = await openAs(browser, url, 'head', inbox)
  await expect(head.getByRole('link', { name: title })).toBeVisible()
  await head.getByRole('link', { name: '待办委托' }).click()
  await head.getByRole('button', { name: '新建委托' }).click()
  await head.getByLabel('结束').fill(await head.getByLabel('开始').inputValue())
  await head.getByLabel('代办人').fill('戴立')
  await head.getByRole('button', { name: /戴立行/ }).click()
  await head.getByRole('button', { name: '开始委托' }).click()
  await expect(head.getByText('进行中')).toBeVisible()
  expect(await axeViolations(head)).toEqual([])

  const deputy = await openAs(browser, url, 'deputy', inbox)
  await expect(deputy.getByText(`代${people.head}办理`)).toBeVisible()
  await deputy.getByRole('link', { name: title }).click()
  await expect(deputy.getByText('代课或代班人')).toBeVisible()
  await approve(deputy, '代为同意')
  await expect(deputy.getByText(`${people.deputy} 代 ${people.head}`)).toBeVisible()

  await head.goto(inbox)
  await expect(head.getByText('待办都处理完了')).toBeVisible()
  await head.goto('/msgCenter/pages/task/delegations')
  await head.getByRole('button', { name: '已代办 1 项' }).click()
  await expect(head.getByRole('link', { name: title })).toBeVisible()

  const registrar = await openAs(browser, url, 'registrar', inbox)
  await registrar.getByRole('link', { name: title }).click()
  await approve(registrar, '已备案')
  // It is sent once it can no longer be taken back.
  await expect(registrar.getByText('已备案')).toBeVisible()
  await applier.reload()
  await expect(applier.getByText('已办结').or(applier.getByText('已完成')).first()).toBeVisible()
  const counts = await applier.request.get(tasks.counts.path, {
    headers: { 'x-id-token': await idToken(url, 'applier') },
  })
  expect((await counts.json()).data).toMatchObject({ myTodo: 0, myRequest: 1, myDraft: 0 })
})

test('an application is returned with a comment, changed, resubmitted and withdrawn', async ({
  browser,
  baseURL,
}) => {
  const url = baseURL ?? ''
  const form = '/msgCenter/pages/task/apply?code=sabbatical'
  const applier = await openAs(browser, url, 'applier', form)
  await applier.getByLabel('假别').selectOption({ label: '事假' })
  await applier.getByLabel('开始日期').fill('2026-12-20')
  await applier.getByLabel('结束日期').fill('2026-12-21')
  await applier.getByLabel('天数').fill('2')
  await expect(applier.getByLabel('事由')).toHaveAccessibleDescription(/写明去向/)
  await applier.getByLabel('事由').fill('家事')
  await applier.getByRole('button', { name: '提交申请' }).click()
  await expect(applier.getByRole('heading', { name: '进修：2 天' })).toBeVisible()
  const detail = applier.url()

  const head = await openAs(browser, url, 'head', detail)
  await head.getByRole('toolbar').getByRole('button', { name: '更多' }).click()
  await head.getByRole('button', { name: '退回' }).click()
  await head.getByRole('dialog').getByRole('textbox').fill('请写明去向')
  await head.getByRole('dialog').getByRole('button', { name: '退回' }).click()
  await expect(head.getByRole('dialog')).toBeHidden()
  // It is sent once it can no longer be taken back.
  await expect(head.getByText('请写明去向')).toBeVisible()

  await applier.goto(detail)
  await applier.getByRole('link', { name: '修改申请' }).click()
  await expect(applier.getByText('被退回：请写明去向')).toBeVisible()
  await applier.getByLabel('事由').fill('家事，往返杭州')
  await applier.getByRole('button', { name: '重新提交' }).click()
  await expect(applier.getByRole('heading', { name: '进修：2 天' })).toBeVisible()
  await applier.getByRole('button', { name: '撤回申请' }).click()
  await applier.getByRole('dialog').getByRole('button', { name: '撤回申请' }).click()
  await expect(applier.getByText('已撤回')).toBeVisible()
  await head.goto(inbox)
  await expect(head.getByText('待办都处理完了')).toBeVisible()
})
