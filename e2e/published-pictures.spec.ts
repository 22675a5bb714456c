import { crc32, deflateSync } from 'node:zlib'
import { endpoints } from '@atrium/contract'
import { axeViolations } from './axe.ts'
import { idToken } from './session.ts'
import { expect, test } from './test.ts'

/** A new single-coloured picture each time: equal bytes would be the same file. */
let shade = 0
function picture(): Buffer {
  shade += 1
  const rows = Buffer.alloc(32 * (1 + 32 * 3), shade)
  for (let row = 0; row < 32; row++) rows[row * 97] = 0
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data])
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    check.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, check])
  }
  const head = Buffer.from([0, 0, 0, 32, 0, 0, 0, 32, 8, 2, 0, 0, 0])
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

test.describe('an operator', () => {
  test.use({ as: 'admin' })

  test('publishes an announcement with pictures and an attachment, which readers see', async ({
    page,
    browser,
    baseURL,
  }) => {
    const asAdmin = { 'x-id-token': await idToken(baseURL ?? '', 'admin') }
    await page.request.post('/console-api/v1/operators', {
      headers: asAdmin,
      data: { username: 'teacher', permission: 'content' },
    })
    await page.goto('/pages/secondWork/gonggao/gonggaoSet?kind=announcement')
    await page.getByLabel('栏目').selectOption({ label: '通知公告' })
    await page.getByLabel('中文标题').fill('看图说话')
    const file = (name: string, mimeType = 'image/png') => ({ name, mimeType, buffer: picture() })
    const choose = (name: string) =>
      page.getByRole('region', { name }).locator('input[type=file]').first()
    await choose('题图').setInputFiles(file('题图.png'))
    await choose('附件').setInputFiles({
      name: '申请表.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('姓名'),
    })
    await expect(page.getByRole('region', { name: '附件' }).getByText('已上传')).toBeVisible()
    await page.getByRole('textbox', { name: '中文正文' }).click()
    await page.getByRole('button', { name: '图片', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: '图片' })
    await dialog.locator('input[type=file]').first().setInputFiles(file('馆内.png'))
    await expect(dialog.getByText('已上传')).toBeVisible()
    await dialog.getByRole('button', { name: '插入' }).click()
    await expect(dialog.getByText('请写明图上有什么，或标为装饰图片')).toBeVisible()
    await dialog.getByLabel('图片说明（替代文字）').fill('馆内')
    await dialog.getByRole('button', { name: '插入' }).click()
    await expect(
      page.getByRole('textbox', { name: '中文正文' }).getByRole('img', { name: '馆内' }),
    ).toBeVisible()
    await expect(page).toHaveURL(/[?&]id=\d+/)
    await expect(page.getByText(/^已保存 /)).toBeVisible()
    expect(await axeViolations(page)).toEqual([])

    const id = new URL(page.url()).searchParams.get('id') ?? ''
    const step = async (who: 'admin' | 'teacher', name: string) => {
      const headers = { 'x-id-token': await idToken(baseURL ?? '', who) }
      const address = `/console-api/news/articles/${id}`
      const { data } = await (await page.request.get(address, { headers })).json()
      const done = await page.request.post(`${address}/${name}`, {
        headers,
        data: { revision: data.revision },
      })
      expect(done.status()).toBe(200)
    }
    await step('admin', 'submission')
    await step('teacher', 'approval')
    await step('teacher', 'publication')

    const reader = await browser.newContext({
      storageState: {
        cookies: [],
        origins: [
          {
            origin: baseURL ?? '',
            localStorage: [{ name: 'idToken', value: await idToken(baseURL ?? '', 'student') }],
          },
        ],
      },
    })
    const theirs = await reader.newPage()
    await theirs.goto(`${baseURL}/pagesA/news/detail?id=${id}`)
    const article = theirs.getByRole('article')
    for (const image of [article.locator('.article-image'), article.getByAltText('馆内')])
      await expect
        .poll(() => image.evaluate((shown) => (shown as HTMLImageElement).naturalWidth))
        .toBeGreaterThan(0)
    await expect(article.getByText('申请表.txt')).toBeVisible()
    await reader.close()
  })
})

test('a visitor can read the uploaded icon of a service only while it is visible to them', async ({
  page,
  baseURL,
}) => {
  const headers = { 'x-id-token': await idToken(baseURL ?? '', 'admin') }
  const sent = await page.request.post(endpoints.files.upload.path, {
    headers,
    multipart: { file: { name: 'icon.png', mimeType: 'image/png', buffer: picture() } },
  })
  const { data: icon } = await sent.json()
  const services = '/console-api/v1/services'
  const listed = await page.request.get(`${services}?keyWords=校车`, { headers })
  const [bus] = (await listed.json()).data.list
  const change = async (part: object) => {
    const read = await page.request.get(`${services}/${bus.serviceId}`, { headers })
    const { data } = await read.json()
    const { serviceId: _, organizationCode: __, typeCode: ___, online: ____, ...content } = data
    const {
      onlineAt: _o,
      haveGuide: _h,
      useCount: _u,
      owners: _w,
      updatedAt: _a,
      ...rest
    } = content
    const done = await page.request.put(`${services}/${bus.serviceId}`, {
      headers,
      data: { ...rest, ...part },
    })
    expect([done.status(), await done.text()]).toEqual([200, expect.anything()])
  }
  const audience = bus.audience
  try {
    await change({ iconFileId: icon.id })
    await page.goto('/pages/tab/service/index')
    const image = page.getByRole('button', { name: '校车' }).first().locator('img')
    await expect
      .poll(() => image.evaluate((shown) => (shown as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(0)
    expect((await page.request.get(`/files/${icon.id}`)).status()).toBe(200)
    await change({ audience: [{ kind: 'identity', target: 'T01' }] })
    expect((await page.request.get(`/files/${icon.id}`)).status()).toBe(404)
  } finally {
    await change({ iconFileId: null, audience })
  }
})
