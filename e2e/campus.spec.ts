import { serviceOpening } from '@atrium/contract/services/service-opening'
import { services } from '@atrium/contract/services/services'
import { axeViolations } from './axe.ts'
import { openService, signedIn, startCampus } from './campus.ts'
import { idToken } from './session.ts'
import { expect, test } from './test.ts'

test.describe.configure({ mode: 'serial' })

let campus: Awaited<ReturnType<typeof startCampus>>
let origin: string
let url: string
test.beforeAll(async () => {
  test.setTimeout(240_000)
  campus = await startCampus()
  ;({ origin, url } = campus)
})
test.afterAll(() => campus?.stop())

test('a grade review approved by the teacher in the portal raises the grade', async ({
  browser,
}) => {
  const student = await signedIn(browser, url, 'student')
  const grades = await openService(student, '成绩查询')
  const course = grades.getByRole('listitem').filter({ hasText: '数据结构' })
  const mark = Number(await course.locator('b').textContent())
  expect(mark).toBeGreaterThan(60)
  await expect(grades.getByRole('link', { name: '返回门户' })).toHaveCount(0)
  await course.getByRole('button', { name: /申请复核/ }).click()
  await expect(grades.getByRole('status')).toContainText('已提交')
  await expect(course).toContainText('审批中')

  const teacher = await signedIn(browser, url, 'teacher')
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

test('a leave request with invalid dates is rejected, a valid one is submitted', async ({
  browser,
}) => {
  const student = await signedIn(browser, url, 'student')
  const leave = await openService(student, '请假')
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

test('a booked room is unavailable to others until the booking is cancelled', async ({
  browser,
}) => {
  const [student, teacher] = [
    await signedIn(browser, url, 'student'),
    await signedIn(browser, url, 'teacher', 'en'),
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

test('every service of every account opens a page that responds', async ({ request }) => {
  const led = new Map<string, string>()
  for (const username of ['student', 'teacher', 'staff', 'admin'] as const) {
    const headers = { 'x-id-token': await idToken(url, username) }
    const listed = await request.get(`${url}${services.list.path}?pageSize=100`, { headers })
    const { data } = (await listed.json()) as {
      data: { list: { serviceId: string; serviceName: string }[] }
    }
    expect(data.list.length).toBeGreaterThan(40)
    for (const { serviceId, serviceName } of data.list) {
      const opened = await request.post(`${url}${serviceOpening.launch.path}`, {
        headers,
        data: { serviceId, closeGuide: true },
      })
      const { data: launch } = (await opened.json()) as { data: { how: string; url: string } }
      if (launch.url.startsWith('http')) led.set(launch.url, serviceName)
    }
  }
  expect(led.size).toBeGreaterThan(60)
  const broken: string[] = []
  for (const [address, name] of led) {
    const answer = await request.get(address, { maxRedirects: 0 }).catch(() => undefined)
    if (!answer || ![200, 303].includes(answer.status())) broken.push(`${name} ${address}`)
  }
  expect(broken).toEqual([])
})

test('a form post from another site is rejected', async ({ browser, request }) => {
  const student = await signedIn(browser, url, 'student')
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

test('topping up, blocking and restoring a card is shown in the portal at once', async ({
  browser,
}) => {
  const student = await signedIn(browser, url, 'student')
  const card = await openService(student, '一卡通')
  const figure = card.locator('.figure')
  const before = Number((await figure.textContent())?.replace('¥', ''))
  await card.getByRole('button', { name: /¥50/ }).click()
  await expect(card.getByRole('status')).toContainText('充值到账')
  await expect(figure).toHaveText(`¥${(before + 50).toFixed(2)}`)
  await student.goto('/pages/myInfo/eCard')
  await expect(student.getByText(`¥${(before + 50).toFixed(2)}`)).toBeVisible()

  await student.goto(`${origin}/card/home`)
  await student.getByRole('button', { name: /挂失/ }).click()
  await expect(student.getByRole('status')).toContainText('已挂失')
  expect(await axeViolations(student)).toEqual([])
  await student.goto('/pages/myInfo/eCard')
  await expect(student.getByText('已挂失')).toBeVisible()
  await student.goto('/pagesA/message/entry')
  await expect(student.getByText('一卡通已挂失')).toBeVisible()

  await student.goto(`${origin}/card/home`)
  await student.getByRole('button', { name: /恢复使用/ }).click()
  await student.goto('/pages/myInfo/eCard')
  await expect(student.getByText('正常')).toBeVisible()
  await student.getByRole('button', { name: '冻结一卡通' }).click()
  await student.getByRole('dialog').getByRole('button', { name: '冻结一卡通' }).click()
  await expect(student.getByText('已冻结').first()).toBeVisible()
  await student.goto(`${origin}/card/home`)
  await expect(student.getByText('已冻结')).toBeVisible()
  await student.getByRole('button', { name: /恢复使用/ }).click()
})

test('the dormitory page shows the room and accepts repair requests and visitors', async ({
  browser,
}) => {
  const student = await signedIn(browser, url, 'student')
  await student.goto(`${origin}/dorm/home`)
  await expect(student.getByText('梅园 3 栋 512').first()).toBeVisible()
  await student.getByLabel('哪里坏了').fill('淋浴没有热水')
  await student.getByRole('button', { name: '提交' }).click()
  const row = student.getByRole('listitem').filter({ hasText: '淋浴没有热水' })
  await expect(row).toContainText('已派单')
  await student.getByLabel('访客姓名').fill('林父')
  await student.getByLabel('来访日期').fill('2099-12-01')
  await student.getByRole('button', { name: '登记' }).click()
  await expect(student.getByRole('listitem').filter({ hasText: '林父' })).toBeVisible()
  expect(await axeViolations(student)).toEqual([])
})

test('the card system rejects requests without the portal’s credentials', async ({ request }) => {
  expect((await request.get(`${origin}/api/card?person=2023010001`)).status()).toBe(401)
  expect(
    (await request.post(`${origin}/api/card/freeze`, { data: { number: '1' } })).status(),
  ).toBe(401)
})
