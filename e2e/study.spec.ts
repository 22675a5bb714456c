import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { RollLine } from '@atrium/contract/learning/study-teaching'
import type { Page } from '@playwright/test'
import { axeViolations } from './axe.ts'
import { atrium } from './command-line.ts'
import { createMembers, openAs } from './members.ts'
import { expect, test } from './test.ts'

// A separate course with one teacher and one student. Only one import runs on a database at a time.
test.describe.configure({ mode: 'serial', timeout: 180_000 })
const people = { lecturer: '骆子安', pupil: '乔知微' }
const course = '天文学导论'

/** The institution's date this many days from today. */
const dayIn = (days: number) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Shanghai' }).format(
    Date.now() + days * 86_400_000,
  )

test.beforeAll(async ({ baseURL }) => {
  await createMembers(baseURL ?? '', people)
  const folder = await mkdtemp(path.join(os.tmpdir(), 'atrium-study-'))
  const bring = async (what: string, text: string) => {
    const file = path.join(folder, `${what}.csv`)
    await writeFile(file, text)
    await atrium(['import', what, file, '--wait'])
  }
  try {
    await bring(
      'timetable',
      `教学班号,课程名称,类型,日期,节次,教室,任课教师\nE2E-ASTRO,${course},补课,${dayIn(1)},3-4,天文台 101,骆子安\n`,
    )
    await bring(
      'rosters',
      '教学班号,工号,角色\nE2E-ASTRO,lecturer,teacher\nE2E-ASTRO,pupil,student\n',
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

const centre = '/study-center/pages/studyCenter/studyCenter'
const openCourse = async (page: Page) => {
  await page
    .getByRole('link', { name: new RegExp(course) })
    .last()
    .click()
  await expect(page.getByRole('heading', { name: course })).toBeVisible()
}

test('a student submits an assignment, resubmits it when returned, and sees the grade', async ({
  browser,
  baseURL,
}) => {
  const pupil = await openAs(browser, baseURL ?? '', 'pupil', '/pages/tab/my/my')
  await pupil.getByRole('link', { name: '学习中心' }).click()
  await expect(pupil.getByText('下一节课')).toBeVisible()
  await expect(pupil.getByRole('link', { name: /下一节课/ })).toContainText('天文台 101')
  expect(await axeViolations(pupil)).toEqual([])
  await openCourse(pupil)

  const lecturer = await openAs(browser, baseURL ?? '', 'lecturer', centre)
  await openCourse(lecturer)
  await lecturer.getByRole('tab', { name: '作业' }).click()
  await lecturer.getByRole('button', { name: '布置作业' }).click()
  const sheet = lecturer.getByRole('dialog', { name: '布置作业' })
  await sheet.getByLabel('作业名称').fill('观测日志')
  await sheet.getByLabel('要求').fill('记录三个晚上的月相。')
  await sheet.getByLabel('截止日期').fill(dayIn(3))
  expect(await axeViolations(lecturer)).toEqual([])
  await sheet.getByRole('button', { name: '布置' }).click()
  await expect(sheet).toBeHidden()
  await expect(lecturer.getByText('已交 0/1')).toBeVisible()

  await pupil.reload()
  await pupil.getByRole('tab', { name: '作业' }).click()
  await expect(pupil.getByText('记录三个晚上的月相。')).toBeVisible()
  await pupil.getByRole('button', { name: '去提交' }).click()
  await pupil.getByRole('toolbar').getByRole('button', { name: '提交作业' }).click()
  const dialog = pupil.getByRole('dialog')
  await dialog.getByRole('textbox').fill('三晚都是晴天。')
  await dialog.getByRole('button', { name: '提交作业' }).click()
  await expect(dialog).toBeHidden()

  await lecturer.reload()
  await lecturer.getByRole('tab', { name: '作业' }).click()
  await expect(lecturer.getByText('已交 1/1')).toBeVisible()
  await lecturer.getByRole('button', { name: '查看提交与评分' }).click()
  await lecturer.getByRole('button', { name: /乔知微/ }).click()
  const marking = lecturer.getByRole('dialog', { name: '乔知微' })
  await expect(marking.getByText('三晚都是晴天。')).toBeVisible()
  await marking.getByRole('button', { name: '退回修改' }).click()
  await marking.getByRole('button', { name: '退回修改' }).click()
  await expect(marking.getByLabel('退回意见')).toHaveAccessibleDescription(/请写明退回的原因/)
  await marking.getByLabel('退回意见').fill('请补上观测时间。')
  await marking.getByRole('button', { name: '退回修改' }).click()
  await expect(marking).toBeHidden()

  // A message asks to submit the work again.
  await pupil.goto('/pagesA/message/entry')
  await expect(pupil.getByText(/作业已退回，请修改后再提交：观测日志/)).toBeVisible()
  await pupil.goto(centre)
  await pupil.getByRole('link', { name: /观测日志/ }).click()
  await expect(pupil.getByText('请补上观测时间。')).toBeVisible()
  await pupil.getByRole('toolbar').getByRole('button', { name: '提交作业' }).click()
  await pupil.getByRole('dialog').getByRole('textbox').fill('三晚都是晴天，每晚九点。')
  await pupil.getByRole('dialog').getByRole('button', { name: '提交作业' }).click()
  await expect(pupil.getByRole('dialog')).toBeHidden()

  await lecturer.reload()
  await lecturer.getByRole('button', { name: /乔知微/ }).click()
  await expect(marking.getByText('三晚都是晴天，每晚九点。')).toBeVisible()
  await marking.getByLabel('得分（满分 100）').fill('95')
  await marking.getByRole('button', { name: '保存' }).click()
  await expect(marking).toBeHidden()
  expect(await axeViolations(lecturer)).toEqual([])
  const publish = lecturer.getByRole('button', { name: '公布成绩' })
  await publish.click()
  await expect(publish).toHaveCount(0)

  await pupil.goto(centre)
  await expect(pupil.getByRole('link', { name: /观测日志/ })).toContainText('95/100')
  await pupil.context().close()
  await lecturer.context().close()
})

test('a student checks in to a lesson with the code shown by the teacher', async ({
  browser,
  baseURL,
}) => {
  const lecturer = await openAs(browser, baseURL ?? '', 'lecturer', centre)
  await openCourse(lecturer)
  await lecturer.getByRole('tab', { name: '签到' }).click()
  await lecturer.getByRole('button', { name: /^开始签到/ }).click()
  const shown = lecturer.getByRole('status', { name: '签到码' })
  await expect(shown).toHaveText(/^\d{3} ?\d{3}$/)
  await expect(lecturer.getByRole('img', { name: '签到二维码' })).toBeVisible()
  expect(await axeViolations(lecturer)).toEqual([])

  const pupil = await openAs(browser, baseURL ?? '', 'pupil', centre)
  await openCourse(pupil)
  const field = pupil.getByRole('textbox', { name: '签到码' })
  await field.fill('000000')
  await expect(pupil.getByText(/签到码不正确/)).toBeVisible()
  expect(await axeViolations(pupil)).toEqual([])
  await field.fill(((await shown.textContent()) ?? '').replaceAll(/\D/g, ''))
  await expect(pupil.getByText('你已签到')).toBeVisible()

  const list = lecturer.getByRole('list', { name: '签到名单' })
  await expect(list.getByLabel('乔知微的出勤')).toHaveValue('present')
  await lecturer.getByRole('button', { name: '结束签到' }).click()
  await expect(lecturer.getByText('到 1，缺 0')).toBeVisible()
  await pupil.context().close()
  await lecturer.context().close()
})

test('the people on a roll keep their places when they answer', async ({ browser, baseURL }) => {
  const lecturer = await openAs(browser, baseURL ?? '', 'lecturer', centre)
  const line = (accountId: string, name: string, state: RollLine['state']): RollLine => ({
    ...{ accountId, name, nameEn: '', username: `roll-${accountId}`, state, byTeacher: false },
    ...{ organization: '', organizationEn: '', at: state && new Date().toISOString() },
  })
  let list = [line('1', '甲一', null), line('2', '乙二', null)]
  await lecturer.route(/\/study\/rolls\/\d+\/people/, (route) =>
    route.fulfill({ json: { code: 0, message: '', data: { list, nextCursor: null } } }),
  )
  await openCourse(lecturer)
  await lecturer.getByRole('tab', { name: '签到' }).click()
  await lecturer.getByRole('button', { name: /^开始签到/ }).click()
  const rows = lecturer.getByRole('list', { name: '签到名单' }).getByRole('listitem')
  await expect(rows).toContainText(['甲一', '乙二'])
  // Latest answers first.
  list = [line('2', '乙二', 'present'), line('3', '丙三', null), line('1', '甲一', null)]
  await expect(lecturer.getByLabel('乙二的出勤')).toHaveValue('present')
  await expect(rows).toContainText(['甲一', '乙二', '丙三'])
  const end = lecturer.getByRole('button', { name: '结束签到' })
  await end.click()
  await expect(end).toHaveCount(0)
  await lecturer.context().close()
})
