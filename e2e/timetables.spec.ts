import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { atrium } from './command-line.ts'
import { expect, test } from './test.ts'

// Only one import runs on a database at a time.
test.describe.configure({ mode: 'default', timeout: 180_000 })

/** The institution's date this many days from today. */
const dayIn = (days: number) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Shanghai' }).format(
    Date.now() + days * 86_400_000,
  )

test.describe('a timetable', () => {
  test.use({ as: 'staff' })

  test('is imported and changed, and the changes are announced and shown', async ({ page }) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'atrium-timetable-'))
    const write = async (name: string, text: string) => {
      const file = path.join(folder, name)
      await writeFile(file, text)
      return file
    }
    try {
      const [first, second] = [dayIn(1), dayIn(2)]
      // A failed first attempt leaves its data behind.
      const code = `E2E-${test.info().retry + 1}`
      const lessons = await write(
        'timetable.csv',
        `教学班号,课程名称,类型,日期,节次,教室,任课教师
${code},古琴入门,补课,${first},3-4,艺术楼 201,江采薇
${code},,补课,${second},3-4,艺术楼 201,江采薇
`,
      )
      expect(await atrium(['import', 'timetable', lessons, '--dry-run'])).toContain('2 added')
      expect(await atrium(['import', 'timetable', lessons])).toContain('2 added')
      expect(await atrium(['import', 'timetable', lessons])).toContain('2 unchanged')
      const roster = await write('rosters.csv', `教学班号,工号\n${code},staff\n`)
      expect(await atrium(['import', 'rosters', roster])).toContain('1 added')

      await page.goto('/pages/tab/schedule/schedule')
      await page.getByRole('tab', { name: '列表' }).click()
      const list = page.getByRole('tabpanel')
      // The list ends with the month; later days are on the next one.
      const nextMonth = page.getByRole('button', { name: '下个月' })
      if (first.slice(0, 7) !== dayIn(0).slice(0, 7)) await nextMonth.click()
      await expect(list.getByRole('link', { name: /古琴入门/ }).first()).toContainText('艺术楼 201')

      const changes = await write(
        'changes.csv',
        `教学班号,类型,日期,调至日期,调至教室,原因
${code},停课,${first},,,教师出差
${code},调课,${second},${dayIn(3)},艺术楼 305,
`,
      )
      expect(await atrium(['import', 'timetable', changes])).toContain('people notified: 1')
      expect(await atrium(['import', 'timetable', changes])).not.toContain('people notified')

      const told = page.getByRole('region', { name: '昨天以来的课表变动' })
      // The portal is notified of the command line's changes with a short delay.
      await expect(async () => {
        await page.goto('/pages/tab/index/clean')
        await expect(told).toContainText('古琴入门', { timeout: 3000 })
      }).toPass()
      await expect(told).toContainText('教师出差')

      await page.goto('/pages/msgCenterTab/newtask/newtask')
      await page.getByRole('link', { name: /课表/ }).first().click()
      // The previous page shows the title too and stays in the document.
      await expect(
        page
          .getByRole('list', { name: '课表' })
          .getByRole('link', { name: /课表有 2 处变动/ })
          .first(),
      ).toBeVisible()

      await page.goto('/pages/tab/schedule/schedule')
      await expect(page.getByRole('region', { name: '昨天以来的课表变动' })).toContainText('停课')
      await page.getByRole('tab', { name: '列表' }).click()
      if (first.slice(0, 7) !== dayIn(0).slice(0, 7)) await nextMonth.click()
      const struck = list
        .getByRole('listitem')
        .filter({ has: page.locator('s', { hasText: '古琴入门' }) })
      await expect(struck.first()).toContainText('停课')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
