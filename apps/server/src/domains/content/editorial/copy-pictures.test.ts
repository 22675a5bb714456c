import { newsConsole } from '@atrium/contract/content/editorial.operator'
import { files } from '@atrium/contract/content/files'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { feedServer } from '../../../../test/feed-server.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'

let app: TestApp
let site: Awaited<ReturnType<typeof feedServer>>
let editor: Caller

beforeAll(async () => {
  app = await testApp()
  site = await feedServer()
  Object.assign(app.platform.env, { ATRIUM_OUTBOUND_ALLOW: `127.0.0.1/32:${site.port}` })
  editor = await app.as('admin')
})

const copy = (...addresses: string[]) => editor(newsConsole.copyPictures, { body: { addresses } })
const picture = (format: 'png' | 'jpeg' = 'png') =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: '#2458c5' } })
    .toFormat(format)
    .toBuffer()

test('pictures from another site are stored as files of the editor, in the requested order', async () => {
  site.hold('/mmbiz/%E6%A0%A1%E5%9B%AD.png', await picture())
  site.hold('/640?wx_fmt=jpeg', await picture('jpeg'))
  const addresses = [
    site.address('/mmbiz/%E6%A0%A1%E5%9B%AD.png'),
    site.address('/gone.png'),
    site.address('/640?wx_fmt=jpeg'),
  ]
  const { status, data } = await copy(...addresses)
  expect(status).toBe(200)
  expect(data.map(({ address }) => address)).toEqual(addresses)
  const [first, gone, second] = data
  expect(gone?.url).toBeNull()
  for (const url of [first?.url, second?.url]) {
    const answer = await app.app.inject({ url: url ?? '' })
    expect(answer.statusCode).toBe(200)
    expect((await sharp(answer.rawPayload).metadata()).width).toBe(40)
  }
  const own = (await editor(files.mine)).data.list.map(({ url }) => url.split('?')[0])
  for (const url of [first?.url, second?.url]) expect(own).toContain(url?.split('?')[0])
})

test('files that are not pictures, are too large or have internal addresses are not copied', async () => {
  site.hold('/page.png', Buffer.from('<html><script>alert(1)</script></html>'))
  site.hold('/drawing.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
  site.hold('/huge.png', Buffer.alloc(5_100_000, 1))
  const paths = ['/page.png', '/drawing.svg', '/huge.png']
  const { data } = await copy(
    ...paths.map(site.address),
    'http://127.0.0.1:9/a.png',
    'http://169.254.169.254/latest/meta-data/',
    'http://user:secret@[::1]/a.png',
  )
  expect(data.map(({ url }) => url)).toEqual([null, null, null, null, null, null])
})

test('other URL schemes, empty lists and too many addresses are rejected', async () => {
  for (const addresses of [
    ['file:///etc/passwd'],
    ['javascript:alert(1)'],
    [],
    Array.from({ length: 21 }, (_, at) => site.address(`/${at}.png`)),
  ])
    expect((await copy(...addresses)).status).toBe(400)
})

test('members without the content permission are rejected', async () => {
  const student = await app.as('student')
  const body = { addresses: [site.address('/mmbiz/%E6%A0%A1%E5%9B%AD.png')] }
  expect((await student(newsConsole.copyPictures, { body })).status).toBe(403)
})
