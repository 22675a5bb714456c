import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { axeViolations } from './axe.ts'
import { launchOptions } from './browser.ts'
import { codeFilm, codePicture } from './codes.ts'
import { expect, test } from './test.ts'

const home = '/pages/tab/index/index'

test('reads a code from a picture without a camera or requests to other origins', async ({
  page,
  baseURL,
}) => {
  const elsewhere: string[] = []
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (protocol.startsWith('http') && origin !== baseURL) elsewhere.push(request.url())
  })
  const refused: string[] = []
  page.on(
    'console',
    (message) => /Content Security/.test(message.text()) && refused.push(message.text()),
  )
  await page.goto(home)
  await page.getByRole('button', { name: '扫一扫' }).click()
  const sheet = page.getByRole('dialog', { name: '扫一扫' })
  await expect(sheet.getByRole('status')).toContainText('从相册选择图片')
  expect(await axeViolations(page)).toEqual([])

  await sheet.getByLabel('从相册选择').setInputFiles({
    name: 'empty.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"/>'),
  })
  await expect(sheet.getByRole('status')).toContainText('没有识别到')
  await sheet.getByLabel('从相册选择').setInputFiles({
    name: 'code.png',
    mimeType: 'image/png',
    buffer: await codePicture('借书证 2026-0417'),
  })
  await expect(page.getByRole('heading', { level: 1, name: '扫描结果' })).toBeVisible()
  await expect(page.getByText('借书证 2026-0417')).toBeVisible()
  expect(elsewhere).toEqual([])
  expect(refused).toEqual([])
})

test('a scanned address on the allowlist is opened', async ({ page }) => {
  await page.goto(home)
  await page.getByRole('button', { name: '扫一扫' }).click()
  await page.getByLabel('从相册选择').setInputFiles({
    name: 'code.png',
    mimeType: 'image/png',
    buffer: await codePicture('https://www.jianglan.example/a'),
  })
  await expect(page).toHaveURL(/\/pages\/webview\/webview\?url=https%3A%2F%2Fwww.jianglan/)
})

test('a scanned text is copied unchanged', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const text = '<b>1</b>\nhttps://example.org'
  await page.goto(`/pages/scanCode/plainText?text=${encodeURIComponent(text)}`)
  await page.getByRole('button', { name: '复制内容' }).click()
  await expect(page.getByRole('status').filter({ hasText: '已复制' })).toBeVisible()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(text)
  await expect(page.getByRole('button', { name: '打开链接' })).toHaveCount(0)
})

test('a scanned external address opens only on request, through the warning page', async ({
  page,
}) => {
  await page.goto('/pages/scanCode/plainText?text=https%3A%2F%2Fexample.org%2Fa')
  await expect(page.getByText('example.org', { exact: false }).last()).toBeVisible()
  await page.getByRole('button', { name: '打开链接' }).click()
  await expect(page).toHaveURL(/\/pages\/webview\/webview\?url=https%3A%2F%2Fexample.org%2Fa/)
})

test('reads a code from the camera', async ({ playwright, baseURL }) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'atrium-camera-'))
  const film = path.join(folder, 'code.y4m')
  await writeFile(film, await codeFilm(`${baseURL}/pages/service/search?keyWords=library`))
  const browser = await playwright.chromium.launch({
    ...launchOptions,
    args: [
      ...(launchOptions.args ?? []),
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${film}`,
    ],
  })
  const page = await browser.newPage({ baseURL, locale: 'zh-CN' })
  await page.goto(home)
  await page.getByRole('button', { name: '扫一扫' }).click()
  await expect(page).toHaveURL(/\/pages\/service\/search\?keyWords=library/)
  await browser.close()
  await rm(folder, { recursive: true })
})

test.describe('a member', () => {
  test.use({ as: 'student' })

  test('scanning a seat code shows the details from its system and leads to the booking', async ({
    page,
  }) => {
    await page.goto(home)
    await page.getByRole('button', { name: '扫一扫' }).click()
    await page.getByLabel('从相册选择').setInputFiles({
      name: 'seat.png',
      mimeType: 'image/png',
      buffer: await codePicture('JL-SEAT-3F-017'),
    })
    await expect(page.getByText('图书馆 3 层 017 座').first()).toBeVisible()
    await expect(page.getByText('08:00–22:00')).toBeVisible()
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: '继续' }).click()
    await expect(page.getByText('座位预约').first()).toBeVisible()
  })
})
