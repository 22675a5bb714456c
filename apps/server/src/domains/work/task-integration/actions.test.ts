import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { account } from '@atrium/contract/identity/account'
import { registry } from '@atrium/contract/sso/registry'
import { taskIntegration } from '@atrium/contract/work/task-integration'
import { taskSources } from '@atrium/contract/work/task-sources.operator'
import { tasks } from '@atrium/contract/work/tasks'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '../../../../test/free-port.ts'
import { systemCaller } from '../../../../test/system-caller.ts'
import { type Caller, openNode, type TestApp, testApp } from '../../../../test/test-app.ts'
import { startTelling } from './tell.ts'

let app: TestApp
let teacher: Caller
let staff: Caller
let node: Awaited<ReturnType<typeof openNode>>
let systems: ReturnType<typeof systemCaller>
let stop: () => Promise<void>
const secret = `whsec_${Buffer.from('a secret of thirty-two bytes long').toString('base64')}`
const soon = { timeout: 20_000, interval: 30 }

/** The source, and what it was told. */
// biome-ignore lint/suspicious/noExplicitAny: what came is what is tested
const told: any[] = []
const source = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => (body += chunk))
  request.on('end', () => {
    told.push(JSON.parse(body).data)
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
  stop = startTelling(node.platform).stop
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
beforeEach(() => {
  told.length = 0
})

let keys = 0
/** Puts a task in that waits for the teacher. @returns its key and its id here */
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
const handle = (who: Caller, id: string, body: object = {}) =>
  who(tasks.handle, { params: { id }, body: { action: 'approve', ...body } as never })
const minutesLater = (minutes: number) =>
  sql`update session set confirmed_at = confirmed_at - make_interval(mins => ${minutes})`.execute(
    app.platform.db,
  )
const confirm = (who: Caller) => who(account.confirm, { body: { password: 'Atrium-demo-2026' } })
const due = { status: 403, error: 'session.confirmation_due' }

describe('an action that wants a fresh proof', () => {
  test('is not done without one, and is told once with one', async () => {
    const { key, id } = await put({ confirm: true, comment: 'required' })
    await minutesLater(11)
    // What is wrong is said first: nobody shows who they are for nothing.
    expect((await handle(teacher, id)).fields).toHaveProperty('comment')
    expect(await handle(teacher, id, { comment: '好' })).toMatchObject(due)
    expect((await teacher(tasks.read, { params: { id } })).data).toMatchObject({ waits: true })
    // Somebody else hears nothing of it.
    expect((await handle(staff, id, { comment: '好' })).status).toBe(404)
    expect((await confirm(teacher)).status).toBe(200)
    expect((await handle(teacher, id, { comment: '好' })).status).toBe(200)
    await expect.poll(() => told, soon).toMatchObject([{ task: key, comment: '好' }])
  })

  test('leaves the other actions alone', async () => {
    const { id } = await put({ confirm: true })
    await minutesLater(11)
    expect((await handle(teacher, id, { action: 'refuse' })).status).toBe(200)
  })

  test('in a batch asks once, before anything is done', async () => {
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
    // What belongs to somebody else asks for nothing.
    const alone = await batch(plain.id, foreign.id)
    expect(alone.data.map(({ error }) => error)).toEqual(['', 'task.not_found'])
    await confirm(teacher)
    expect((await batch(proof.id)).data).toMatchObject([{ error: '' }])
  })
})
