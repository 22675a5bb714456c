import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { files } from '@atrium/contract/content/files'
import { account } from '@atrium/contract/identity/account'
import { registry } from '@atrium/contract/sso/registry'
import { taskIntegration } from '@atrium/contract/work/task-integration'
import { taskSources } from '@atrium/contract/work/task-sources.operator'
import { tasks } from '@atrium/contract/work/tasks'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../../../test/free-port.ts'
import { systemCaller } from '../../../../test/system-caller.ts'
import { type Caller, openNode, type TestApp, testApp } from '../../../../test/test-app.ts'
import { startOutcomeDelivery } from './outcome-delivery.ts'

let app: TestApp
let teacher: Caller
let staff: Caller
let node: Awaited<ReturnType<typeof openNode>>
let systems: ReturnType<typeof systemCaller>
let stop: () => Promise<void>
const secret = `whsec_${Buffer.from('a secret of thirty-two bytes long').toString('base64')}`
const soon = { timeout: 20_000, interval: 30 }

/** A fake source and the calls it received. */
// biome-ignore lint/suspicious/noExplicitAny: what came is what is tested
const received: any[] = []
const source = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => (body += chunk))
  request.on('end', () => {
    received.push(JSON.parse(body).data)
    response.writeHead(204).end()
  })
})

beforeAll(async () => {
  app = await testApp()
  const admin = await app.as('admin')
  ;[teacher, staff] = await Promise.all([app.as('teacher'), app.as('staff')])
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve))
  const sourcePort = (source.address() as AddressInfo).port
  const port = await freePort()
  node = await openNode(app.url, {
    PORT: String(port),
    ATRIUM_OUTBOUND_ALLOW: `127.0.0.1:${sourcePort}`,
  })
  await node.app.listen({ port, host: '127.0.0.1' })
  stop = startOutcomeDelivery(node.platform).stop
  const origin = `http://localhost:${port}`
  systems = systemCaller({ origin, platform: node.platform, admin })
  await admin(registry.create, {
    body: { code: 'purchasing', name: '采购', redirectUris: [], integrations: ['transaction'] },
  })
  const callbackUrl = `http://127.0.0.1:${sourcePort}/told`
  expect(
    await admin(taskSources.create, {
      body: { code: 'purchasing', name: '采购系统', system: 'purchasing', callbackUrl, secret },
    }),
  ).toMatchObject({ status: 200 })
})
afterAll(async () => {
  await stop()
  await node.app.close()
  await node.platform.close()
  source.close()
})
/** The calls the source received for a task. */
const callsFor = (key: string) => received.filter(({ task }) => task === key)

let keys = 0
/** Puts in a task assigned to the teacher. @returns its key and its id here */
async function put(action: object, step: object = {}) {
  const key = `order-${++keys}`
  const actions = [
    { code: 'approve', text: '同意', ...action },
    { code: 'refuse', text: '不同意' },
  ]
  const answer = await systems.call('purchasing', taskIntegration.put, {
    body: {
      tasks: [
        {
          key,
          title: `采购 ${key}`,
          applicant: { username: 'student' },
          steps: [{ key: 's1', username: 'teacher', name: '审批', actions, ...step }],
        },
      ],
    },
  })
  expect(answer.status).toBe(200)
  const { id } = await app.platform.db
    .selectFrom('task')
    .select('id')
    .where('source_key', '=', key)
    .executeTakeFirstOrThrow()
  return { key, id }
}
const handle = (caller: Caller, id: string, body: object = {}) =>
  caller(tasks.handle, { params: { id }, body: { action: 'approve', ...body } as never })
const minutesLater = (minutes: number) =>
  sql`update session set confirmed_at = confirmed_at - make_interval(mins => ${minutes})`.execute(
    app.platform.db,
  )
const confirm = (caller: Caller) =>
  caller(account.confirm, { body: { password: 'Atrium-demo-2026' } })
const due = { status: 403, error: 'session.confirmation_due' }

describe('an action that requires confirmation', () => {
  test('is rejected without a recent one and sent to the source once with it', async () => {
    const { key, id } = await put({ confirm: true, comment: 'required' })
    await minutesLater(11)
    // Input is validated first, so that nobody re-authenticates in vain.
    expect((await handle(teacher, id)).fields).toHaveProperty('comment')
    expect(await handle(teacher, id, { comment: '好' })).toMatchObject(due)
    expect((await teacher(tasks.read, { params: { id } })).data).toMatchObject({ waits: true })
    // Another member learns nothing of it.
    expect((await handle(staff, id, { comment: '好' })).status).toBe(404)
    expect((await confirm(teacher)).status).toBe(200)
    expect((await handle(teacher, id, { comment: '好' })).status).toBe(200)
    await expect.poll(() => callsFor(key), soon).toMatchObject([{ task: key, comment: '好' }])
  })

  test('does not affect the other actions', async () => {
    const { id } = await put({ confirm: true })
    await minutesLater(11)
    expect((await handle(teacher, id, { action: 'refuse' })).status).toBe(200)
  })

  test('in a batch is checked before any task is handled', async () => {
    const [plain, proof, foreign] = [
      await put({}),
      await put({ confirm: true }),
      await put({ confirm: true }, { username: 'staff' }),
    ]
    await minutesLater(11)
    const batch = (...ids: string[]) =>
      teacher(tasks.batchHandle, { body: { ids, action: 'approve', comment: '' } })
    expect(await batch(plain.id, proof.id)).toMatchObject(due)
    expect((await teacher(tasks.read, { params: { id: plain.id } })).data.waits).toBe(true)
    // Another member's task requires no confirmation.
    const alone = await batch(plain.id, foreign.id)
    expect(alone.data.map(({ error }) => error)).toEqual(['', 'task.not_found'])
    await confirm(teacher)
    expect((await batch(proof.id)).data).toMatchObject([{ error: '' }])
  })
})

describe('files of an action', () => {
  const fields = [{ name: 'scan', label: '扫描件', kind: 'files', accept: ['txt'], most: 2 }]
  async function upload(name: string, username = 'teacher') {
    const boundary = 'x-test-boundary'
    const response = await app.app.inject({
      method: 'POST',
      url: files.upload.path,
      payload: `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n${name} ${++keys}\r\n--${boundary}--\r\n`,
      headers: {
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'x-id-token': await app.tokenOf(username),
      },
    })
    return response.json().data.id as string
  }

  test('are sent to the source as signed links and shown on the timeline', async () => {
    const { key, id } = await put({ fields })
    const ids = [await upload('二.txt'), await upload('一.txt')]
    expect((await handle(teacher, id, { files: { scan: ids } })).status).toBe(200)
    await expect
      .poll(() => callsFor(key), soon)
      .toMatchObject([
        { task: key, files: { scan: [{ name: '二.txt', mediaType: 'text/plain' }, {}] } },
      ])
    const [{ url, size }] = callsFor(key)[0].files.scan
    const answer = await fetch(url)
    const text = await answer.text()
    expect(text).toMatch(/^二\.txt \d+$/)
    expect(Buffer.byteLength(text)).toBe(size)
    expect((await fetch(url.replace(/signature=./, 'signature=~'))).status).toBe(404)
    const minutes = (Number(new URL(url).searchParams.get('expires')) * 1000 - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(50)
    expect(minutes).toBeLessThan(61)
    // The applicant sees them along with the decision; other members see nothing.
    const student = await app.as('student')
    const records = await student(tasks.records, { params: { id } })
    expect(records.data.at(-1)?.files.map(({ name }) => name)).toEqual(['二.txt', '一.txt'])
    expect((await staff(tasks.records, { params: { id } })).status).toBe(404)
    // A file on a timeline cannot be deleted.
    const [file = ''] = ids
    expect((await teacher(files.remove, { params: { id: file } })).error).toBe('file.in_use')
    const { data } = await systems.call('purchasing', taskIntegration.outcomes, { query: '' })
    expect(data.at(-1).files.scan).toHaveLength(2)
  })

  test('must be the member’s own, of an accepted type, within the limit and scanned', async () => {
    const { id } = await put({ fields: [{ ...fields[0], required: true }] })
    const give = async (scan: string[], more: object = {}) =>
      (await handle(teacher, id, { files: { scan, ...more } })).fields
    const required = (await handle(teacher, id)).fields
    expect(Object.keys(required ?? {})).toEqual(['form.scan'])
    const own = await upload('三.txt')
    expect(await give([await upload('别人.txt', 'staff')])).toEqual({ 'form.scan': '不存在' })
    expect(await give([await upload('图.md')])).toEqual({ 'form.scan': '格式不对' })
    expect(await give([own, await upload('四.txt'), await upload('五.txt')])).toEqual({
      'form.scan': '长度不对',
    })
    expect(Object.keys((await give([own], { other: [own] })) ?? {})).toEqual(['form.other'])
    // Files are held until scanned for viruses.
    await app.platform.db
      .updateTable('file')
      .set({ scanned: false })
      .where('id', '=', own)
      .execute()
    expect((await handle(teacher, id, { files: { scan: [own] } })).error).toBe('file.held')
    await app.platform.db.updateTable('file').set({ scanned: true }).where('id', '=', own).execute()
    expect((await handle(teacher, id, { files: { scan: [own] } })).status).toBe(200)
  })
})
