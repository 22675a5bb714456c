import { readFile } from 'node:fs/promises'
import { schedule } from '@atrium/contract/work/schedule'
import type { Page } from '@playwright/test'
import { expect, test } from './test.ts'

const address = '/pages/tab/schedule/schedule'

/** Opens a lesson from the week view. */
async function openCourse(page: Page) {
  await page.goto(address)
  await page.getByRole('tab', { name: '周', exact: true }).click()
  await page
    .getByRole('link', { name: /，课程，/ })
    .first()
    .click()
}

test('a visitor sees the purpose of the tab', async ({ page }) => {
  await page.goto(address)
  await expect(page.getByText('登录后查看你的课表与日程')).toBeVisible()
})

test.describe('a member', () => {
  test.use({ as: 'student' })

  test.describe('with an English browser', () => {
    test.use({ locale: 'en-US' })

    test('sees what is due in English', async ({ page }) => {
      await page.goto(address)
      await expect(page.getByRole('link', { name: /Scholarship: add a document/ })).toBeVisible()
    })
  })

  test('navigates the month by keyboard', { tag: '@desktop' }, async ({ page }) => {
    await page.goto(address)
    const today = page.getByRole('grid').locator('[aria-current=date]')
    const chosen = page.getByRole('gridcell', { selected: true }).getByRole('button')
    await expect(chosen).toHaveAttribute('aria-current', 'date')
    await expect(chosen).toContainText(/项(全天)?日程|节课/)
    await today.focus()
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-day'))
    const start = Date.parse((await focused()) ?? '')
    const dayAfter = (days: number) =>
      new Date(start + days * 86_400_000).toISOString().slice(0, 10)
    await page.keyboard.press('ArrowRight')
    expect(await focused()).toBe(dayAfter(1))
    for (let week = 0; week < 6; week++) await page.keyboard.press('ArrowDown')
    await expect.poll(focused).toBe(dayAfter(43))
    await page.getByRole('button', { name: '今天' }).click()
    await expect(today).toBeVisible()
    await expect(page.getByRole('heading', { name: /^今天 · / })).toBeVisible()
  })

  test('opens a course in the week view, which shows its recurrence', async ({ page }) => {
    await openCourse(page)
    await expect(page).toHaveURL(/shedulDetail/)
    // The tab below stays in the document.
    const main = page.getByRole('main')
    await expect(main.getByText('课程', { exact: true }).first()).toBeVisible()
    await expect(main.getByText(/^每.*周/)).toBeVisible()
  })

  test('opens the source of an event within the portal', async ({ page, baseURL }) => {
    // Over HTTPS, an event made from a task links to it.
    await page.route(/\/schedule\/api\/v1\/events\/\d+/, async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      body.data.url = new URL('/pages/set/set', baseURL).href
      await route.fulfill({ response, json: body })
    })
    await openCourse(page)
    await page.getByRole('link', { name: '在门户中打开' }).click()
    await expect(page).toHaveURL('/pages/set/set')
    await expect(page.getByRole('heading', { name: '设置', level: 1 })).toBeVisible()
  })

  test('sees the tasks due on the selected day', async ({ page }) => {
    await page.goto(address)
    await expect(page.getByRole('heading', { name: '当天到期' })).toBeVisible()
    await expect(page.getByRole('link', { name: '晨跑打卡' })).toBeVisible()
    await page.getByRole('link', { name: /奖学金材料补充/ }).click()
    await expect(page.getByRole('heading', { name: '奖学金材料补充', level: 2 })).toBeVisible()
  })

  test('steps through months and keeps the view', async ({ page }) => {
    await page.goto(address)
    const title = page.getByRole('heading', { level: 1 })
    const before = (await title.textContent()) ?? ''
    await page.getByRole('button', { name: '下个月' }).click()
    await expect(title).not.toHaveText(before)
    const after = (await title.textContent()) ?? ''
    await expect(page.getByRole('status').filter({ hasText: after })).toHaveText(after)
    await page.getByRole('tab', { name: '列表' }).click()
    await page.getByRole('button', { name: '上个月' }).click()
    await expect(title).toHaveText(before)
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
  })

  test('opens the form with a tap during which the events arrive', async ({ page }) => {
    let answer = () => {}
    const pressed = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route(new RegExp(`${schedule.events.path}\\?`), async (route) => {
      await pressed
      await route.continue()
    })
    await page.goto(address)
    await page.getByRole('link', { name: '新建日程' }).hover()
    await page.mouse.down()
    answer()
    await expect(page.getByRole('grid')).toBeVisible()
    await page.mouse.up()
    await expect(page.getByRole('heading', { name: '新建日程' })).toBeVisible()
  })

  test('shows the calendars', async ({ page }) => {
    await page.goto(address)
    await page.getByRole('button', { name: '日历' }).click()
    await expect(page.getByRole('heading', { name: '课表' })).toBeVisible()
  })
})

test.describe('a member on a device in another time zone', () => {
  test.use({ as: 'staff', timezoneId: 'America/New_York' })

  test('sees no time zone notice before the member’s zone is known', async ({ page }) => {
    const events = new RegExp(`${schedule.events.path}\\?`)
    let answer = () => {}
    const wanted = new Promise<void>((resolve) => {
      answer = resolve
    })
    // Simulates having chosen the local zone.
    await page.route(events, async (route) => {
      await wanted
      await route.continue({ url: `${route.request().url()}&timeZone=America%2FNew_York` })
    })
    await page.goto(address)
    await expect(page.getByRole('status', { name: '正在加载' })).toBeVisible()
    const look = page.getByRole('button', { name: '按本机时间查看' })
    await expect(look).toBeHidden()
    const answered = page.waitForResponse(events)
    answer()
    await (await answered).finished()
    await expect(page.getByRole('status', { name: '正在加载' })).toBeHidden()
    await expect(look).toBeHidden()
  })

  test('switches to the device’s time temporarily', async ({ page }) => {
    await page.goto('/pages/tab/schedule/schedule')
    const requested = page.waitForRequest(/\/events\?.*timeZone=America%2FNew_York/)
    await page.getByRole('button', { name: '按本机时间查看' }).click()
    await requested
    await expect(page.getByText(/正在按本机时间 UTC−[45] 查看/)).toBeVisible()
    await page.getByRole('button', { name: '恢复' }).click()
    await expect(page.getByText(/按中国标准时间/)).toBeVisible()
  })

  test('sees both time zones in the week view, prints it and saves it as a picture', async ({
    page,
  }) => {
    await page.goto(address)
    await page.getByRole('tab', { name: '周', exact: true }).click()
    const both = page.getByRole('button', { name: '同时显示学校时间' })
    await expect(page.getByRole('button', { name: '打印' })).toBeVisible()
    // In the institution's own zone there is only one clock.
    await expect(both).toBeHidden()
    await page.getByRole('button', { name: '按本机时间查看' }).click()
    await expect(both).toHaveAttribute('aria-pressed', 'true')
    await expect(page.locator('.time-table-zones')).toHaveText(/^UTC−[45]UTC\+8$/)
    // 8:00 in New York is 20:00 or 21:00 in Shanghai.
    await expect(
      page
        .locator('.time-table-axis > span')
        .getByText(/^2[01]:00$/)
        .first(),
    ).toBeVisible()

    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: '存为图片' }).click()
    const file = await saved
    expect(file.suggestedFilename()).toMatch(/^\d{4}-\d\d-\d\d\.png$/)
    const bytes = await readFile(await file.path())
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    // Seven columns and two clocks; the hours run downwards.
    expect(bytes.readUInt32BE(16)).toBe(40 + 2 * 92 + 7 * 210 + 40)
    expect(bytes.readUInt32BE(20)).toBeGreaterThan(1000)

    await page.emulateMedia({ media: 'print' })
    await page.evaluate(() => {
      window.print = () => {
        const shows = (selector: string) => {
          const found = document.querySelector(selector)
          const style = found && getComputedStyle(found)
          return style?.visibility === 'visible' && style.display !== 'none'
        }
        const printed = ['.time-table-paper', '.time-table-event', '.nav-bar', '.schedule-tools']
        document.title = printed.map(shows).join(' ')
      }
    })
    await page.getByRole('button', { name: '打印' }).click()
    await expect(page).toHaveTitle('true true false false')
    await page.emulateMedia({ media: 'screen' })

    await both.click()
    await expect(page.locator('.time-table-zones')).toBeHidden()
    await page.getByRole('tab', { name: '日', exact: true }).click()
    await expect(both).toHaveAttribute('aria-pressed', 'false')
  })
})

// Another account: choices made here apply to all of a member's devices.
test.describe('a member who moves to another time zone', () => {
  test.use({ as: 'teacher', timezoneId: 'America/New_York' })

  test('sees the zone notice, selects another zone, and returns to the institution’s zone', async ({
    page,
  }) => {
    await page.goto(address)
    await page.getByRole('link', { name: /你的设备时区是 UTC−[45]/ }).click()
    await page.getByRole('searchbox').fill('new york')
    await page.getByRole('button', { name: /东部标准时间/ }).click()
    await expect(page).toHaveURL(/tab\/schedule/)
    await expect(page.getByRole('link', { name: /你的设备时区是/ })).toBeHidden()
    await page.goto('/pages/shedul/timeArea')
    await page.getByRole('button', { name: /与学校一致/ }).click()
    await expect(page.getByRole('status').filter({ hasText: '时区已保存' })).toBeVisible()
  })
})
