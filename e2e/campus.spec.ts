import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { serviceOpening } from '@atrium/contract/services/service-opening'
import { services } from '@atrium/contract/services/services'
import type { Browser, Page } from '@playwright/test'
import { freePort } from '../apps/server/test/free-port.ts'
import { axeViolations } from './axe.ts'
import { startServer } from './server.ts'
import { idToken, password, type Username } from './session.ts'
import { expect, test } from './test.ts'

test.describe.configure({ mode: 'serial' })

let server: Awaited<ReturnType<typeof startServer>>
let campus: ChildProcess
let origin: string
test.beforeAll(async () => {
  const port = await freePort()
  const secret = randomBytes(32).toString('hex')
  origin = `http://localhost:${port}`
  server = await startServer([], { ATRIUM_CAMPUS_URL: origin, ATRIUM_CAMPUS_SECRET: secret })
  campus = spawn(process.execPath, ['examples/campus/main.ts'], {
    cwd: path.dirname(import.meta.dirname),
    env: {
      ...process.env,
      PORTAL: server.url,
      ORIGIN: origin,
      PORT: String(port),
      CAMPUS_SECRET: secret,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise((resolve) => campus.stdout?.once('data', resolve))
})
test.afterAll(async () => {
  campus.kill()
  await server.stop()
})

/** Somebody on a device of their own, who has signed in on the portal's own page. */
async function signedIn(browser: Browser, username: Username, locale = 'zh-CN'): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url, locale })
  const page = await context.newPage()
  await page.goto('/pages/login/pwdLogin')
  await page.getByRole('textbox').first().fill(username)
  await page.locator('input[type=password]').fill(password)
  await page.getByRole('button', { name: /^(登录|Sign in)$/ }).click()
  await expect(page).toHaveURL(/pages\/tab\/index/)
  return page
}

/** Opens a service as members do. @returns what is in the portal's frame */
async function open(page: Page, name: string) {
  await page.goto(`/pages/service/search?${new URLSearchParams({ keyWords: name })}`)
  await page.getByRole('button', { name: new RegExp(`^${name} `) }).click()
  return page.frameLocator('iframe')
}

test('a mark is looked at, doubted, and raised after the teacher said so in the portal', async ({
  browser,
}) => {
  const student = await signedIn(browser, 'student')
  const grades = await open(student, '成绩查询')
  const course = grades.getByRole('listitem').filter({ hasText: '数据结构' })
  const mark = Number(await course.locator('b').textContent())
  expect(mark).toBeGreaterThan(60)
  await expect(grades.getByRole('link', { name: '返回门户' })).toHaveCount(0)
  await course.getByRole('button', { name: /申请复核/ }).click()
  await expect(grades.getByRole('status')).toContainText('已提交')
  await expect(course).toContainText('审批中')

  const teacher = await signedIn(browser, 'teacher')
  await teacher.goto('/pages/msgCenterTab/newtask/newtask?isactive=1')
  await teacher
    .getByRole('list', { name: '待办' })
    .getByRole('link')
    .filter({ hasText: '成绩复核：数据结构' })
    .click()
  await teacher
    .getByRole('toolbar', { name: '办理' })
    .getByRole('button', { name: '同意', exact: true })
    .click()
  await teacher
    .getByRole('dialog', { name: '同意', exact: true })
    .getByRole('button', { name: '同意', exact: true })
    .click()
  await expect(async () => {
    await student.goto(`${origin}/jw/score`)
    const row = student.getByRole('listitem').filter({ hasText: '数据结构' })
    await expect(row).toContainText('已同意', { timeout: 1000 })
    await expect(row.locator('b')).toHaveText(String(mark + 4))
  }).toPass()
  await expect(student.getByRole('link', { name: '返回门户' })).toBeVisible()
  expect(await axeViolations(student)).toEqual([])
})

test('leave is asked for and refused with a reason', async ({ browser }) => {
  const student = await signedIn(browser, 'student')
  const leave = await open(student, '请假')
  await leave.getByLabel('从').fill('2026-12-03')
  await leave.getByLabel('到').fill('2026-12-01')
  await leave.getByLabel('事由').fill('参加程序设计竞赛')
  await leave.getByRole('button', { name: '提交' }).click()
  await expect(leave.getByRole('status')).toContainText('结束日期不能早于开始日期')
  await leave.getByLabel('从').fill('2026-12-01')
  await leave.getByLabel('到').fill('2026-12-03')
  await leave.getByLabel('事由').fill('参加程序设计竞赛')
  await leave.getByRole('button', { name: '提交' }).click()
  await expect(leave.getByRole('status')).toContainText('已提交')
  await expect(leave.getByRole('listitem')).toContainText('审批中')
})

test('what there are few of is booked once, and given back', async ({ browser }) => {
  const [student, teacher] = [
    await signedIn(browser, 'student'),
    await signedIn(browser, 'teacher', 'en'),
  ]
  await student.goto(`${origin}/lib/rooms`)
  const room = student.getByRole('listitem').first()
  await room.getByRole('button', { name: /预约/ }).click()
  await expect(room).toContainText('已预约')
  await teacher.goto(`${origin}/lib/rooms`)
  const same = teacher.getByRole('listitem').first()
  await expect(same).toContainText('full')
  await expect(same.getByRole('button')).toHaveCount(0)
  await room.getByRole('button', { name: /取消/ }).click()
  await teacher.reload()
  await expect(same.getByRole('button', { name: /Book/ })).toBeVisible()
  expect(await axeViolations(teacher)).toEqual([])
})

test('every service of every account leads to a page that answers', async ({ request }) => {
  const led = new Map<string, string>()
  for (const username of ['student', 'teacher', 'staff', 'admin'] as const) {
    const headers = { 'x-id-token': await idToken(server.url, username) }
    const listed = await request.get(`${server.url}${services.list.path}?pageSize=100`, { headers })
    const { data } = (await listed.json()) as {
      data: { list: { serviceId: string; serviceName: string }[] }
    }
    expect(data.list.length).toBeGreaterThan(40)
    for (const { serviceId, serviceName } of data.list) {
      const opened = await request.post(`${server.url}${serviceOpening.launch.path}`, {
        headers,
        data: { serviceId, closeGuide: true },
      })
      const { data: launch } = (await opened.json()) as { data: { how: string; url: string } }
      if (launch.url.startsWith('http')) led.set(launch.url, serviceName)
    }
  }
  expect(led.size).toBeGreaterThan(60)
  const broken: string[] = []
  for (const [url, name] of led) {
    const answer = await request.get(url, { maxRedirects: 0 }).catch(() => undefined)
    if (!answer || ![200, 303].includes(answer.status())) broken.push(`${name} ${url}`)
  }
  expect(broken).toEqual([])
})

test('a form of another site does nothing', async ({ browser, request }) => {
  const student = await signedIn(browser, 'student')
  await student.goto(`${origin}/bus/home`)
  const key = (await student.context().cookies(origin)).find(
    ({ name }) => name === 'campus-session',
  )
  const answer = await request.post(`${origin}/bus/home`, {
    headers: { cookie: `campus-session=${key?.value}`, origin: 'http://evil.example' },
    form: { book: 'x' },
  })
  expect(answer.status()).toBe(403)
  expect((await request.post(`${origin}/told`, { data: {} })).status()).toBe(401)
})
