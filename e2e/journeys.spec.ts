// Members' main journeys from start to end, with the demo's systems on the other side.
import type { Page } from '@playwright/test'
import { openService, signedIn, startCampus, wordsIn } from './campus.ts'
import { idToken, type Username } from './session.ts'
import { expect, test } from './test.ts'

// One portal with its systems, shared by these tests; journeys build on earlier ones.
test.describe.configure({ mode: 'default' })

let campus: Awaited<ReturnType<typeof startCampus>>
test.beforeAll(async () => {
  campus = await startCampus()
})
test.afterAll(() => campus?.stop())

const exactly = (text: string) => ({ name: text, exact: true })

for (const language of ['zh', 'en'] as const) {
  const zh = language === 'zh'
  const w = wordsIn(language)
  /** The systems have their texts inline in both languages. */
  const say = (chinese: string, english: string) => (zh ? chinese : english)
  const locale = zh ? 'zh-CN' : 'en-US'

  test.describe(zh ? 'in Chinese' : 'in English', () => {
    let pages = new Map<Username, Page>()
    test.beforeEach(() => {
      pages = new Map()
    })
    test.afterEach(async () => {
      for (const page of pages.values()) await page.context().close()
    })
    /** A member's phone. */
    async function phoneOf(
      browser: Parameters<typeof signedIn>[0],
      username: Username,
    ): Promise<Page> {
      const page = pages.get(username) ?? (await signedIn(browser, campus.url, username, locale))
      pages.set(username, page)
      return page
    }
    /** Decides a to-do in its row. */
    async function decide(page: Page, title: string, action: string, comment = '') {
      await page.goto('/pages/msgCenterTab/newtask/newtask?isactive=1')
      const row = page.getByRole('listitem').filter({ hasText: title }).first()
      await row.getByRole('button', { name: w('tasks_more_of', { name: '' }) }).click()
      await page.getByRole('dialog', { name: title }).getByRole('button', exactly(action)).click()
      const dialog = page.getByRole('dialog', exactly(action))
      if (comment) await dialog.getByRole('textbox').fill(comment)
      await dialog.getByRole('button', exactly(action)).click()
      await expect(dialog).toHaveCount(0)
      await expect(page.getByRole('listitem').filter({ hasText: title })).toHaveCount(0)
    }
    /** Waits for a state on a page of the systems, once the portal has reported it. */
    async function becomes(page: Page, path: string, row: string, state: string) {
      await expect(async () => {
        await page.goto(campus.origin + path)
        await expect(page.getByRole('listitem').filter({ hasText: row }).first()).toContainText(
          state,
          { timeout: 1000 },
        )
      }).toPass()
    }

    test('a grade review is requested, refused by the teacher and reported to the student', async ({
      browser,
    }) => {
      const course = say('大学物理（上）', 'Calculus II')
      const student = await phoneOf(browser, 'student')
      const grades = await openService(student, say('成绩查询', 'Grades'))
      const row = grades.getByRole('listitem').filter({ hasText: course })
      await row.getByRole('button', { name: say('申请复核', 'Ask for a re-check') }).click()
      await expect(row).toContainText(say('审批中', 'Waiting'))
      const teacher = await phoneOf(browser, 'teacher')
      const title = say(`成绩复核：${course}`, `Re-check of a mark: ${course}`)
      await decide(teacher, title, say('不同意', 'Refuse'), '卷面分数无误')
      await becomes(student, '/jw/score', course, say('未同意', 'Refused'))
      await student.goto('/pagesA/message/entry')
      await expect(
        student.getByText(say('未同意：成绩复核', 'Refused: Re-check of a mark')).first(),
      ).toBeVisible()
    })

    test('a leave request is approved in the portal and updated in its system', async ({
      browser,
    }) => {
      const [from, until] = zh ? ['2031-03-03', '2031-03-04'] : ['2031-04-07', '2031-04-08']
      const student = await phoneOf(browser, 'student')
      const leave = await openService(student, say('请假', 'Leave'))
      await leave.getByLabel(say('从', 'From')).fill(from)
      await leave.getByLabel(say('到', 'Until')).fill(until)
      await leave.getByLabel(say('事由', 'Reason')).fill(say('参加竞赛', 'A competition'))
      await leave.getByRole('button', exactly(say('提交', 'Apply'))).click()
      await expect(leave.getByRole('status')).toContainText(say('已提交', 'Sent'))
      await decide(await phoneOf(browser, 'staff'), from, say('同意', 'Approve'))
      await becomes(student, '/xg/leave', from, say('已同意', 'Approved'))
    })

    test('a card is reported lost and restored, in its system and in the portal', async ({
      browser,
    }) => {
      const student = await phoneOf(browser, 'student')
      const card = await openService(student, say('一卡通', 'Campus card'))
      await card.getByRole('button', { name: say('挂失', 'Report lost') }).click()
      await expect(card.getByRole('status')).toContainText(say('已挂失', 'Reported'))
      await student.goto('/pages/myInfo/eCard')
      await expect(student.getByText(w('e_card_lost'), { exact: true })).toBeVisible()
      await student.goto(`${campus.origin}/card/home`)
      await student.getByRole('button', { name: say('恢复使用', 'Use it again') }).click()
      await student.goto('/pages/myInfo/eCard')
      await expect(student.getByText(w('e_card_active'), { exact: true })).toBeVisible()
    })

    test('renewing a book, in the portal or the library, is shown in the other one', async ({
      browser,
    }) => {
      const student = await phoneOf(browser, 'student')
      const title = zh ? '算法导论' : '乡土中国'
      if (zh) {
        await student.goto('/pages/myInfo/books')
        await student
          .getByRole('button', exactly(w('personal_sources_renew_title', { title })))
          .click()
        await expect(student.getByText(w('personal_sources_renewed'))).toBeVisible()
        await becomes(student, '/lib/loans', title, '已续借')
        return
      }
      await student.goto('/pages/myInfo/books')
      const row = student.getByRole('listitem').filter({ hasText: title }).first()
      const before = await row.textContent()
      await student.goto(`${campus.origin}/lib/loans`)
      await student
        .getByRole('listitem')
        .filter({ hasText: title })
        .first()
        .getByRole('button', { name: 'Renew' })
        .click()
      await expect(student.getByRole('status')).toContainText('Renewed')
      await student.goto('/pages/myInfo/books')
      await expect(row).toBeVisible()
      expect(await row.textContent()).not.toBe(before)
    })

    test('a letter draft survives switching tabs and is sent', async ({ browser }) => {
      const title = say('东门路灯', 'Lamps at the east gate')
      const student = await phoneOf(browser, 'student')
      await student.goto('/msgCenter/pages/news/throughTrain')
      await student.getByRole('tab', { name: w('mailbox_write') }).click()
      await student.getByLabel(w('mailbox_title_field'), { exact: true }).fill(title)
      await student.getByRole('tab', { name: w('mailbox_published') }).click()
      await student.getByRole('tab', { name: w('mailbox_write') }).click()
      await expect(student.getByLabel(w('mailbox_title_field'), { exact: true })).toHaveValue(title)
      await student.getByRole('radio').first().check()
      await student.getByLabel(w('mailbox_text_field'), { exact: true }).fill(title)
      await student.getByRole('button', exactly(w('mailbox_send'))).click()
      await expect(student.getByRole('heading', { name: title })).toBeVisible()
    })

    test('a booked room appears in the schedule', async ({ browser }) => {
      const student = await phoneOf(browser, 'student')
      await student.goto(`${campus.origin}/lib/rooms`)
      const room = student.getByRole('listitem').filter({ hasText: 'B205' }).first()
      await room.getByRole('button', { name: say('预约', 'Book') }).click()
      await expect(room).toContainText(say('已预约', 'Yours'))
      await student.goto('/pages/search/schedule?keyWords=B205')
      await expect(student.getByText('B205').first()).toBeVisible()
      await student.goto(`${campus.origin}/lib/rooms`)
      await room.getByRole('button', { name: say('取消', 'Cancel') }).click()
    })

    test('a repair request is resolved by staff and reported to the student', async ({
      browser,
    }) => {
      const what = say('台灯不亮', 'The desk lamp is dark')
      const place = say('梅园 3 栋 501', 'Meiyuan 3, room 501')
      const student = await phoneOf(browser, 'student')
      const repair = await openService(student, say('后勤报修', 'Repairs'))
      await repair.getByLabel(say('地点', 'Place')).fill(place)
      await repair.getByLabel(say('哪里坏了', 'What is broken')).fill(what)
      await repair.getByRole('button', exactly(say('提交', 'Send'))).click()
      await expect(repair.getByRole('listitem').filter({ hasText: what })).toContainText(
        say('已派单', 'On its way'),
      )
      await decide(
        await phoneOf(browser, 'staff'),
        say(`报修：${place}`, `Repair: ${place}`),
        say('已修好', 'Repaired'),
      )
      await becomes(student, '/repair/home', what, say('已修好', 'Repaired'))
      await student.goto('/pagesA/message/entry')
      await expect(student.getByText(say('已修好：报修', 'Repaired: Repair')).first()).toBeVisible()
    })

    test('a selected course appears in the schedule and can be dropped', async ({ browser }) => {
      const course = say('中国美术史', 'Plants around us')
      const student = await phoneOf(browser, 'student')
      const selection = await openService(student, say('选课系统', 'Course selection'))
      const row = selection.getByRole('listitem').filter({ hasText: course })
      await row.getByRole('button', { name: say('选课', 'Choose') }).click()
      await expect(row).toContainText(say('已选', 'Chosen'))
      const search = `/pages/search/schedule?${new URLSearchParams({ keyWords: zh ? course : '身边的植物' })}`
      await student.goto(search)
      await expect(student.getByText(course).first()).toBeVisible()
      await student.goto(`${campus.origin}/jw/selection`)
      await student
        .getByRole('listitem')
        .filter({ hasText: course })
        .getByRole('button', { name: say('退选', 'Drop') })
        .click()
      await expect(student.getByRole('status')).toContainText(say('已退选', 'left the course'))
    })

    test('a new student finds the courses, the card and the dormitory room', async ({
      browser,
    }) => {
      const student = await phoneOf(browser, 'student')
      await student.goto('/study-center/pages/studyCenter/studyCenter')
      await expect(student.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(student.locator('main').getByRole('link').first()).toBeVisible()
      await student.goto('/pages/myInfo/eCard')
      await expect(student.getByText(w('e_card_active'), { exact: true })).toBeVisible()
      const dorm = await openService(student, say('宿舍服务', 'Dormitory'))
      await expect(dorm.locator('.figure')).toHaveText(say('梅园 3 栋 512', 'Meiyuan 3, room 512'))
    })

    test('a visitor finds a place by search', async ({ browser }) => {
      const context = await browser.newContext({
        baseURL: campus.url,
        locale,
        serviceWorkers: 'block',
      })
      const page = await context.newPage()
      const name = say('图书馆', 'Library')
      await page.goto(
        `/pages/search/singleSearch?${new URLSearchParams({ keyWords: name, type: 'place' })}`,
      )
      await page.getByRole('link').filter({ hasText: name }).first().click()
      await expect(page).toHaveURL(/open-location/)
      await expect(page.locator('main').getByText(name).first()).toBeVisible()
      await context.close()
    })

    test('three requests are approved one after another in their list rows', async ({
      browser,
    }) => {
      const student = await phoneOf(browser, 'student')
      const places = ['101', '102', '103'].map((room) =>
        say(`竹园 1 栋 ${room}`, `Zhuyuan 1, room ${room}`),
      )
      for (const place of places) {
        await student.goto(`${campus.origin}/repair/home`)
        await student.getByLabel(say('地点', 'Place')).fill(place)
        await student.getByLabel(say('哪里坏了', 'What is broken')).fill(say('门锁', 'The lock'))
        await student.getByRole('button', exactly(say('提交', 'Send'))).click()
        await expect(student.getByRole('status')).toContainText(say('已提交', 'Sent'))
      }
      const staff = await phoneOf(browser, 'staff')
      for (const place of places) await decide(staff, place, say('已修好', 'Repaired'))
      for (const place of places)
        await becomes(student, '/repair/home', place, say('已修好', 'Repaired'))
    })

    test('feedback is sent, answered and rated', async ({ browser, request }) => {
      const content = say('食堂座位不够', 'Too few seats in the canteen')
      const student = await phoneOf(browser, 'student')
      await student.goto('/pages/myInfo/suggestNew?kindId=3')
      await student.getByLabel(w('feedback_content'), { exact: true }).fill(content)
      await student.getByRole('button', exactly(w('feedback_send'))).click()
      await expect(student.getByText(w('feedback_waiting')).first()).toBeVisible()
      const headers = { 'x-id-token': await idToken(campus.url, 'admin') }
      const inbox = `${campus.url}/console-api/v1/feedback?${new URLSearchParams({ keyWords: content })}`
      const { data } = await (await request.get(inbox, { headers })).json()
      const [{ id, revision }] = data.list
      const answer = say('已增加三十个座位。', 'Thirty seats were added.')
      await request.post(`${campus.url}/console-api/v1/feedback/${id}/answer`, {
        headers,
        data: { revision, text: answer },
      })
      await student.goto('/pages/myInfo/suggestRecord')
      await student.getByRole('link', { name: content }).click()
      await expect(student.getByText(answer)).toBeVisible()
      await student.getByRole('radio', { name: /5/ }).click({ force: true })
      await expect(student.getByText(w('feedback_rated'))).toBeVisible()
    })
  })
}
