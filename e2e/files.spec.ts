import { randomBytes } from 'node:crypto'
import { endpoints } from '@atrium/contract'
import type { Page } from '@playwright/test'
import { axeViolations } from './axe.ts'
import { idToken } from './session.ts'
import { expect, test } from './test.ts'

test.use({ as: 'student' })

const words = '江岚大学教务处'
/** A minimal PDF with a Chinese font that is not embedded: its characters come from our own tables. */
const chinesePdf = Buffer.from(
  [
    '%PDF-1.4',
    '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
    '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj',
    `4 0 obj<</Length ${24 + words.length * 4 + 8}>>stream`,
    `BT /F 24 Tf 20 100 Td <${Buffer.from(words, 'utf16le').swap16().toString('hex')}> Tj ET`,
    'endstream endobj',
    '5 0 obj<</Type/Font/Subtype/Type0/BaseFont/STSong-Light/Encoding/UniGB-UCS2-H/DescendantFonts[6 0 R]>>endobj',
    '6 0 obj<</Type/Font/Subtype/CIDFontType0/BaseFont/STSong-Light/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 2>>/FontDescriptor 7 0 R>>endobj',
    '7 0 obj<</Type/FontDescriptor/FontName/STSong-Light/Flags 6/Ascent 880/Descent -120/CapHeight 700/StemV 90/ItalicAngle 0/FontBBox[0 -120 1000 880]>>endobj',
    'trailer<</Root 1 0 R/Size 8>>',
    '%%EOF',
  ].join('\n'),
)

async function choose(page: Page, ...given: { name: string; bytes: Buffer }[]) {
  await page.goto('/pages/myInfo/files')
  await page
    .getByLabel('添加文件')
    .setInputFiles(given.map(({ name, bytes }) => ({ name, mimeType: '', buffer: bytes })))
}
const open = (page: Page, name: string) =>
  page.getByRole('list', { name: '已上传的文件' }).getByRole('link', { name }).first().click()

test('an uploaded file is listed, previewed, downloaded and deleted', async ({ page }) => {
  const name = `成绩 ${randomBytes(3).toString('hex')}.csv`
  const csv = Buffer.from(`姓名,分数\n林知夏,${randomBytes(4).toString('hex')}\n`)
  await choose(page, { name, bytes: csv }, { name: 'a.exe', bytes: Buffer.from('MZ') })
  await expect(page.getByText('已上传', { exact: true })).toBeVisible()
  // A refused file shows the reason and offers no retry.
  await expect(page.getByText('不支持上传这种类型的文件')).toBeVisible()
  await expect(page.getByRole('button', { name: '重新上传 a.exe' })).toHaveCount(0)
  const row = page
    .getByRole('list', { name: '已上传的文件' })
    .getByRole('listitem')
    .filter({ hasText: name })
  await expect(row).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await open(page, name)
  await expect(page.getByRole('heading', { name })).toBeVisible()
  await expect(page.getByRole('cell', { name: '林知夏' })).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  const coming = page.waitForEvent('download')
  await page.getByRole('link', { name: `下载 ${name}` }).click()
  expect((await coming).suggestedFilename()).toBe(name)
  await page.getByRole('button', { name: '返回' }).click()
  await row.getByRole('button', { name: `删除 ${name}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(row).toHaveCount(0)
})

test('a PDF is rendered with the portal’s own character maps', async ({ page }) => {
  const refused: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy|eval/i.test(message.text())) refused.push(message.text())
  })
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  await choose(page, { name: '通知.pdf', bytes: chinesePdf })
  await open(page, '通知.pdf')
  const drawn = page.getByRole('img', { name: '第 1 页，共 1 页' })
  await expect(drawn).toBeVisible()
  await expect(page.getByText(words)).toBeAttached()
  expect(requested.some((path) => /^\/assets\/pdf-[\d.]+\/cmaps\/UniGB-UCS2-H/.test(path))).toBe(
    true,
  )
  expect(refused).toEqual([])
  expect(await axeViolations(page)).toEqual([])
})

test('a large upload resumes after a connection reset', async ({ page }) => {
  const bytes = Buffer.concat([
    Buffer.from('RIFF\0\0\0\0WAVEfmt ', 'latin1'),
    randomBytes(5_000_000),
  ])
  let pieces = 0
  let broken = 0
  await page.route('**/files/resumable/*', async (route) => {
    if (route.request().method() === 'PATCH') pieces++
    if (pieces === 2 && broken === 0) {
      broken++
      return route.abort('connectionreset')
    }
    return route.continue()
  })
  await choose(page, { name: '讲座录音.wav', bytes })
  await expect(page.getByText('已上传', { exact: true })).toBeVisible()
  expect([broken, pieces]).toEqual([1, 4])
  await open(page, '讲座录音.wav')
  await expect(page.getByRole('heading', { name: '讲座录音.wav' })).toBeVisible()
})

test('an upload in progress can be cancelled', async ({ page }) => {
  let release = () => {}
  await page.route('**/files/upload', async (route) => {
    await new Promise<void>((resolve) => {
      release = resolve
    })
    await route.continue().catch(() => {})
  })
  await choose(page, { name: '慢.txt', bytes: Buffer.from('x') })
  await page.getByRole('button', { name: '取消上传 慢.txt' }).click()
  await expect(page.getByText('慢.txt')).toHaveCount(0)
  release()
})

test('the file viewer requests nothing from other sites and reports invalid addresses', async ({
  page,
}) => {
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).hostname))
  const at = (url: string) => page.goto(`/pagesA/news/video?url=${encodeURIComponent(url)}`)
  await at('https://films.example/a.mp4')
  await expect(page.getByText('这段内容在 films.example 上')).toBeVisible()
  await expect(page.getByRole('link', { name: '继续前往' })).toHaveAttribute(
    'href',
    /webview\?url=https/,
  )
  await at('javascript:alert(1)')
  await expect(page.getByText('不能打开这个地址')).toBeVisible()
  // An id without a signature, of somebody else's file.
  await at('/files/999999999')
  await expect(page.getByText('文件不存在或链接已过期')).toBeVisible()
  await expect(page.getByRole('button', { name: '重试' })).toHaveCount(0)
  expect(requested.filter((host) => host !== 'localhost')).toEqual([])
})

test('an uploaded HTML page is served as sandboxed plain text', async ({ request, baseURL }) => {
  const answer = await request.post(endpoints.files.upload.path, {
    headers: { 'x-id-token': await idToken(baseURL ?? '', 'student') },
    multipart: {
      file: {
        name: 'page.txt',
        mimeType: 'text/html',
        buffer: Buffer.from('<script>alert(1)</script>'),
      },
    },
  })
  const { data } = await answer.json()
  const served = await request.get(data.url)
  expect(served.headers()).toMatchObject({
    'content-type': 'text/plain',
    'x-content-type-options': 'nosniff',
  })
  expect(served.headers()['content-security-policy']).toContain('sandbox')
})
