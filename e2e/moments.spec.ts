import { home } from '@atrium/contract/shell/home'
import type { Page } from '@playwright/test'
import { axeViolations } from './axe.ts'
import { expect, test } from './test.ts'

test.use({ as: 'student' })

const zone = 'Asia/Shanghai'
const at = (clock: string) => new Date(`2026-11-23T${clock}:00+08:00`).toISOString()
const lesson = {
  ...{ id: '1', title: '机器学习导论', titleEn: 'Machine learning', kind: 'course' },
  ...{ color: 'blue', calendarId: '1', location: '教一 301', person: '周明远', allDay: false },
  ...{ struck: false, change: null, editable: false },
}
const today = [{ ...lesson, startsAt: at('08:00'), endsAt: at('09:35') }]
const tomorrow = [
  {
    ...{ ...lesson, id: '2', title: '操作系统', titleEn: 'Operating systems' },
    startsAt: '2026-11-24T02:00:00.000Z',
    endsAt: '2026-11-24T03:35:00.000Z',
  },
]
const canteen = {
  ...{ id: '1', kind: 'canteen', name: '第一食堂', nameEn: 'Canteen 1' },
  ...{ address: '学府路 1 号', addressEn: '1 Xuefu Road', latitude: 29.43, longitude: 120.28 },
  hours: '06:30-09:00,10:45-13:00,16:45-19:30',
}

/** Home at a time of the member's day; the server's clock is used. */
async function homeAt(page: Page, clock: string, inZone = zone) {
  await page.route(`**${home.read.path}`, async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    const data = { ...body.data, now: at(clock), timeZone: inZone, today, tomorrow }
    await route.fulfill({ response, json: { ...body, data: { ...data, canteens: [canteen] } } })
  })
  await page.goto('/pages/tab/index/clean')
}

test('before a class, the home page shows the time until it starts', async ({ page }) => {
  await homeAt(page, '07:20')
  // A started minute counts.
  await expect(page.getByText(/4[01] 分钟后/)).toBeVisible()
  await expect(page.getByText('第一食堂')).toHaveCount(0)
  await expect(page.getByRole('heading', { name: '今天' })).toBeVisible()
})

test('at noon, it shows open canteens with links to their locations', async ({ page }) => {
  await homeAt(page, '12:10')
  const eat = page.getByRole('region', { name: '去哪儿吃' })
  await expect(eat).toContainText('营业至 13:00')
  expect(await axeViolations(page)).toEqual([])
  await eat.getByRole('link', { name: '第一食堂' }).click()
  await expect(page).toHaveURL(/\/open-location\?/)
})

test('in the evening, it shows tomorrow', async ({ page }) => {
  await homeAt(page, '18:30')
  await expect(page.getByRole('heading', { name: '明天' })).toBeVisible()
  await expect(page.getByRole('link', { name: '操作系统' })).toBeVisible()
  await expect(page.getByText('晚上好')).toBeVisible()
})

test('the time of day follows the member’s time zone', async ({ page }) => {
  await homeAt(page, '18:30', 'Asia/Dubai')
  await expect(page.getByText('第一食堂')).toHaveCount(0)
  await expect(page.getByText('下午好')).toBeVisible()
})
