import { newsConsole } from '@atrium/contract/content/editorial.operator'
import { letters } from '@atrium/contract/content/mailbox'
import { operators } from '@atrium/contract/identity/operators.operator'
import { catalogue } from '@atrium/contract/services/service-catalogue.operator'
import { departmentEvents } from '@atrium/contract/work/department-calendars.operator'
import { axeViolations } from './axe.ts'
import { createMembers, openAs } from './members.ts'
import { idToken } from './session.ts'
import { expect, test } from './test.ts'

// One worker: setting the accounts' passwords again would end the sessions of concurrent tests.
test.describe.configure({ mode: 'default' })

// Separate accounts: the permissions granted here would change what others see.
const people = { clerk: '沈司砚', reviser: '陆知行' }
/** the registrar's office, and an unrelated one */
const ownDepartment = 'O03'
const otherDepartment = 'O08'
const index = '/pages/secondWork/secondWorkIndex'

async function call(url: string, username: string, method: string, path: string, data?: object) {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      'x-id-token': await idToken(url, username),
      ...(data && { 'content-type': 'application/json' }),
    },
    ...(data && { body: JSON.stringify(data) }),
  })
  return { status: answer.status, ...((await answer.json()) as { data: never; error?: string }) }
}

test.beforeAll(async ({ baseURL }) => {
  const url = String(baseURL)
  await createMembers(url, people)
  // A retry finds the permissions already granted.
  for (const username of Object.keys(people))
    for (const permission of ['content', 'services', 'messages'])
      await call(url, 'admin', 'POST', operators.grant.path, {
        username,
        permission,
        organization: ownDepartment,
      })
})

test('the first page lists unanswered letters, which are answered and published', async ({
  browser,
  baseURL,
}) => {
  const url = String(baseURL)
  const title = `补考安排 ${Math.random().toString(36).slice(2, 8)}`
  const boxes = await call(url, 'student', 'GET', letters.mailboxes.path)
  const box = (boxes.data as { id: string; name: string }[]).find(({ name }) => name === '教务信箱')
  await call(url, 'student', 'POST', letters.send.path, {
    mailboxId: box?.id,
    title,
    content: '补考什么时候公布？',
    mayPublish: true,
  })
  const page = await openAs(browser, url, 'clerk', '/pages/tab/my/my')
  await page.getByRole('link', { name: '部门工作台' }).click()
  await expect(page.getByRole('heading', { name: /^待答复来信/ })).toBeVisible()
  await expect(page.getByText(title)).toBeVisible()
  expect(await axeViolations(page)).toEqual([])

  await page.getByRole('link', { name: '查看全部：待答复来信' }).click()
  const letter = page.locator('section').filter({ hasText: title })
  await letter.getByRole('button', { name: `写答复：${title}` }).click()
  await letter.getByRole('button', { name: '寄出答复' }).click()
  await expect(letter.getByText('请填写答复')).toBeVisible()
  await letter.getByLabel('答复', { exact: true }).fill('下周三在教务系统公布。')
  expect(await axeViolations(page)).toEqual([])
  await letter.getByRole('button', { name: '寄出答复' }).click()
  await expect(letter).toHaveCount(0)
  await page.getByRole('tab', { name: '已答复' }).click()
  await expect(letter.getByText('下周三在教务系统公布。')).toBeVisible()
  await letter.getByRole('button', { name: '公开', exact: true }).click()
  await expect(letter.getByText('已公开', { exact: true })).toBeVisible()
})

test('a column is created, its article reviewed and published, the column disabled', async ({
  browser,
  baseURL,
}) => {
  const url = String(baseURL)
  const code = `exams-${Math.random().toString(36).slice(2, 8)}`
  const name = `考务 ${code}`
  const page = await openAs(browser, url, 'clerk', '/pages/secondWork/columnSet')
  await page.getByRole('button', { name: '新建栏目' }).click()
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('请填写名称')).toBeVisible()
  await page.getByLabel('中文名称').fill(name)
  await page.getByLabel('英文名称').fill(`Exams ${code}`)
  await page.getByLabel('栏目代码').fill(code)
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByRole('link', { name: new RegExp(name) })).toBeVisible()

  await page.goto('/pages/secondWork/news/news')
  await page.getByRole('button', { name: '写资讯' }).click()
  await page.getByLabel('栏目').selectOption({ label: name })
  await page.getByLabel('中文标题').fill(`期末考试须知 ${code}`)
  await page.getByLabel('摘要').fill('请带学生证。')
  await page.getByRole('textbox', { name: '中文正文' }).fill('提前二十分钟到场。')
  await expect(page).toHaveURL(/[?&]id=\d+/)
  await page.getByRole('button', { name: '提交审核' }).click()
  await expect(page.getByText('你参与了撰写，需要由其他人审核。')).toBeVisible()

  const second = await openAs(browser, url, 'reviser', index)
  await second.getByRole('link', { name: `期末考试须知 ${code}` }).click()
  await second.getByRole('button', { name: '审核通过' }).click()
  await second.getByRole('button', { name: '立即发布' }).click()
  await expect(second.getByText('已发布', { exact: true }).first()).toBeVisible()
  const columns = async () =>
    JSON.stringify(
      await call(url, 'student', 'GET', '/portal-api/api/proxy/cms/api/rest/mobile/v2/columns'),
    )
  expect(await columns()).toContain(name)

  await page.goto('/pages/secondWork/columnSet')
  await page.getByRole('link', { name: new RegExp(name) }).click()
  await expect(page.getByText(people.reviser, { exact: true }).first()).toBeVisible()
  await page.getByRole('switch', { name: '启用' }).click()
  await page.getByRole('button', { name: '保存' }).click()
  await expect.poll(columns).not.toContain(name)
})

test('a service gets maintenance and a guide, and rejects a subpage of another site', async ({
  browser,
  baseURL,
}) => {
  const url = String(baseURL)
  const page = await openAs(browser, url, 'clerk', '/pages/secondWork/service/serviceSet')
  await page.getByRole('searchbox').fill('教室借用')
  await page.getByRole('link', { name: /教室借用/ }).click()
  await page.getByLabel('联系方式').fill('教务处 8899')
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('已保存')).toBeVisible()

  await page.getByRole('tab', { name: '运行与维护' }).click()
  await page.getByRole('button', { name: '预告维护' }).click()
  await page.getByLabel('开始', { exact: true }).fill('2030-01-05T22:00')
  await page.getByLabel('结束', { exact: true }).fill('2030-01-05T21:00')
  await page.getByRole('button', { name: '发布预告' }).click()
  await expect(page.getByText('结束时间要晚于开始时间')).toBeVisible()
  await page.getByLabel('结束', { exact: true }).fill('2030-01-06T02:00')
  const why = `升级 ${Math.random().toString(36).slice(2, 8)}`
  await page.getByLabel('说明', { exact: true }).fill(why)
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: '发布预告' }).click()
  const window = page.getByRole('listitem').filter({ hasText: why })
  await window.getByRole('button', { name: /^取消维护：/ }).click()
  await expect(window).toHaveCount(0)

  await page.getByRole('tab', { name: '子页面' }).click()
  const name = `空教室 ${why}`
  await page.getByRole('button', { name: '添加子页面' }).click()
  await page.getByLabel('名称', { exact: true }).fill(name)
  await page.getByLabel('地址').fill('https://elsewhere.example.org/rooms')
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByLabel('地址')).toHaveAttribute('aria-invalid', 'true')
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: '取消' }).click()

  await page.getByRole('tab', { name: '办事指南' }).click()
  await page.getByRole('button', { name: '写办事指南' }).click()
  await page.getByLabel('简介', { exact: true }).fill('借用教室要提前三天。')
  await page.getByRole('button', { name: '添加步骤' }).click()
  await page.getByLabel('步骤 1：名称').fill('提交申请')
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByRole('button', { name: '删除指南' })).toBeVisible()
  await page.getByRole('button', { name: '删除指南' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '删除指南' }).click()
  await expect(page.getByRole('button', { name: '写办事指南' })).toBeVisible()
})

test('a service is created with a guide and an attachment, enabled and disabled', async ({
  browser,
  baseURL,
}) => {
  const url = String(baseURL)
  const page = await openAs(browser, url, 'clerk', '/pages/secondWork/service/serviceSet')
  const mark = Math.random().toString(36).slice(2, 8)
  await page.getByRole('button', { name: '新增服务' }).click()
  const sheet = page.getByRole('dialog', { name: '新增服务' })
  await sheet.getByRole('button', { name: '创建' }).click()
  await expect(sheet.getByLabel('服务编号')).toHaveAttribute('aria-invalid', 'true')
  await sheet.getByLabel('中文名称').fill(`考场查询 ${mark}`)
  await sheet.getByLabel('服务编号').fill(`exam-${mark}`)
  await sheet.getByLabel('服务地址').fill('javascript:alert(1)')
  await sheet.getByRole('button', { name: '创建' }).click()
  await expect(sheet.getByLabel('服务地址')).toHaveAttribute('aria-invalid', 'true')
  expect(await axeViolations(page)).toEqual([])
  await sheet.getByLabel('服务地址').fill('/pages/tab/schedule/schedule')
  await sheet.getByRole('button', { name: '创建' }).click()
  await expect(sheet).toBeHidden()
  await expect(page.getByLabel('中文名称')).toHaveValue(`考场查询 ${mark}`)

  await page.getByRole('tab', { name: '办事指南' }).click()
  await page.getByRole('button', { name: '写办事指南' }).click()
  await page.getByLabel('简介', { exact: true }).fill('考前三天可以查询考场。')
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({
      name: '考场须知.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('请携带校园卡。'),
    })
  await expect(page.getByLabel('附件 1：名称')).toHaveValue('考场须知.txt')
  await page.getByLabel('附件 1：名称').fill('考场须知')
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByRole('button', { name: '删除指南' })).toBeVisible()
  await page.getByRole('tab', { name: '基本信息' }).click()
  await page.getByRole('button', { name: '启用' }).click()
  await expect(page.getByRole('button', { name: '停用' })).toBeVisible()

  const serviceId = new URL(page.url()).searchParams.get('id') ?? ''
  await page.goto(`/pages/service/newGuide?serviceId=${serviceId}`)
  await expect(page.getByText('考前三天可以查询考场。')).toBeVisible()
  const file = page.getByRole('link', { name: /考场须知/ })
  const answer = await page.request.get(String(await file.getAttribute('href')))
  expect(await answer.text()).toBe('请携带校园卡。')

  await page.goto(`/pages/secondWork/service/serviceSet?id=${serviceId}`)
  await page.getByRole('button', { name: '停用' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '停用' }).click()
  await expect(page.getByRole('button', { name: '启用' })).toBeVisible()
})

test('a calendar is created and an event is published in it, which members see', async ({
  browser,
  baseURL,
}) => {
  const url = String(baseURL)
  const mark = Math.random().toString(36).slice(2, 8)
  const page = await openAs(browser, url, 'clerk', '/pages/secondWork/calendar/calendarSet')
  await page.getByRole('button', { name: '新建日历' }).click()
  await page.getByLabel('中文名称').fill(`考试 ${mark}`)
  await page.getByRole('switch', { name: '直接显示在日程里' }).click()
  await page.getByRole('searchbox', { name: '姓名、学号或工号' }).fill('staff')
  await page.getByRole('button', { name: /staff/ }).first().click()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByRole('link', { name: new RegExp(`考试 ${mark}`) })).toBeVisible()

  await page.goto('/pages/secondWork/calendar/schedule?day=2030-05-14')
  await page.getByRole('button', { name: '新建日程' }).click()
  await page.getByLabel('标题', { exact: true }).fill(`统一监考培训 ${mark}`)
  await page.getByLabel('英文标题').fill(`Invigilators’ briefing ${mark}`)
  await page.getByLabel('日历').selectOption({ label: `考试 ${mark} · 教务处` })
  await page.getByLabel('地点').fill('报告厅')
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: '发布日程' }).click()
  await expect(page.getByRole('heading', { name: `统一监考培训 ${mark}` })).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  const id = new URL(page.url()).searchParams.get('id') ?? ''

  await page.getByRole('button', { name: '修改' }).click()
  await expect(page.getByLabel('英文标题')).toHaveValue(`Invigilators’ briefing ${mark}`)
  await page.getByLabel('地点').fill('一号报告厅')
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('一号报告厅')).toBeVisible()

  const student = await openAs(browser, url, 'student', `/pages/shedul/shedulDetail?id=${id}`)
  await expect(student.getByText('一号报告厅')).toBeVisible()
  await expect(student.getByText('教务处').first()).toBeVisible()
  await expect(student.getByRole('button', { name: '修改' })).toHaveCount(0)
  const editor = await openAs(browser, url, 'staff', `/pages/shedul/shedulDetail?id=${id}`)
  await expect(editor.getByRole('button', { name: '修改' })).toBeVisible()

  for (const view of ['周', '列表', '月']) {
    await page.goto('/pages/secondWork/calendar/schedule?day=2030-05-14')
    await page.getByRole('tab', { name: view, exact: true }).click()
    await expect(page.getByText(`统一监考培训 ${mark}`).first()).toBeVisible()
    expect(await axeViolations(page)).toEqual([])
  }
  await page.getByRole('link', { name: new RegExp(`统一监考培训 ${mark}`) }).click()
  await page.getByRole('button', { name: '删除日程' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '删除日程' }).click()
  await expect(page.getByText(`统一监考培训 ${mark}`)).toHaveCount(0)
})

test('the search finds the department’s content, and the help can be searched', async ({
  browser,
  baseURL,
}) => {
  const page = await openAs(browser, String(baseURL), 'clerk', index)
  await page.getByRole('button', { name: '搜索工作台' }).click()
  await page.getByRole('searchbox').fill('选课')
  await expect(page.getByRole('heading', { name: '服务' })).toBeVisible()
  await expect(page.getByRole('link', { name: /选课系统/ })).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('searchbox').fill('奖学金申请')
  await expect(page.getByText('没有找到“奖学金申请”')).toBeVisible()

  await page.goto('/pages/secondWork/help')
  await page.getByRole('searchbox').fill('置顶')
  await expect(page.getByText('“置顶”会让它排在栏目最前。')).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
})

test('content of another department is not accessible', async ({ browser, baseURL }) => {
  const url = String(baseURL)
  const page = await openAs(browser, url, 'clerk', `${index}?department=${otherDepartment}`)
  await expect(page.getByText('该部门不存在，或不由你管理')).toBeVisible()
  const columns = (await call(url, 'admin', 'GET', newsConsole.columns.path)).data as {
    id: string
    organization: string | null
  }[]
  const foreign = columns.find(({ organization }) => organization === otherDepartment)
  expect(foreign).toBeDefined()
  const written = await call(url, 'clerk', 'POST', newsConsole.create.path, {
    columnId: foreign?.id,
    title: '不该出现',
  })
  expect(written.error).toBe('news.column_not_found')

  const services = (await call(url, 'admin', 'GET', `${catalogue.list.path}?pageSize=200`))
    .data as { list: { serviceId: string; organizationCode: string | null }[] }
  const service = services.list.find(({ organizationCode }) => organizationCode !== ownDepartment)
  expect(service).toBeDefined()
  await page.goto(`/pages/secondWork/service/serviceSet?id=${service?.serviceId}`)
  await expect(
    page
      .getByText('该服务不存在')
      .or(page.getByText(/服务不存在/))
      .first(),
  ).toBeVisible()

  const from = new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10)
  const to = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10)
  const query = `?department=${otherDepartment}&from=${from}&to=${to}`
  const events = (await call(url, 'admin', 'GET', departmentEvents.list.path + query)).data as {
    list: { id: string }[]
  }
  expect(events.list).not.toEqual([])
  await page.goto(`/pages/secondWork/schedule/shedulDetail?id=${events.list[0]?.id}`)
  await expect(page.getByText(/日程不存在|不存在或/).first()).toBeVisible()
})

test.describe('a member', () => {
  test.use({ as: 'student' })
  test('is denied access to the workbench', async ({ page }) => {
    await page.goto('/pages/tab/my/my')
    await page.waitForLoadState('networkidle')
    await expect(page.locator('main:visible').getByRole('link').nth(3)).toBeVisible()
    await expect(page.getByRole('link', { name: '部门工作台' })).toHaveCount(0)
    await page.goto(index)
    await expect(page.getByText('你没有权限进行此操作')).toBeVisible()
  })
})
