import { account } from '@atrium/contract/identity/account'
import { messages } from '@atrium/contract/work/messages'
import { notifications } from '@atrium/contract/work/notifications'
import { sendingOperations } from '@atrium/contract/work/sending.operator'
import { sendingLedger } from '@atrium/contract/work/sending-ledger'
import type { APIRequestContext, Browser } from '@playwright/test'
import { openMailServer } from '../apps/server/test/open-mail-server.ts'
import { startInstitution } from './institution.ts'
import { withoutBackgroundRequests } from './quiet.ts'
import { idToken, password, storedSession, type Username } from './session.ts'
import { expect, test } from './test.ts'

// A separate institution, set up as by operators: a demo sends no mail, and the rules for sending are global.
test.describe.configure({ mode: 'serial', timeout: 420_000 })
let ownServer: Awaited<ReturnType<typeof startInstitution>>
let mail: Awaited<ReturnType<typeof openMailServer>>
const refused = 'nobody@partner.example'
const lin = 'lin@jianglan.example'

const identities =
  'code,name,nameEn,label\nS01,本科生,Undergraduate,student\nT01,教师,Teacher,teacher\n'
const organisations =
  'code,name,nameEn,parentCode\nJL,江岚大学,Jianglan University,\nCS,计算机学院,School of Computing,JL\n'
const members = `username,name,identityType,organizationCode,email
admin,赵启航,T01,JL,
teacher,周明远,T01,CS,
student,林知夏,S01,CS,old@jianglan.example
`

test.beforeAll(async () => {
  test.setTimeout(240_000)
  mail = await openMailServer({ refuse: { [refused]: 550 } })
  ownServer = await startInstitution(
    [mail.port],
    {
      ATRIUM_MAIL_URL: `smtp://127.0.0.1:${mail.port}?tls=off`,
      ATRIUM_MAIL_FROM: 'Jianglan <portal@jianglan.example>',
    },
    { identities, organisations, members },
    ['admin', 'teacher', 'student'],
  )
  await ownServer.operate(['user', 'grant', 'admin', 'send', 'messages'])
  await ownServer.operate(['user', 'grant', 'teacher', 'sender', '--organization', 'CS'])
})
test.afterAll(async () => {
  await ownServer?.stop()
  await mail?.close()
})

type Call = { method: string; path: string }

/** Calls the other server as this member. */
async function callApi(
  request: APIRequestContext,
  as: Username,
  { method, path }: Call,
  data: object = {},
) {
  const answer = await request.fetch(`${ownServer.url}${path}`, {
    method,
    headers: { 'x-id-token': await idToken(ownServer.url, as) },
    ...(method === 'GET' ? { params: data as Record<string, string> } : { data }),
  })
  expect(answer.ok(), await answer.text()).toBe(true)
  return (await answer.json()).data
}

const codeIn = (text: string) => {
  const body = text.slice(text.indexOf('\r\n\r\n'))
  const plain = /base64/i.test(text) ? Buffer.from(body, 'base64').toString() : body
  return /\b(\d{6})\b/.exec(plain)?.[1]
}

/** Mail reminders are sent to verified addresses only. */
async function verifyEmail(request: APIRequestContext, as: Username) {
  const of = ({ method, path }: Call) => ({ method, path: path.replace('{kind}', 'email') })
  const code = async () => {
    await expect.poll(() => mail.mails.length).toBe(1)
    return codeIn(mail.mails.pop()?.text ?? '')
  }
  await callApi(request, as, account.confirm, { password })
  await callApi(request, as, of(account.sendOldCode))
  await callApi(request, as, of(account.proveContact), { code: await code() })
  await callApi(request, as, of(account.sendNewCode), { contact: lin })
  await callApi(request, as, of(account.changeContact), { contact: lin, code: await code() })
}

/** A separate phone on the other server. */
async function phoneOf(browser: Browser, as: Username) {
  const context = await browser.newContext({
    baseURL: ownServer.url,
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    viewport: { width: 390, height: 844 },
    storageState: await storedSession(ownServer.url, as),
  })
  await withoutBackgroundRequests(context)
  return context.newPage()
}

test('a message is drafted, approved, sent at its time, reminded of and withdrawn', async ({
  browser,
  request,
}) => {
  await verifyEmail(request, 'student')
  // Otherwise a mail reminder would wait for the end of quiet hours.
  const attention = await callApi(request, 'student', notifications.attention)
  const anyTime = { ...attention, quietFrom: null, quietUntil: null }
  await callApi(request, 'student', notifications.setAttention, anyTime)
  const policy = await callApi(request, 'admin', sendingOperations.policy)
  await callApi(request, 'admin', sendingOperations.setPolicy, { ...policy, approveAbove: 1 })

  // Started on one device, continued on another.
  const first = await phoneOf(browser, 'teacher')
  await first.goto('/msgCenter/pages/onlineSend/index')
  await first.getByLabel('标题', { exact: true }).fill('答辩安排')
  await first.getByLabel('正文', { exact: true }).fill('请确认你的答辩时间。')
  await expect(first.getByText('草稿已保存，可在其他设备继续写')).toBeVisible()
  await first.context().close()
  const page = await phoneOf(browser, 'teacher')
  await page.goto('/msgCenter/pages/onlineSend/index')
  await expect(page.getByLabel('标题', { exact: true })).toHaveValue('答辩安排')

  await page.getByRole('link', { name: /选择接收人/ }).click()
  await page.getByRole('link', { name: '添加人员' }).click()
  await page.getByLabel(/每行一个学号/).fill('student\n查无此人')
  await page.getByRole('button', { name: '添加', exact: true }).click()
  await expect(page.getByText('1 行没有找到或有重名，请改为学号或工号')).toBeVisible()
  await page.getByRole('button', { name: /^完成/ }).click()
  await page.getByRole('link', { name: '添加外部联系人' }).click()
  await page.getByLabel('邮箱或手机号').fill(refused)
  await page.getByRole('button', { name: '添加' }).click()
  await page.getByRole('button', { name: '完成（已选 2）' }).click()
  await page.getByRole('switch', { name: '请接收人确认已读' }).check()
  const at = Temporal.Now.zonedDateTimeISO('Asia/Shanghai').add({ seconds: 100 })
  await page.getByRole('switch', { name: '定时发送' }).check()
  await page.getByLabel('日期').fill(at.toPlainDate().toString())
  await page.getByLabel('时间', { exact: true }).fill(at.toPlainTime().toString().slice(0, 5))
  await page.getByRole('button', { name: '定时发送', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('将发送给 2 个接收人')
  await expect(dialog).toContainText('接收人超过 1 人，需另一位审批人同意后才会发出。')
  await dialog.getByRole('button', { name: '提交审批' }).click()
  await expect(page.getByText('正在等待审批，通过后发出。')).toBeVisible()

  const approver = await phoneOf(browser, 'admin')
  await approver.goto('/msgCenter/pages/onlineSend/index?part=approve')
  await approver.getByRole('link', { name: /答辩安排/ }).click()
  await expect(approver.getByText('请确认你的答辩时间。')).toBeVisible()
  await approver.getByRole('button', { name: '同意发送' }).click()
  await expect(approver.getByText('已同意')).toBeVisible()
  await approver.context().close()

  const sendId = new URL(page.url()).searchParams.get('sendId') ?? ''
  const result = () => callApi(request, 'teacher', sendingLedger.result, { sendId })
  /** The figures always add up to the initial total. */
  const total = async () => {
    const { inbox, channels, status } = await result()
    expect(inbox.waiting + inbox.delivered + inbox.withdrawn + inbox.failed).toBe(inbox.total)
    for (const one of channels)
      expect(one.waiting + one.queued + one.sent + one.failed + one.skipped).toBe(one.total)
    return status
  }
  expect(await total()).toBe('scheduled')
  expect(Date.now()).toBeLessThan(at.epochMilliseconds)
  await expect.poll(total, { timeout: 200_000 }).toBe('sent')
  expect(Date.now()).toBeGreaterThanOrEqual(
    at.round({ smallestUnit: 'minute', roundingMode: 'floor' }).epochMilliseconds,
  )

  // The external contact's mail server refuses it, and the author sees the reason.
  await expect
    .poll(async () => (await result()).channels, { timeout: 60_000 })
    .toMatchObject([{ channel: 'mail', total: 1, failed: 1 }])
  await page.reload()
  await expect(page.getByRole('list', { name: '接收人' })).toContainText(refused)
  await expect(page.getByText('已送达未读')).toBeVisible()

  const before = mail.mails.length
  await page.getByRole('button', { name: '提醒未完成的人' }).click()
  await page.getByRole('dialog').getByRole('checkbox', { name: '邮件' }).check()
  await page.getByRole('dialog').getByRole('button', { name: '提醒未完成的人' }).click()
  await expect(page.getByText(/通过邮件提醒了 1 人/)).toBeVisible({ timeout: 60_000 })
  const told = () => mail.mails.slice(before).filter(({ to }) => to.includes(lin)).length
  await expect.poll(told, { timeout: 60_000 }).toBe(1)
  await total()

  const [message] = (await callApi(request, 'student', messages.list, { keyWords: '答辩安排' }))
    .list
  await callApi(request, 'student', messages.confirm, { id: message.id })
  await expect.poll(async () => (await result()).inbox.confirmed).toBe(1)
  await page.getByRole('button', { name: '撤回' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '撤回' }).click()
  await expect(page.getByText('撤回前已有 1 个接收人收到或已读。')).toBeVisible()
  expect(await total()).toBe('withdrawn')
  const left = await callApi(request, 'student', messages.list, { keyWords: '答辩安排' })
  expect(left.list).toEqual([])
  await page.context().close()
})
