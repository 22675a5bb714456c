import type { Page } from '@playwright/test'
import { axeViolations } from './axe.ts'
import { startGallery } from './gallery.ts'
import { expect, test } from './test.ts'

// Serial: the tests share one gallery.
test.describe.configure({ mode: 'default' })
test.use({ contextOptions: { reducedMotion: 'reduce' } })

let gallery: Awaited<ReturnType<typeof startGallery>>
test.beforeAll(async () => {
  test.setTimeout(120_000)
  gallery = await startGallery()
})
test.afterAll(() => gallery.stop())

test.beforeEach(async ({ page }) => {
  await page.goto(gallery.url)
  await page.getByRole('heading', { level: 1 }).waitFor({ timeout: 30_000 })
})

/** Waits until the last change is drawn and all animations have ended. */
const settled = (page: Page) =>
  page.evaluate(async () => {
    // An entering animation starts in the frame after the one that shows the element.
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    await Promise.allSettled(
      document
        .getAnimations()
        // Those that follow scrolling never finish.
        .filter(({ timeline }) => timeline instanceof DocumentTimeline)
        .map(({ finished }) => finished),
    )
  })

for (const [language, looks] of [
  ['zh', { 外观: 'light' }],
  ['zh', { 外观: 'dark', 文字大小: '200' }],
  ['en', { Scheme: 'light', 'Text size': '200' }],
  ['en', { Scheme: 'dark', Contrast: 'more' }],
] as const) {
  test(`has no axe violations in ${language}, ${Object.values(looks).join(', ')}`, async ({
    page,
  }) => {
    await page.getByRole('combobox').first().selectOption(language)
    for (const [label, value] of Object.entries(looks))
      await page.getByRole('combobox', { name: label }).selectOption(value)
    await settled(page)
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Picker' }).click()
    await expect(page.getByRole('listbox')).toHaveCount(2)
    await expect(page.getByRole('dialog')).toBeVisible()
    await settled(page)
    expect(await axeViolations(page)).toEqual([])
  })
}

test('reduced motion leaves no endless animation', async ({ page }) => {
  await expect(page.getByText('提交中')).toBeVisible()
  const endless = await page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ effect }) => effect?.getTiming().iterations === Number.POSITIVE_INFINITY)
      .map((animation) => (animation as CSSAnimation).animationName),
  )
  expect(endless).toEqual([])
})

test('the page fits a width of 320 px with the largest text', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 700 })
  await page.getByRole('combobox', { name: '文字大小' }).selectOption('200')
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(wide).toBe(320)
})

test('a picker is operated by keyboard and changes nothing when cancelled', async ({ page }) => {
  await page.getByRole('button', { name: 'Picker' }).click()
  const weeks = page.getByRole('listbox', { name: '周' })
  await weeks.focus()
  await page.keyboard.press('ArrowDown')
  await expect(weeks.getByRole('option', { name: '第 4 周', exact: true })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await page.keyboard.press('End')
  await expect(weeks.getByRole('option', { selected: true })).toHaveText('第 20 周')
  await page.keyboard.press('PageUp')
  await expect(weeks.getByRole('option', { selected: true })).toHaveText('第 15 周')
  const active = await weeks.getAttribute('aria-activedescendant')
  await expect(weeks.getByRole('option', { selected: true })).toHaveAttribute('id', active ?? '')
  await page.getByRole('button', { name: '取消' }).last().click()
  await expect(page.getByText('1 / 3', { exact: true })).toBeVisible()
})

test('a picker is operated by scrolling and tapping', async ({ page }) => {
  await page.getByRole('button', { name: 'Picker' }).click()
  const weeks = page.getByRole('listbox', { name: '周' })
  await weeks.evaluate((list) => list.scrollTo(0, 44 * 9))
  await expect(weeks.getByRole('option', { selected: true })).toHaveText('第 10 周')
  await page.getByRole('option', { name: '江北' }).click()
  await page.getByRole('button', { name: '确定' }).last().click()
  await expect(page.getByText('2 / 10', { exact: true })).toBeVisible()
})

test('slides do not autoplay with reduced motion and are operated by keyboard', async ({
  page,
}) => {
  const slides = page.getByRole('region', { name: '校园活动' })
  await expect(slides.getByRole('button', { name: '自动播放' })).toBeVisible()
  await slides.getByRole('button', { name: '下一张' }).press('Enter')
  await expect(slides.getByText('第 2 张')).toBeInViewport()
  await slides.getByRole('button', { name: '上一张' }).press('Enter')
  await expect(slides.getByText('第 1 张')).toBeInViewport()
  await slides.getByRole('button', { name: '上一张' }).press('Enter')
  await expect(slides.getByText('第 3 张')).toBeInViewport()
})

test('slides autoplay and pause while focused', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.clock.install()
  await page.reload()
  const slides = page.getByRole('region', { name: '校园活动' })
  await slides.scrollIntoViewIfNeeded()
  await page.clock.runFor(6000)
  await expect(slides.getByText('第 2 张')).toBeInViewport()
  await slides.getByRole('button', { name: '暂停自动播放' }).focus()
  const places = new Set<number>()
  // Wait until the current step has settled.
  await expect
    .poll(async () => {
      const before = places.size
      places.add(await slides.locator('.swiper-row').evaluate((row) => row.scrollLeft))
      return places.size === before
    })
    .toBe(true)
  await page.clock.runFor(60_000)
  expect([...places]).toContain(
    await slides.locator('.swiper-row').evaluate((row) => row.scrollLeft),
  )
})

test('a notification is announced and disappears after three seconds', async ({ page }) => {
  const start = Date.now()
  await page.clock.install({ time: start })
  await page.reload()
  const button = page.getByRole('button', { name: 'Notify', exact: true })
  await button.waitFor()
  // From here on the test controls the clock.
  await page.clock.pauseAt(start + 600_000)
  await button.click()
  const message = page.getByRole('status').filter({ hasText: '网络已恢复' })
  await expect(message).toBeVisible()
  await page.clock.runFor(2900)
  await expect(message).toBeVisible()
  await page.clock.runFor(200)
  await expect(message).toBeHidden()
})

test('a code field accepts pasted spaces and completes at the sixth digit', async ({ page }) => {
  const field = page.getByLabel('验证码')
  await expect(field).toHaveAttribute('autocomplete', 'one-time-code')
  await field.fill('12 34')
  await field.fill('１２３ 456 7')
  await expect(field).toHaveValue('123456')
  await expect(page.getByRole('status').filter({ hasText: '123456' })).toBeVisible()
  await field.fill('000000')
  await expect(field).toHaveAccessibleDescription('验证码不正确')
})

test('a new code can be requested after a minute', async ({ page }) => {
  await page.clock.install()
  await page.reload()
  await page.getByRole('button', { name: '获取验证码' }).click()
  await expect(page.getByRole('button', { name: '60 秒后重新获取' })).toBeDisabled()
  await page.clock.runFor(31_000)
  await expect(page.getByRole('button', { name: '29 秒后重新获取' })).toBeDisabled()
  await page.clock.runFor(30_000)
  await expect(page.getByRole('button', { name: '重新获取', exact: true })).toBeEnabled()
})

test('a text field stops at its limit and announces it', async ({ page }) => {
  const field = page.getByRole('textbox', { name: '意见' })
  await expect(field).toHaveAccessibleDescription('已输入 0 字，最多 140 字')
  await field.focus()
  await page.keyboard.insertText('好'.repeat(150))
  await expect(field).toHaveValue('好'.repeat(140))
  await expect(page.getByText('已达到 140 字上限')).toBeAttached()
})

test('stars are radio buttons', async ({ page }) => {
  await page.getByRole('radio', { name: '3 星' }).check({ force: true })
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('radio', { name: '4 星' })).toBeChecked()
})

test('files can be uploaded, retried, cancelled and removed', async ({ page }) => {
  const files = page.getByRole('region', { name: '附件' })
  await files.locator('input').setInputFiles([
    { name: 'report.pdf', mimeType: 'application/pdf', buffer: Buffer.from('x') },
    { name: 'fail.pdf', mimeType: 'application/pdf', buffer: Buffer.from('x') },
  ])
  await expect(files.getByText(/正在上传 \d+%/).first()).toBeVisible()
  await expect(files.getByText('已上传')).toBeVisible()
  await expect(files.getByText('上传失败')).toBeVisible()
  await files.getByRole('button', { name: '重新上传 fail.pdf' }).click()
  await files.getByRole('button', { name: '取消上传 fail.pdf' }).click()
  await expect(files.getByText('fail.pdf')).toHaveCount(0)
  await files.getByRole('button', { name: '移除 report.pdf' }).click()
  await expect(files.getByText('report.pdf')).toHaveCount(0)
})

test('an album accepts nine pictures and reports how many were left out', async ({ page }) => {
  const album = page.getByRole('region', { name: '照片' })
  const pictures = Array.from({ length: 11 }, (_, at) => ({
    name: `${at}.png`,
    mimeType: 'image/png',
    buffer: Buffer.from('x'),
  }))
  await album.locator('input[multiple]').setInputFiles(pictures)
  await expect(album.getByText('9/9')).toBeVisible()
  await expect(album.getByText('最多 9 个，有 2 个没有添加')).toBeVisible()
  await expect(album.locator('input')).toHaveCount(0)
})

test('a toast with an action leaves a keyboard time to reach it, and stays while it is focused', async ({
  page,
}) => {
  await page.clock.install()
  await page.reload()
  const toast = page.getByRole('status').filter({ hasText: '已删除' })
  const button = page.getByRole('button', { name: 'Toast with an action' })
  await button.press('Enter')
  await expect(toast).toBeVisible()
  await page.clock.runFor(60_000)
  const undo = toast.getByRole('button', { name: '撤销' })
  await undo.focus()
  await page.clock.runFor(120_000)
  await expect(undo).toBeFocused()
  await undo.press('Escape')
  await expect(toast).toHaveCount(0)
  // For a pointer it is short.
  await button.click()
  await page.mouse.move(0, 0)
  await expect(toast).toBeVisible()
  await page.clock.runFor(9000)
  await expect(toast).toHaveCount(0)
})

test('a toast above an open sheet is announced and can be undone', async ({ page }) => {
  await page.getByRole('combobox').first().selectOption('en')
  await page.getByRole('button', { name: 'Sheet', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Add' }).click()
  // By role: elements hidden from screen readers are not found.
  const said = page.getByRole('status').filter({ hasText: 'Added' })
  await expect(said).toBeVisible()
  const undo = said.getByRole('button', { name: 'Undo' })
  // A click hits the frontmost element.
  await undo.click()
  await expect(page.getByRole('status').filter({ hasText: 'Undone' })).toBeVisible()
  await expect(dialog).toBeVisible()
})
