import { registry } from '@atrium/contract/sso/registry'
import { messageIntegration } from '@atrium/contract/work/message-integration'
import { messageApps } from '@atrium/contract/work/message-integration.operator'
import { messages } from '@atrium/contract/work/messages'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../../../test/free-port.ts'
import { systemCaller } from '../../../../test/system-caller.ts'
import { openNode, type TestApp, testApp } from '../../../../test/test-app.ts'
import { collectFiles } from '../../content/files/collect-garbage.ts'

let app: TestApp
let node: Awaited<ReturnType<typeof openNode>>
let origin: string
let systems: ReturnType<typeof systemCaller>

beforeAll(async () => {
  app = await testApp()
  const admin = await app.as('admin')
  const port = await freePort()
  node = await openNode(app.url, { PORT: String(port) })
  await node.app.listen({ port, host: '127.0.0.1' })
  origin = `http://localhost:${port}`
  systems = systemCaller({ origin, platform: node.platform, admin })
  for (const code of ['loan-system', 'other-system']) {
    const body = { code, name: code, redirectUris: [], integrations: ['message' as const] }
    expect((await admin(registry.create, { body })).status).toBe(200)
    const created = await admin(messageApps.create, {
      body: {
        code: `app-of-${code}`,
        name: '借阅提醒',
        icon: { glyph: 'library', tone: 'violet' },
        system: code,
        kinds: [{ code: 'general', name: '通知' }],
      } as never,
    })
    expect(created.status, created.raw).toBe(200)
  }
})
afterAll(async () => {
  await node.app.close()
  await node.platform.close()
})

async function upload(bytes: string, name: string, system = 'loan-system') {
  const form = new FormData()
  form.append('file', new Blob([bytes]), name)
  const response = await fetch(`${origin}${messageIntegration.upload.path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await systems.tokenOf(system)}` },
    body: form,
  })
  // biome-ignore lint/suspicious/noExplicitAny: what came back is what is tested
  return { status: response.status, ...((await response.json()) as any) }
}
let keys = 0
const send = (attachments: { fileId: string }[], system = 'loan-system') =>
  systems.call(system, messageIntegration.send, {
    body: {
      key: `key-${++keys}`,
      app: `app-of-${system}`,
      title: '账单',
      to: { usernames: ['student'] },
      attachments,
    },
  })

test('an uploaded file is attached to the message for its recipients only', async () => {
  const { status, data } = await upload('日期,金额\n1,2\n', '账单.csv')
  expect(status).toBe(200)
  expect(data).toMatchObject({ name: '账单.csv', size: 18, mediaType: expect.any(String) })
  const sent = await send([{ fileId: data.fileId }])
  expect(sent.status, JSON.stringify(sent)).toBe(200)
  const student = await app.as('student')
  const read = (await student(messages.read, { query: { id: sent.data.id } })).data
  expect(read.attachments).toMatchObject([{ id: data.fileId, name: '账单.csv', size: 18 }])
  const address = read.attachments[0]?.url ?? ''
  expect(await (await fetch(`${origin}${address}`)).text()).toBe('日期,金额\n1,2\n')
  // The file cannot be read without the recipient's signed URL, and others do not get one.
  expect((await fetch(`${origin}/files/${data.fileId}`)).status).toBeGreaterThanOrEqual(400)
  const teacher = await app.as('teacher')
  expect((await teacher(messages.read, { query: { id: sent.data.id } })).status).toBe(404)
})

test('files of another system, unknown files and more than ten cannot be attached', async () => {
  const { data } = await upload('x', 'x.txt', 'other-system')
  for (const fileId of [data.fileId, '999999999'])
    expect(await send([{ fileId }])).toMatchObject({
      status: 400,
      error: 'request.invalid',
      fields: { 'attachments.0.fileId': expect.any(String) },
    })
  expect((await send([{ fileId: data.fileId }], 'other-system')).status).toBe(200)
  const eleven = Array.from({ length: 11 }, () => ({ fileId: data.fileId }))
  expect((await send(eleven, 'other-system')).status).toBe(400)
})

test.each([
  ['a program', 'MZ', 'setup.exe', 415, 'file.type_refused'],
  ['an HTML page', '<script>x()</script>', 'page.html', 415, 'file.type_refused'],
  ['a file without extension', 'x', 'readme', 415, 'file.type_refused'],
  [
    'content that does not match the extension',
    'not a picture',
    'photo.png',
    415,
    'file.content_mismatch',
  ],
  ['an empty file', '', 'empty.txt', 400, 'file.empty'],
])('%s is rejected', async (_, bytes, name, status, error) => {
  expect(await upload(bytes, name)).toMatchObject({ status, error })
})

test.each([
  ['../../etc/passwd.txt', 'passwd.txt'],
  ['C:\\temp\\passwd.txt', 'passwd.txt'],
  ['pass\u202Etxt.exe\u0000.txt', 'passtxt.exe.txt'],
])('the file name %j is stored as %j', async (name, expected) => {
  const { status, data } = await upload('x', name)
  expect({ status, name: data?.name }).toEqual({ status: 200, name: expected })
})

test('visitors, members and systems without the message integration cannot upload', async () => {
  const admin = await app.as('admin')
  const body = { code: 'task-system', name: 'x', redirectUris: [], integrations: ['transaction'] }
  expect((await admin(registry.create, { body })).status).toBe(200)
  const stored = () => sql`select from message_file`.execute(node.platform.db)
  const before = (await stored()).rows.length
  const form = new FormData()
  form.append('file', new Blob(['x']), 'x.txt')
  const statusWith = async (headers: Record<string, string>) =>
    (
      await fetch(`${origin}${messageIntegration.upload.path}`, {
        method: 'POST',
        headers,
        body: form,
      })
    ).status
  const member = await app.tokenOf('admin')
  expect(await statusWith({})).toBe(401)
  expect(await statusWith({ 'x-id-token': member })).toBe(401)
  expect(await statusWith({ authorization: `Bearer ${member}` })).toBe(401)
  const other = `Bearer ${await systems.tokenOf('task-system')}`
  expect(await statusWith({ authorization: other })).toBe(401)
  expect((await stored()).rows).toHaveLength(before)
})

test('the size of unattached files is limited, and attached files do not count', async () => {
  const { db } = node.platform
  const { fileId } = (await upload('large', 'large.txt')).data
  await sql`update file set byte_size = ${1024 ** 3} where id = ${fileId}`.execute(db)
  expect(await upload('one more', 'more.txt')).toMatchObject({
    status: 409,
    error: 'file.quota_full',
  })
  expect((await upload('of another', 'more.txt', 'other-system')).status).toBe(200)
  expect((await send([{ fileId }])).status).toBe(200)
  expect((await upload('one more', 'more.txt')).status).toBe(200)
})

test('an unattached file is deleted, an attached one stays', async () => {
  const kept = (await upload('kept', 'kept.txt')).data.fileId
  const left = (await upload('left', 'left.txt')).data.fileId
  await send([{ fileId: kept }])
  const { db } = node.platform
  await sql`update file set used_at = now() - interval '1 year' where id in (${kept}, ${left})`.execute(
    db,
  )
  await collectFiles(node.platform)
  const { rows } = await sql<{ id: string }>`
    select id from file where id in (${kept}, ${left})`.execute(db)
  expect(rows).toEqual([{ id: kept }])
  expect((await send([{ fileId: left }])).status).toBe(400)
})
