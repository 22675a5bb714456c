import { appointments } from '@atrium/contract/work/appointments'
import { schedule } from '@atrium/contract/work/schedule'
import type { Browser } from '@playwright/test'
import { type Dovecot, hasDovecot, startDovecot } from '../apps/server/test/dovecot.ts'
import { openMailServer } from '../apps/server/test/open-mail-server.ts'
import { startInstitution } from './institution.ts'
import { openAs } from './members.ts'
import { idToken } from './session.ts'
import { expect, test } from './test.ts'

// A separate institution: a demo sends no mail.
test.describe.configure({ mode: 'serial', timeout: 240_000 })
let ownServer: Awaited<ReturnType<typeof startInstitution>>
let mail: Awaited<ReturnType<typeof openMailServer>>
let dovecot: Dovecot | undefined
const outsider = 'ada@example.org'
const title = '读书会'
// A Tuesday and the following one, far enough ahead not to be past.
const first = '2031-03-04'
const second = '2031-03-11'

const identities = 'code,name,nameEn,label\nT01,教师,Teacher,teacher\n'
const organisations = 'code,name,nameEn,parentCode\nJL,江岚大学,Jianglan University,\n'
const members = `username,name,identityType,organizationCode
convener,顾清和,T01,JL
reader,容若水,T01,JL
listener,温叙言,T01,JL
`

test.beforeAll(async () => {
  // biome-ignore lint/suspicious/noSkippedTests: runs wherever dovecot can be installed
  test.skip(!hasDovecot, 'needs dovecot for the replies')
  mail = await openMailServer()
  dovecot = await startDovecot(['calendar'])
  ownServer = await startInstitution(
    [mail.port, dovecot.port],
    {
      ATRIUM_MAIL_URL: `smtp://127.0.0.1:${mail.port}?tls=off`,
      ATRIUM_MAIL_FROM: 'Jianglan <portal@jianglan.example>',
      ATRIUM_MAIL_REPLIES: `imap://calendar:own-calendar@127.0.0.1:${dovecot.port}/INBOX?tls=off`,
      ATRIUM_MAIL_REPLY_TO: 'calendar+{token}@jianglan.example',
    },
    { identities, organisations, members },
    ['convener', 'reader', 'listener'],
  )
})
test.afterAll(async () => {
  await ownServer?.stop()
  await mail?.close()
  await dovecot?.stop()
})

/** Opens the seminar as a member sees it, on its first day. */
async function openSeminar(browser: Browser, username: string) {
  const { url } = ownServer
  const headers = { 'x-id-token': await idToken(url, username) }
  const answer = await fetch(`${url}${schedule.events.path}?from=${first}&to=${first}`, { headers })
  const { data } = (await answer.json()) as { data: { list: { id: string; startsAt: string }[] } }
  const search = new URLSearchParams({
    id: data.list[0]?.id ?? '',
    startsAt: data.list[0]?.startsAt ?? '',
  })
  return openAs(browser, url, username, `/pages/shedul/shedulDetail?${search}`)
}

test('a weekly seminar invites two members and somebody outside', async ({ browser }) => {
  const page = await openAs(browser, ownServer.url, 'convener', '/pages/tab/schedule/schedule')
  await page.getByRole('link', { name: '新建日程' }).click()
  await page.getByLabel('快速填写').fill(`${first} 下午两点到四点 教三305 ${title}`)
  await expect(page.getByLabel('标题')).toHaveValue(title)
  await page.getByRole('link', { name: /^重复/ }).click()
  await page.getByRole('radio', { name: '每周二', exact: true }).check()
  await page.getByRole('button', { name: '完成' }).click()
  await page.getByRole('link', { name: /^参与人/ }).click()
  for (const name of ['容若水', '温叙言']) {
    await page.getByRole('searchbox').fill(name)
    await page.getByRole('checkbox', { name: new RegExp(name) }).check()
  }
  await page.getByText('添加校外人员').click()
  await expect(page.getByText('邀请会发到对方邮箱，对方可直接在日历里答复。')).toBeVisible()
  await page.getByLabel('邮箱').fill(outsider)
  await page.getByLabel('姓名（选填）').fill('Ada')
  await page.getByRole('button', { name: '添加', exact: true }).click()
  await page.getByRole('button', { name: '完成' }).click()
  await page.getByRole('button', { name: '加入日程' }).click()
  await expect(page.getByRole('heading', { name: title, level: 2 })).toBeVisible()
  await expect(page.getByRole('list', { name: '参与人' })).toContainText('Ada')
  await expect.poll(() => mail.mails.length, { timeout: 60_000 }).toBe(1)
  expect(mail.mails[0]?.to).toEqual([outsider])
})

test('two members and the outsider answer, and the organiser sees all three', async ({
  browser,
}) => {
  const reader = await openSeminar(browser, 'reader')
  await reader.getByRole('button', { name: '参加', exact: true }).click()
  await expect(reader.getByRole('button', { name: '参加', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  const listener = await openSeminar(browser, 'listener')
  await listener.getByRole('button', { name: '待定' }).click()
  await expect(listener.getByRole('button', { name: '待定' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  dovecot?.deliver('calendar', replyTo(mail.mails[0]?.text ?? ''))
  const convener = await openSeminar(browser, 'convener')
  // The mailbox is read every minute.
  await expect(async () => {
    await convener.reload()
    await expect(convener.getByText('参加 2 · 待定 1')).toBeVisible({ timeout: 3000 })
  }).toPass({ timeout: 150_000 })
  await expect(convener.getByText('“With pleasure”')).toBeVisible()
})

test('one occurrence is moved, and the outsider gets the new time', async ({ browser }) => {
  const sent = mail.mails.length
  const page = await openSeminar(browser, 'convener')
  await page.getByRole('button', { name: '修改' }).click()
  await page.getByLabel('开始日期').fill('2031-03-05')
  await page.getByRole('button', { name: '保存' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: '仅这一次' }).check()
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(dialog).toBeHidden()
  await expect.poll(() => mail.mails.length, { timeout: 60_000 }).toBe(sent + 1)
  const moved = calendarOf(mail.mails[sent]?.text ?? '')
  expect(moved).toMatch(/^RECURRENCE-ID[^:]*:20310304T/m)
  expect(moved).toMatch(/^DTSTART[^:]*:20310305T/m)
  const headers = { 'x-id-token': await idToken(ownServer.url, 'reader') }
  const address = `${ownServer.url}${schedule.events.path}?from=${first}&to=${second}`
  const { data } = await (await fetch(address, { headers })).json()
  expect(data.list.map(({ startsAt }: { startsAt: string }) => startsAt.slice(0, 16))).toEqual([
    '2031-03-05T06:00',
    '2031-03-11T06:00',
  ])
})

test('a reminder arrives as a message before the event', async ({ browser }) => {
  const { url } = ownServer
  const startsLocal = Temporal.Now.plainDateTimeISO('Asia/Shanghai')
    .add({ minutes: 16 })
    .toString({ smallestUnit: 'minute' })
  const answer = await fetch(`${url}${appointments.create.path}`, {
    method: 'POST',
    headers: { 'x-id-token': await idToken(url, 'reader'), 'content-type': 'application/json' },
    body: JSON.stringify({
      uid: `reminder-${Date.now()}`,
      title: '交读书笔记',
      startsLocal,
      minutes: 30,
      timeZone: 'Asia/Shanghai',
      reminders: [15],
    }),
  })
  expect(answer.status).toBe(200)
  const page = await openAs(browser, url, 'reader', '/pages/msgCenterTab/newtask/newtask')
  await expect(async () => {
    await page.reload()
    await expect(page.getByText(/交读书笔记/).first()).toBeVisible({ timeout: 15_000 })
  }).toPass({ timeout: 150_000 })
})

/** The reply of a calendar program that accepts. */
function replyTo(invitation: string) {
  const calendar = calendarOf(invitation)
  const value = (name: string) => new RegExp(`^${name}[^:\\r\\n]*:(.+)$`, 'm').exec(calendar)?.[1]
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Elsewhere//EN',
    'METHOD:REPLY',
    'BEGIN:VEVENT',
    `UID:${value('UID')}`,
    `ORGANIZER:${value('ORGANIZER')}`,
    `ATTENDEE;PARTSTAT=ACCEPTED:mailto:${outsider}`,
    `DTSTAMP:${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')}`,
    `SEQUENCE:${value('SEQUENCE')}`,
    'COMMENT:With pleasure',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ]
  return [
    `From: ${outsider}`,
    'To: calendar@jianglan.example',
    'Subject: Accepted',
    'MIME-Version: 1.0',
    'Content-Type: text/calendar; charset=utf-8; method=REPLY',
    '',
    ...lines,
  ].join('\r\n')
}

/** The calendar of a mail, unfolded. */
function calendarOf(text: string) {
  const [, head = '', body = ''] =
    /(Content-Type: text\/calendar[\s\S]*?)\r\n\r\n([\s\S]*?)(?:\r\n--|$)/i.exec(text) ?? []
  const decoded = /base64/i.test(head)
    ? Buffer.from(body, 'base64').toString('utf8')
    : body
        .replaceAll(/=\r\n/g, '')
        .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
          String.fromCharCode(Number.parseInt(hex, 16)),
        )
  return decoded.replaceAll(/\r\n[ \t]/g, '').replaceAll('\r', '')
}
