import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { files } from '@atrium/contract/content/files'
import { audit } from '@atrium/contract/identity/operators.operator'
import { messages } from '@atrium/contract/work/messages'
import { taskSources } from '@atrium/contract/work/task-sources.operator'
import { tasks } from '@atrium/contract/work/tasks'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '../../../../test/free-port.ts'
import { listWrongTaskCounts } from '../../../../test/task-counts.ts'
import { type Caller, openNode, type TestApp, testApp } from '../../../../test/test-app.ts'
import { compareDueSources } from './compare.ts'
import { readConnectorFile } from './connector-rules.ts'
import { startOutcomeDelivery } from './outcome-delivery.ts'

let app: TestApp
let admin: Caller
let teacher: Caller
let staff: Caller
let otherNode: Awaited<ReturnType<typeof openNode>>
let stop: () => Promise<void>
let origin: string
let closedPort: number
const soon = { timeout: 20_000, interval: 30 }

/** A fake system: its answers by path, and the requests it received. */
type ReceivedRequest = {
  method: string
  url: URL
  headers: IncomingMessage['headers']
  body: string
}
type Answer = (request: ReceivedRequest, reply: ServerResponse) => void
const answers = new Map<string, Answer>()
let requests: ReceivedRequest[] = []
const system = createServer((request, reply) => {
  let body = ''
  request.on('data', (chunk) => (body += chunk))
  request.on('end', () => {
    const url = new URL(request.url ?? '/', origin)
    const one = { method: request.method ?? '', url, headers: request.headers, body }
    requests.push(one)
    const answer = answers.get(url.pathname)
    if (answer) answer(one, reply)
    else reply.writeHead(404).end()
  })
})
const json = (reply: ServerResponse, body: unknown, headers: Record<string, string> = {}) =>
  reply.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const respondWith = (path: string, body: unknown) =>
  answers.set(path, (_, reply) => json(reply, typeof body === 'function' ? body() : body))

type Row = { id: string | number; subject: string; approvers?: unknown; [more: string]: unknown }
let rows: Row[] = []
let ids = 0
const row = (more: Partial<Row> = {}): Row => {
  ids++
  return { id: `row-${ids}`, subject: `采购 ${ids}`, approvers: ['teacher'], ...more }
}
const someRows = (n: number, more?: Partial<Row>) => Array.from({ length: n }, () => row(more))

const description = (more: object = {}, task: object = {}) => ({
  everyMinutes: 1,
  timeoutSeconds: 20,
  list: { address: `${origin}/list` },
  items: '/rows',
  task: {
    key: '/id',
    title: '/subject',
    assignees: { each: '/approvers', username: '' },
    ...task,
  },
  ...more,
})
const offers = [
  { code: 'approve', text: '同意', textEn: 'Approve', tone: 'primary', value: 'Y' },
  { code: 'refuse', text: '不同意', tone: 'danger', comment: 'required', value: 'N' },
]

beforeAll(async () => {
  app = await testApp()
  ;[admin, teacher, staff] = await Promise.all([
    app.as('admin'),
    app.as('teacher'),
    app.as('staff'),
  ])
  await new Promise<void>((resolve) => system.listen(0, '127.0.0.1', resolve))
  const { port } = system.address() as AddressInfo
  origin = `http://127.0.0.1:${port}`
  closedPort = await freePort()
  const allow = `127.0.0.1:${port},127.0.0.1:${closedPort}`
  app.platform.env.ATRIUM_OUTBOUND_ALLOW = allow
  const nodePort = await freePort()
  otherNode = await openNode(app.url, { ATRIUM_OUTBOUND_ALLOW: allow, PORT: String(nodePort) })
  // Systems download files from the node that calls them.
  await otherNode.app.listen({ port: nodePort, host: '127.0.0.1' })
  stop = startOutcomeDelivery(otherNode.platform).stop
  for (const code of ['oa', 'shop'])
    expect(await admin(taskSources.create, { body: { code, name: `${code} 系统` } })).toMatchObject(
      {
        status: 200,
        data: { system: '', connected: false, everyMinutes: 0 },
      },
    )
})
afterAll(async () => {
  await stop()
  await otherNode.app.close()
  await otherNode.platform.close()
  system.closeAllConnections()
  system.close()
})
beforeEach(async () => {
  answers.clear()
  requests = []
  rows = []
  respondWith('/list', () => ({ rows }))
  await connect(description())
})

const connect = async (connector: object, secret?: string, code = 'oa') => {
  const answer = await admin(taskSources.connect, {
    params: { code },
    body: { connector: connector as never, ...(secret && { secret }) },
  })
  expect(answer).toMatchObject({ status: 200 })
  return answer.data
}
const stateOf = async (code: string) => {
  const { data } = await admin(taskSources.list, {})
  return data.find((source) => source.code === code) ?? expect.fail(code)
}
/** Runs the job with the source due. */
const poll = async (code = 'oa', platforms = [app.platform]) => {
  await app.platform.db
    .updateTable('task_source')
    .set({
      compare_due_at: sql<string>`case when code = ${code} then now() else now() + interval '1 day' end`,
    })
    .execute()
  await Promise.all(platforms.map(compareDueSources))
  return stateOf(code)
}
async function minutesToNext() {
  const { rows } = await sql<{ minutes: number }>`
    select ceil(extract(epoch from compare_due_at - now()) / 60)::integer as minutes
    from task_source where code = 'oa'`.execute(app.platform.db)
  return rows[0]?.minutes ?? 0
}
const taskRow = (key: string, code = 'oa') =>
  app.platform.db
    .selectFrom('task')
    .innerJoin('task_source', 'task_source.id', 'task.source_id')
    .selectAll('task')
    .where('task_source.code', '=', code)
    .where('source_key', '=', key)
    .executeTakeFirst()
const openKeys = async (code = 'oa') => {
  const found = await app.platform.db
    .selectFrom('task')
    .innerJoin('task_source', 'task_source.id', 'task.source_id')
    .select('source_key')
    .where('task_source.code', '=', code)
    .where('status', 'in', ['progress', 'hang'])
    .execute()
  return found.map(({ source_key }) => source_key ?? '').sort()
}
const keysOf = (list: Row[]) => list.map(({ id }) => String(id)).sort()
const todoOf = async (caller: Caller, title: string) =>
  (await caller(tasks.list, { query: { pageSize: 200 } })).data.list.find(
    (one) => one.title === title,
  )

describe('the list', () => {
  test('creates, updates and reassigns tasks, and ends those no longer listed', async () => {
    const [kept, changed, moved, gone] = someRows(4)
    rows = [kept, changed, moved, gone] as Row[]
    expect(await poll()).toMatchObject({
      connected: true,
      everyMinutes: 1,
      failures: 0,
      compareError: '',
      compared: { listed: 4, created: 4, changed: 0, unread: 0 },
    })
    expect(await todoOf(teacher, gone?.subject ?? '')).toMatchObject({ source: 'oa 系统' })
    const before = (await stateOf('oa')).mended
    rows = [
      kept as Row,
      { ...(changed as Row), subject: '改过的采购' },
      { ...(moved as Row), approvers: ['staff'] },
    ]
    expect(await poll()).toMatchObject({
      compared: { listed: 3, created: 0, changed: 2, ended: 1 },
      mended: before + 3,
    })
    expect(await todoOf(teacher, '改过的采购')).toBeDefined()
    expect(await todoOf(teacher, moved?.subject ?? '')).toBeUndefined()
    expect(await todoOf(staff, moved?.subject ?? '')).toBeDefined()
    expect((await taskRow(String(gone?.id)))?.status).toBe('finish')
    expect(await poll()).toMatchObject({ compared: { created: 0, changed: 0, ended: 0 } })
    expect(await openKeys()).toEqual(keysOf(rows))
  })

  test('maps the fields of the external system to tasks', async () => {
    await connect(
      description(
        { action: { address: `${origin}/do`, offers } },
        {
          key: { text: '{/id}:{/node}' },
          version: '/changed',
          note: '/memo',
          url: { text: 'https://oa.example.edu/view?id={/id}&half={/half}' },
          status: { at: '/state', values: { 1: 'progress', 2: 'hang' }, otherwise: 'progress' },
          urgent: '/level',
          createdAt: '/made',
          dueAt: '/limit',
          applicant: { number: '/who/no', person: '/who/name' },
          form: [
            { label: '金额', value: '/amount' },
            { label: '空', value: '/nothing' },
          ],
          step: { text: '审批' },
          assignees: { username: '/approvers/0' },
          actions: '/can',
        },
      ),
    )
    rows = [
      row({
        id: 'a b&c',
        node: 7,
        changed: '2026-11-20 08:00:00',
        memo: '一行\n两行',
        state: 1,
        level: 1,
        made: 1_764_000_000,
        limit: '2026-12-01',
        who: { no: 'none-such', name: '林同学' },
        amount: 12.5,
        half: '\ud800',
        can: 'approve, unknown',
      }),
    ]
    const state = await poll()
    expect(state).toMatchObject({ compareError: '', compared: { created: 1 } })
    const task = await taskRow('a b&c:7')
    expect(task).toMatchObject({
      note: '一行 两行',
      urgent: true,
      applicant_name: '林同学',
      url: 'https://oa.example.edu/view?id=a%20b%26c&half=%EF%BF%BD',
      form: [{ label: '金额', value: '12.5' }],
    })
    expect(Date.parse(task?.due_at ?? '')).toBe(Date.parse('2026-12-01T23:59:59+08:00'))
    expect(Date.parse(task?.created_at ?? '')).toBe(1_764_000_000_000)
    expect(Number(task?.source_version)).toBe(Date.parse('2026-11-20T08:00:00Z'))
    const todo = await todoOf(teacher, rows[0]?.subject ?? '')
    expect(todo?.actions.map(({ code }) => code)).toEqual(['approve'])
    expect(todo?.actions[0]).not.toHaveProperty('value')
  })

  test('is requested with its ETag, but in full after an unknown assignee', async () => {
    let tag = '"1"'
    answers.set('/list', ({ headers }, reply) =>
      headers['if-none-match'] === tag
        ? reply.writeHead(304).end()
        : json(reply, { rows }, { etag: tag }),
    )
    rows = someRows(2)
    expect(await poll()).toMatchObject({ compared: { created: 2 } })
    const { comparedAt } = await stateOf('oa')
    const again = await poll()
    expect(requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, tag])
    expect(again).toMatchObject({ compareError: '', compared: { created: 2 } })
    expect(again.comparedAt).not.toBe(comparedAt)
    tag = '"2"'
    rows = [...rows, row({ approvers: ['nobody-here'] })]
    await poll()
    await poll()
    expect(requests.map(({ headers }) => headers['if-none-match']).slice(2)).toEqual([
      '"1"',
      undefined,
    ])
  })

  test('with an unknown assignee is written once, and again when they are known', async () => {
    rows = [row({ approvers: ['late-teacher', 'teacher'] })]
    await poll()
    expect(await poll()).toMatchObject({ compared: { created: 0, changed: 0 } })
    await sql`insert into account (username, person_id, identity_type_code, organization_id)
      select 'late-teacher', person_id, identity_type_code, organization_id from account where username = 'staff'`.execute(
      app.platform.db,
    )
    expect(await poll()).toMatchObject({ compared: { created: 0, changed: 1 } })
    expect(await poll()).toMatchObject({ compared: { created: 0, changed: 0 } })
  })

  test('does not end tasks that unreadable or duplicate rows may refer to', async () => {
    const [kept, unread, gone] = someRows(3) as [Row, Row, Row]
    rows = [kept, unread, gone]
    await poll()
    rows = [kept, { ...unread, subject: '' }]
    expect(await poll()).toMatchObject({
      compared: { listed: 2, ended: 1, unread: 1 },
      compareError: 'page 1, /rows/1/subject (/task/title) is missing',
      failures: 0,
    })
    expect(await openKeys()).toEqual(keysOf([kept, unread]))
    // A task without a key could be any of ours.
    rows = [{ ...kept, id: '' }]
    expect((await poll()).compareError).toContain('no tasks were ended')
    expect(await openKeys()).toEqual(keysOf([kept, unread]))
    rows = [kept, { ...kept, subject: '又一次' }]
    expect((await poll()).compareError).toContain(`${kept.id} is listed twice; no tasks were ended`)
    expect(await openKeys()).toEqual(keysOf([kept, unread]))
    // All tasks are ended only after a second empty list.
    rows = []
    expect(await poll()).toMatchObject({
      compared: { listed: 0, ended: 0 },
      compareError: 'the list is empty; its tasks are ended only if it is empty again next time',
    })
    expect(await openKeys()).toEqual(keysOf([kept, unread]))
    expect(await poll()).toMatchObject({ compared: { listed: 0, ended: 2 }, compareError: '' })
    expect(await openKeys()).toEqual([])
  })

  test('with hostile values is stored as short plain text in its own source', async () => {
    const evil = '<img src=x onerror=alert(1)>\u0000\u202etxt\u0007 \ud800'
    rows = [
      row({ id: 'shared', subject: evil, link: 'javascript:alert(1)' }),
      row({ subject: 'x'.repeat(5000) + '😀'.repeat(100), link: 'https://a:b@oa.example.edu/' }),
      row({ subject: `${'x'.repeat(199)}😀`, link: '/view/1' }),
      row({ subject: { a: 1 }, id: '__proto__' } as never),
      row({ id: 'constructor', approvers: 'teacher' }),
      row({ id: 'half', half: '\ud800' }),
    ]
    const task = { url: '/link', note: '/__proto__/x', version: '/constructor' }
    const form = [{ label: '半', value: { text: '{/half}' } }]
    await connect(description({}, { ...task, form, createdAt: { text: '{/half}' } }))
    await connect(description({}, { title: { text: '别的系统' } }), undefined, 'shop')
    await poll('shop')
    rows = rows.slice()
    const state = await poll()
    expect(state.compareError).toContain('/rows/0/link (/task/url) is not an https address')
    expect(state.compareError).toContain('more problems')
    expect(state).toMatchObject({ compared: { listed: 6, created: 4, unread: 2 } })
    expect((await taskRow('shared'))?.title).toBe('<img src=x onerror=alert(1)>txt \ufffd')
    expect((await taskRow('shared'))?.url).toBe('')
    expect((await taskRow(String(rows[1]?.id)))?.title).toHaveLength(200)
    const last = await taskRow(String(rows[2]?.id))
    expect(last?.title).toBe('x'.repeat(199))
    // Resolved against the list's address, which is not https here.
    expect(last?.url).toBe('')
    expect((await taskRow('shared', 'shop'))?.title).toBe('别的系统')
    rows = []
    await poll()
    expect((await taskRow('shared', 'shop'))?.status).toBe('progress')
    await poll('shop')
  })
})

describe('pages', () => {
  const paged = (paging: object) => description({ paging })
  const pageOf = (start: number, size: number) => rows.slice(start, start + size)
  /** The system caps pages at three items, whatever size is requested. */
  const cap = 3

  test.each<[string, object, Answer]>([
    [
      'by number, with a cap and no total',
      { kind: 'page', parameter: 'p', sizeParameter: 'size', size: 100 },
      ({ url }, reply) =>
        json(reply, { rows: pageOf((Number(url.searchParams.get('p')) - 1) * cap, cap) }),
    ],
    [
      'by number from 0, with a total',
      { kind: 'page', parameter: 'p', first: 0, total: '/meta/total' },
      ({ url }, reply) =>
        json(reply, {
          rows: pageOf(Number(url.searchParams.get('p')) * cap, cap),
          meta: { total: String(rows.length) },
        }),
    ],
    [
      'by offset',
      { kind: 'offset', parameter: 'skip', sizeParameter: 'take', size: 100 },
      ({ url }, reply) => json(reply, { rows: pageOf(Number(url.searchParams.get('skip')), cap) }),
    ],
    [
      'by cursor, with an empty page between',
      { kind: 'cursor', parameter: 'after', next: '/next' },
      ({ url }, reply) => {
        const at = Number(url.searchParams.get('after') ?? 0)
        if (at === 3 && !url.searchParams.get('after')?.endsWith('b'))
          return json(reply, { rows: [], next: '3.0b' })
        const start = Number.isNaN(at) ? 3 : at
        json(reply, {
          rows: pageOf(start, cap),
          next: start + cap < rows.length ? String(start + cap) : null,
        })
      },
    ],
    [
      'by a link in the response',
      { kind: 'link', next: '/next' },
      ({ url }, reply) => {
        const at = Number(url.searchParams.get('at') ?? 0)
        json(reply, {
          rows: pageOf(at, cap),
          next: at + cap < rows.length ? `/list?at=${at + cap}` : '',
        })
      },
    ],
    [
      'by the Link header',
      { kind: 'link' },
      ({ url }, reply) => {
        const at = Number(url.searchParams.get('at') ?? 0)
        const link = `<${origin}/list?at=0>; rel="first", <${origin}/list?at=${at + cap}>; title="a, b"; rel="next last"`
        json(reply, { rows: pageOf(at, cap) }, at + cap < rows.length ? { link } : {})
      },
    ],
  ])('%s are read to the end', async (_, paging, answer) => {
    rows = someRows(8)
    answers.set('/list', answer)
    await connect(paged(paging))
    const state = await poll()
    expect(state).toMatchObject({ compareError: '', compared: { listed: 8, created: 8 } })
    expect(await openKeys()).toEqual(keysOf(rows))
    rows = rows.slice(1)
    expect(await poll()).toMatchObject({ compareError: '', compared: { listed: 7, ended: 1 } })
    rows = []
    await poll()
  })

  test('of a list that changes during reading end no tasks', async () => {
    rows = someRows(6)
    const all = rows
    await poll()
    let total = 5
    answers.set('/list', ({ url }, reply) => {
      const page = Number(url.searchParams.get('p'))
      json(reply, { rows: all.slice(0, 5).slice((page - 1) * 3, page * 3), total: total++ })
    })
    await connect(paged({ kind: 'page', parameter: 'p', total: '/total' }))
    expect(await poll()).toMatchObject({
      compareError: 'the list changed while it was read; no tasks were ended',
      compared: { listed: 5, ended: 0 },
      failures: 0,
    })
    expect(await openKeys()).toEqual(keysOf(all))
    // The total exceeds the items on the pages.
    answers.set('/list', ({ url }, reply) =>
      json(reply, { rows: url.searchParams.get('p') === '1' ? all.slice(0, 3) : [], total: 6 }),
    )
    expect((await poll()).compareError).toContain('no tasks were ended')
    expect(await openKeys()).toEqual(keysOf(all))
  })

  test('end a missing task only after it is missing in two polls', async () => {
    rows = someRows(6)
    const all = rows
    await poll()
    let reads = 0
    answers.set('/list', ({ url }, reply) => {
      const page = Number(url.searchParams.get('p'))
      // On the first read, the first task is handled between two pages.
      const list = reads === 0 && page === 1 ? all : all.slice(1)
      if (page === 3) reads++
      json(reply, { rows: list.slice((page - 1) * 3, page * 3) })
    })
    await connect(paged({ kind: 'page', parameter: 'p' }))
    expect(await poll()).toMatchObject({ compareError: '', compared: { listed: 5, ended: 0 } })
    expect(await openKeys()).toEqual(keysOf(all))
    expect(await poll()).toMatchObject({ compared: { listed: 5, ended: 1 } })
    expect(await openKeys()).toEqual(keysOf(all.slice(1)))
  })
})

describe('a list that', () => {
  test.each<[string, Answer | undefined, string, object?]>([
    ['returns 404', undefined, 'status 404'],
    ['returns 500', (_, reply) => reply.writeHead(500).end(), 'status 500'],
    [
      'redirects',
      (_, reply) => reply.writeHead(302, { location: '/list2' }).end(),
      'is not followed',
    ],
    ['times out', () => {}, 'did not answer within 1 s', { timeoutSeconds: 1 }],
    [
      'closes the connection early',
      (_, reply) => {
        reply.writeHead(200, { 'content-length': '100' }).write('{"rows":[')
        setImmediate(() => reply.destroy())
      },
      'cannot be reached',
    ],
    ['is too large', (_, reply) => reply.end(Buffer.alloc(17_000_000, ' ')), 'larger than 16 MB'],
    ['is not JSON', (_, reply) => reply.end('<html>'), 'page 1 of the list is not JSON'],
    ['is not UTF-8', (_, reply) => reply.end(Buffer.from([0x22, 0xff, 0x22])), 'is not JSON'],
    [
      'is not an array',
      (_, reply) => json(reply, { rows: {} }),
      'has no array at “/rows” (/items)',
    ],
    [
      'repeats a page',
      (_, reply) => json(reply, { rows: [row({ id: 'same', subject: 'same' })] }),
      'page 2 repeats an earlier one',
      { paging: { kind: 'page', parameter: 'p' } },
    ],
    [
      'repeats a cursor',
      ({ url }, reply) =>
        json(reply, { rows: [row()], next: url.searchParams.get('c') ? '2' : '2' }),
      'leads back to an earlier one',
      { paging: { kind: 'cursor', parameter: 'c', next: '/next' } },
    ],
    [
      'links to another host',
      (_, reply) => json(reply, { rows: [row()] }, { link: '<https://evil.example/>; rel=next' }),
      'the next page is at another host: evil.example',
      { paging: { kind: 'link' } },
    ],
    [
      'has no numeric total',
      (_, reply) => json(reply, { rows: [row()], total: 'many' }),
      'has no number at “/total”',
      { paging: { kind: 'offset', parameter: 'o', total: '/total' } },
    ],
    [
      'has too many tasks',
      (_, reply) => json(reply, { rows: Array.from({ length: 20_001 }, (_, id) => ({ id })) }),
      'more than 20000 tasks',
    ],
  ])(
    '%s changes no tasks, reports the error and is polled later',
    async (_, answer, issue, more) => {
      rows = someRows(2)
      await poll()
      const before = await openKeys()
      if (answer) answers.set('/list', answer)
      else answers.delete('/list')
      await connect(description(more))
      const state = await poll()
      expect(state.compareError).toContain(issue)
      expect(state.failures).toBe(1)
      expect(await minutesToNext()).toBe(2)
      expect(await openKeys()).toEqual(before)
      respondWith('/list', () => ({ rows }))
      await connect(description())
      expect(await poll()).toMatchObject({ failures: 0, compareError: '' })
    },
  )

  test('is unreachable is polled with increasing delays up to an hour', async () => {
    await connect(description({ list: { address: `http://127.0.0.1:${closedPort}/list` } }))
    const pauses: number[] = []
    for (let n = 0; n < 8; n++) {
      expect((await poll()).compareError).toContain('cannot be reached')
      pauses.push(await minutesToNext())
    }
    expect(pauses).toEqual([2, 4, 8, 16, 32, 60, 60, 60])
    expect((await stateOf('oa')).failures).toBe(8)
    await connect(description())
    rows = someRows(1)
    expect(await poll()).toMatchObject({ failures: 0, compareError: '' })
  })
})

test('a source is polled by one node at a time', async () => {
  rows = someRows(3)
  let running = 0
  let maxRunning = 0
  answers.set('/list', (_, reply) => {
    maxRunning = Math.max(maxRunning, ++running)
    setTimeout(() => {
      running--
      json(reply, { rows })
    }, 200)
  })
  const both = [app.platform, otherNode.platform, app.platform]
  await poll('oa', both)
  expect({ asked: requests.length, maxRunning }).toEqual({ asked: 1, maxRunning: 1 })
  // Not due again before its interval ends.
  await compareDueSources(otherNode.platform)
  expect(requests).toHaveLength(1)
  const params = { code: 'oa' }
  const byHand = await Promise.all([1, 2].map(() => admin(taskSources.compare, { params })))
  expect(byHand.map(({ status, error }) => [status, error]).sort()).toEqual([
    [200, undefined],
    [409, 'task.source_busy'],
  ])
})

describe('authentication', () => {
  const secret = 'top secret: “密”'.slice(0, 11)
  const proofs: [string, object, string][] = [
    ['bearer', {}, `Bearer ${secret}`],
    ['basic', { username: 'portal' }, `Basic ${btoa(`portal:${secret}`)}`],
    ['header', { header: 'X-Api-Key' }, secret],
  ]
  test.each(proofs)('by %s', async (kind, more, wanted) => {
    answers.set('/list', ({ headers }, reply) =>
      [headers.authorization, headers['x-api-key']].includes(wanted)
        ? json(reply, { rows })
        : reply.writeHead(401).end(),
    )
    rows = someRows(1)
    const connector = description({ authentication: { kind, ...more } })
    const refused = await admin(taskSources.connect, {
      params: { code: 'oa' },
      body: { connector: connector as never },
    })
    expect(refused.fields).toHaveProperty('secret')
    await connect(connector, 'wrong')
    expect((await poll()).compareError).toContain('status 401')
    await connect(connector, secret)
    expect(await poll()).toMatchObject({ compareError: '', compared: { created: 1 } })
  })

  test.each(['header', 'body'] as const)(
    'by client credentials, in the %s',
    async (sendSecretIn) => {
      let token = 'first'
      answers.set('/token', ({ headers, body }, reply) => {
        const form = new URLSearchParams(body)
        const [id, given] =
          sendSecretIn === 'body'
            ? [form.get('client_id'), form.get('client_secret')]
            : atob(headers.authorization?.slice(6) ?? '')
                .split(':')
                .map(decodeURIComponent)
        if (id !== 'portal:1' || given !== secret || form.get('scope') !== 'tasks')
          return reply.writeHead(401).end()
        json(reply, { access_token: token, expires_in: 600 })
      })
      answers.set('/list', ({ headers, url }, reply) =>
        headers.authorization === `Bearer ${token}`
          ? json(reply, { rows: url.searchParams.get('o') === '0' ? rows : [] })
          : reply.writeHead(401).end(),
      )
      rows = someRows(1)
      const connector = description({
        authentication: {
          kind: 'client-credentials',
          tokenAddress: `${origin}/token`,
          clientId: 'portal:1',
          scope: 'tasks',
          sendSecretIn,
        },
        paging: { kind: 'offset', parameter: 'o' },
      })
      await connect(connector, 'wrong')
      expect((await poll()).compareError).toContain('issues no token: status 401')
      await connect(connector, secret)
      requests = []
      await poll()
      expect(await poll()).toMatchObject({ compareError: '', compared: { listed: 1 } })
      const tokenRequests = () => requests.filter(({ url }) => url.pathname === '/token').length
      expect(tokenRequests()).toBe(1)
      token = 'second'
      expect(await poll()).toMatchObject({ compareError: '' })
      expect(tokenRequests()).toBe(2)
    },
  )

  test('never returns its secret and requires it again for another host', async () => {
    const hidden = 'a-secret-nobody-reads'
    const params = { code: 'oa' }
    const connector = description({ authentication: { kind: 'bearer' } })
    await connect(connector, hidden)
    const read = await admin(taskSources.readConnector, { params })
    expect(read.data).toMatchObject({ hasSecret: true, connector: { items: '/rows' } })
    const entries = await admin(audit.list, { query: {} as never })
    for (const shown of [read, await admin(taskSources.list, {}), entries])
      expect(JSON.stringify(shown)).not.toContain(hidden)
    const { rows: stored } = await sql<{ row: string }>`
      select task_source::text as row from task_source`.execute(app.platform.db)
    expect(JSON.stringify(stored)).not.toContain(hidden)
    // The secret is kept for the same host.
    await connect({ ...connector, everyMinutes: 2, list: { address: `${origin}/list?more=1` } })
    await poll()
    expect(requests.at(-1)?.headers.authorization).toBe(`Bearer ${hidden}`)
    requests = []
    const elsewhere = `http://127.0.0.1:${closedPort}`
    const kinds = { ...connector, authentication: { kind: 'header', header: 'x-key' } }
    for (const other of [
      { ...connector, list: { address: `${elsewhere}/list` } },
      { ...connector, action: { address: `${elsewhere}/do`, offers } },
      kinds,
    ]) {
      const body = { connector: other as never }
      for (const call of [taskSources.connect, taskSources.tryConnector])
        expect(await admin(call, { params, body })).toMatchObject({
          status: 400,
          fields: { secret: expect.any(String) },
        })
    }
    expect(requests).toEqual([])
    await admin(taskSources.disconnect, { params })
    expect((await admin(taskSources.readConnector, { params })).data).toEqual({
      connector: null,
      hasSecret: false,
    })
    expect((await admin(taskSources.compare, { params })).error).toBe('task.source_lists_nothing')
    expect((await admin(taskSources.tryConnector, { params, body: {} })).error).toBe(
      'task.source_lists_nothing',
    )
  })
})

describe('a member’s action', () => {
  const withAction = (more: object = {}) =>
    description({
      action: {
        address: `${origin}/tasks/{/task}/{/value}`,
        headers: { 'X-From': 'portal' },
        body: { who: '{/by/username}', comment: '“{/comment}”', action: '{/value}', keep: 1 },
        answer: { at: '/code', yes: ['0'], no: ['1'] },
        refusedStatuses: [409],
        reason: '/message',
        offers,
        ...more,
      },
    })
  const putOne = async (connector: object = withAction()) => {
    await connect(connector)
    rows = [row({ id: `a/b ${++ids}` })]
    await poll()
    requests = []
    const id = (await taskRow(String(rows[0]?.id)))?.id ?? expect.fail('no task')
    return { id, path: `/tasks/${encodeURIComponent(String(rows[0]?.id))}` }
  }
  const handle = (id: string, body: object) =>
    teacher(tasks.handle, { params: { id }, body: body as never })
  const outcomeOf = async (id: string) =>
    (await teacher(tasks.read, { params: { id } })).data?.lastOutcome

  test('is sent as configured and accepted', async () => {
    const { id, path } = await putOne()
    respondWith(`${path}/Y`, { code: 0 })
    await handle(id, { action: 'approve', comment: '好"的' })
    await expect.poll(async () => (await outcomeOf(id))?.status, soon).toBe('accepted')
    const [call] = requests
    expect(call).toMatchObject({
      method: 'POST',
      headers: { 'x-from': 'portal', 'content-type': 'application/json' },
    })
    expect(call?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/)
    expect(JSON.parse(call?.body ?? '')).toEqual({
      who: 'teacher',
      comment: '“好"的”',
      action: 'Y',
      keep: 1,
    })
    rows = []
    await poll()
    expect(await poll()).toMatchObject({ compared: { ended: 1 } })
    expect((await teacher(tasks.read, { params: { id } })).data.status).toBe('finish')
  })

  test('is sent as a form', async () => {
    const { id, path } = await putOne(
      withAction({ method: 'PUT', format: 'form', body: { n: '{/by/name}&x=1', a: '{/action}' } }),
    )
    respondWith(`${path}/N`, { code: '0' })
    await handle(id, { action: 'refuse', comment: '不行' })
    await expect.poll(async () => (await outcomeOf(id))?.status, soon).toBe('accepted')
    expect(requests[0]?.method).toBe('PUT')
    expect(Object.fromEntries(new URLSearchParams(requests[0]?.body))).toEqual({
      n: '周明远&x=1',
      a: 'refuse',
    })
  })

  test.each<[string, Answer]>([
    ['in the response', (_, reply) => json(reply, { code: 1, message: '预算\u0000已用完' })],
    [
      'by the status code',
      (_, reply) => reply.writeHead(409).end(JSON.stringify({ message: '预算 已用完' })),
    ],
  ])('is reverted with the reason if it is refused %s', async (_, answer) => {
    const { id, path } = await putOne()
    answers.set(`${path}/Y`, answer)
    await handle(id, { action: 'approve' })
    await expect
      .poll(() => outcomeOf(id), soon)
      .toMatchObject({ status: 'refused', reason: '预算 已用完' })
    expect(await todoOf(teacher, rows[0]?.subject ?? '')).toBeDefined()
    const { list } = (await teacher(messages.list, { query: {} })).data
    expect(list[0]).toMatchObject({ summary: '预算 已用完' })
  })

  test('is retried with the same idempotency key until it is accepted or refused', async () => {
    const { id, path } = await putOne()
    const said = [
      (reply: ServerResponse) => reply.writeHead(503).end(),
      (reply: ServerResponse) => json(reply, { code: 0 }),
    ]
    answers.set(`${path}/Y`, (_, reply) => said.shift()?.(reply))
    await handle(id, { action: 'approve' })
    await expect.poll(() => requests.length, soon).toBe(1)
    // A list read before the outcome was sent does not undo it.
    await poll()
    expect(await outcomeOf(id)).toMatchObject({ status: 'sending' })
    expect(await todoOf(teacher, rows[0]?.subject ?? '')).toBeUndefined()
    await expect.poll(async () => (await outcomeOf(id))?.status, soon).toBe('accepted')
    const keys = requests.flatMap(({ headers }) => headers['idempotency-key'] ?? [])
    expect([keys.length, new Set(keys).size]).toEqual([2, 1])
    // The list takes precedence.
    await poll()
    expect(await todoOf(teacher, rows[0]?.subject ?? '')).toBeDefined()
  })

  test('is reverted after three days without a conclusive response', async () => {
    const { id, path } = await putOne()
    answers.set(`${path}/Y`, (_, reply) => json(reply, { code: 'later' }))
    await handle(id, { action: 'approve' })
    await expect.poll(() => requests.length, soon).toBe(1)
    await app.platform.db
      .updateTable('task_outcome')
      .set({ created_at: sql<string>`now() - interval '4 days'`, due_at: sql<string>`now()` })
      .where('task_id', '=', id)
      .execute()
    await expect
      .poll(() => outcomeOf(id), soon)
      .toMatchObject({ status: 'refused', reason: expect.stringContaining('暂时无法连接') })
  })

  test('accepted while the list is being read stays done until the next poll', async () => {
    const { id, path } = await putOne()
    respondWith(`${path}/Y`, { code: 0 })
    const [first] = rows
    rows = [{ ...(first as Row), subject: `${first?.subject} 改过` }]
    answers.set('/list', async (_, reply) => {
      const old = rows
      await handle(id, { action: 'approve' })
      await expect.poll(async () => (await outcomeOf(id))?.status, soon).toBe('accepted')
      json(reply, { rows: old })
    })
    await connect(withAction())
    const state = await poll()
    expect(state).toMatchObject({ compareError: '', compared: { changed: 1 } })
    expect(await todoOf(teacher, `${first?.subject} 改过`)).toBeUndefined()
    respondWith('/list', () => ({ rows }))
    expect(await poll()).toMatchObject({ compared: { changed: 1 } })
    expect(await todoOf(teacher, `${first?.subject} 改过`)).toBeDefined()
  })

  test('stays in the record when the task is reassigned', async () => {
    const { id, path } = await putOne()
    respondWith(`${path}/Y`, { code: 0 })
    await handle(id, { action: 'approve', comment: '同意' })
    await expect.poll(async () => (await outcomeOf(id))?.status, soon).toBe('accepted')
    rows = [{ ...(rows[0] as Row), approvers: ['staff'] }]
    await poll()
    const done = (await teacher(tasks.list, { query: { level: 'myDone' } })).data.list
    expect(done.map((one) => one.id)).toContain(id)
    const { data } = await staff(tasks.records, { params: { id } })
    expect(data.map(({ person, action }) => [person, action])).toEqual([
      ['周明远', '同意'],
      ['陈思齐', ''],
    ])
    expect(await poll()).toMatchObject({ compared: { created: 0, changed: 0 } })
  })

  test('is reverted if the connector no longer has an action', async () => {
    const { id, path } = await putOne()
    answers.set(`${path}/Y`, (_, reply) => reply.writeHead(503).end())
    await handle(id, { action: 'approve' })
    await expect.poll(() => requests.length, soon).toBe(1)
    await connect(description())
    await expect
      .poll(() => outcomeOf(id), soon)
      .toMatchObject({ status: 'refused', reason: expect.stringContaining('请到该系统中办理') })
  })

  test('is not offered if the connector has no action', async () => {
    await connect(description({}, { url: { text: 'https://oa.example.edu/{/id}' } }))
    rows = [row()]
    await poll()
    const todo = await todoOf(teacher, rows[0]?.subject ?? '')
    expect(todo?.actions).toEqual([])
    const { data } = await teacher(tasks.read, { params: { id: todo?.id ?? '' } })
    expect(data.url).toBe(`https://oa.example.edu/${rows[0]?.id}`)
  })
})

test('polling repairs lost, changed and invented tasks', async () => {
  rows = someRows(600)
  await poll()
  const { db } = app.platform
  await sql`delete from task where source_key = any(${keysOf(rows.slice(0, 50))}::text[])`.execute(
    db,
  )
  await sql`update task set title = '被改', source_digest = null where source_key = any(${keysOf(rows.slice(50, 60))}::text[])`.execute(
    db,
  )
  await sql`update task set source_key = source_key || '-x', source_digest = null
    where source_key = any(${keysOf(rows.slice(60, 70))}::text[])`.execute(db)
  expect(await poll()).toMatchObject({
    compared: { listed: 600, created: 60, changed: 10, ended: 10 },
  })
  expect(await openKeys()).toEqual(keysOf(rows))
  expect(await poll()).toMatchObject({ compared: { created: 0, changed: 0, ended: 0 } })
  rows = []
  await poll()
})

describe('trying a connector', () => {
  const tryIt = async (connector?: object, code = 'oa') =>
    admin(taskSources.tryConnector, {
      params: { code },
      body: connector ? { connector: connector as never } : {},
    })

  test('returns the first pages and every problem, and changes nothing', async () => {
    rows = [
      row({ approvers: ['teacher', 'who-is-this'], due: '2026-12-01 10:00' }),
      row({ subject: undefined as never, due: 'soon' }),
      ...someRows(7),
    ]
    answers.set('/list', ({ url }, reply) => {
      const at = Number(url.searchParams.get('o'))
      json(reply, { rows: rows.slice(at, at + 3) })
    })
    const snapshot = () =>
      sql`select (select json_agg(s order by id) from task_source s)::text as sources,
        (select count(*) from task) as tasks`.execute(app.platform.db)
    const before = (await snapshot()).rows
    const { data } = await tryIt(
      description({ paging: { kind: 'offset', parameter: 'o' } }, { dueAt: '/due' }),
    )
    expect(data).toMatchObject({ pages: 2, listed: 6, more: true, issue: '' })
    expect(data.tasks).toHaveLength(5)
    expect(data.tasks[0]).toEqual({
      key: rows[0]?.id,
      title: rows[0]?.subject,
      status: 'progress',
      applicant: '',
      assignees: ['teacher', 'who-is-this'],
      dueAt: '2026-12-01T02:00:00.000Z',
      url: '',
      actions: [],
    })
    expect(data.problems).toEqual([
      { page: 1, at: '/rows/1/subject', field: '/task/title', text: 'is missing' },
      { page: 1, at: '/rows/1/due', field: '/task/dueAt', text: 'is not a time' },
    ])
    expect(data.unknown).toEqual(['who-is-this'])
    expect((await snapshot()).rows).toEqual(before)
    expect((await tryIt()).data).toMatchObject({ pages: 1 })
  })

  test('returns the reason if nothing can be read', async () => {
    answers.set('/list', (_, reply) => reply.writeHead(403).end())
    expect((await tryIt(description())).data).toMatchObject({
      pages: 0,
      issue: 'the list answers with status 403',
    })
    const closed = description({ list: { address: 'http://127.0.0.1:9/list' } })
    expect((await tryIt(closed)).data.issue).toContain('ATRIUM_OUTBOUND_ALLOW')
    const plain = description({ list: { address: 'http://8.8.8.8/list' } })
    expect((await tryIt(plain)).data.issue).toContain('must be called over https')
    expect((await tryIt(description(), 'nothing')).error).toBe('task.source_unknown')
    expect(
      (await teacher(taskSources.tryConnector, { params: { code: 'oa' }, body: {} })).status,
    ).toBe(403)
  })

  test.each<[string, object, string]>([
    ['no address', { list: {} }, 'connector.list.address'],
    [
      'an unsupported scheme',
      { list: { address: 'file:///etc/passwd' } },
      'connector.list.address',
    ],
    [
      'a placeholder in the host',
      { action: { address: 'https://{/task}/', offers } },
      'connector.action.address',
    ],
    ['an unknown field', { lst: {} }, 'connector.lst'],
    [
      'an Authorization header',
      { list: { address: 'https://a.example/', headers: { Authorization: 'x' } } },
      'connector.list.headers.Authorization',
    ],
    [
      'a line break in a header',
      { list: { address: 'https://a.example/', headers: { 'X-A': 'a\nb: c' } } },
      'connector.list.headers.X-A',
    ],
    [
      'basic authentication without a username',
      { authentication: { kind: 'basic' } },
      'connector.authentication.username',
    ],
    [
      'a reserved authentication header',
      { authentication: { kind: 'header', header: 'Host' } },
      'connector.authentication.header',
    ],
    ['paging without a parameter', { paging: { kind: 'page' } }, 'connector.paging.parameter'],
    [
      'cursor paging without a pointer to the next cursor',
      { paging: { kind: 'cursor', parameter: 'c' } },
      'connector.paging.next',
    ],
    ['an invalid pointer', { items: 'rows' }, 'connector.items'],
    [
      'a duplicate action',
      { action: { address: 'https://a.example/', offers: [offers[0], offers[0]] } },
      'connector.action.offers.1.code',
    ],
    [
      'an invalid form body',
      { action: { address: 'https://a.example/', format: 'form', body: [], offers } },
      'connector.action.body',
    ],
    ['an interval below a minute', { everyMinutes: 0.5 }, 'connector.everyMinutes'],
  ])('rejects %s', async (_, more, field) => {
    const answer = await tryIt(description(more))
    expect(answer).toMatchObject({ status: 400, error: 'request.invalid' })
    expect(Object.keys(answer.fields ?? {})).toEqual([field])
  })

  test.each<[string, object, string]>([
    ['both a pointer and a text', { title: { at: '/a', text: 'b' } }, 'connector.task.title.text'],
    ['neither a pointer nor a text', { title: { otherwise: 'b' } }, 'connector.task.title'],
    ['an invalid pointer', { note: 'memo' }, 'connector.task.note'],
    ['an invalid pointer in a text', { note: { text: '{/a~2}' } }, 'connector.task.note.text'],
    [
      'a placeholder in the host of a link',
      { url: { text: 'https://{/h}/' } },
      'connector.task.url.text',
    ],
    ['no assignee', { assignees: { each: '/a' } }, 'connector.task.assignees'],
    ['actions without a configured action', { actions: '/can' }, 'connector.action'],
    ['a misspelt field', { titel: '/a' }, 'connector.task.titel'],
  ])('rejects %s in the task mapping', async (_, task, field) => {
    const answer = await tryIt(description({}, task))
    expect(answer).toMatchObject({ status: 400, error: 'request.invalid' })
    expect(Object.keys(answer.fields ?? {})).toEqual([field])
  })
})

test('the connector shown in the documentation is valid', () => {
  const page = readFileSync(
    path.join(import.meta.dirname, '../../../../../../docs/integrate/tasks.md'),
    'utf8',
  )
  const [, shown = ''] = /```json\n(\{\n {2}"everyMinutes"[^`]*)```/.exec(page) ?? []
  expect(readConnectorFile(JSON.parse(shown))).toHaveProperty('connector')
})

async function uploadText(name: string, text: string) {
  const boundary = 'x-test-boundary'
  const response = await app.app.inject({
    method: 'POST',
    url: files.upload.path,
    payload: `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n${text}\r\n--${boundary}--\r\n`,
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'x-id-token': await app.tokenOf('teacher'),
    },
  })
  return response.json().data.id as string
}

test('the example lists approvals, takes and refuses decisions, and downloads a file', async () => {
  const folder = path.join(import.meta.dirname, '../../../../../../examples/tasks')
  const file = readFileSync(path.join(folder, 'approvals.json'), 'utf8')
  const connector = JSON.parse(file.replaceAll(':8091', `:${closedPort}`))
  const example = spawn(
    process.execPath,
    [path.join(folder, 'approvals.mjs'), 'teacher', 'student'],
    { env: { API_KEY: 'example-key', PORT: String(closedPort) } },
  )
  let said = ''
  for (const stream of [example.stdout, example.stderr]) stream.on('data', (text) => (said += text))
  try {
    await expect.poll(() => said, soon).toContain('3 approvals are open')
    await connect(connector, 'example-key')
    const state = await poll()
    expect(state).toMatchObject({ compareError: '', compared: { listed: 3, created: 3 } })
    const cheap = await todoOf(teacher, '采购申请：打印纸')
    const paper = await todoOf(teacher, '采购申请：显微镜')
    expect(paper).toMatchObject({ applicant: '林知夏', urgent: true })
    for (const { id } of [cheap, paper] as { id: string }[])
      await teacher(tasks.handle, { params: { id }, body: { action: 'approve', comment: '好' } })
    await expect.poll(() => said, soon).toContain('teacher: AGREE 显微镜 好')
    await expect
      .poll(async () => (await todoOf(teacher, '采购申请：打印纸'))?.outcome, soon)
      .toBe('refused')
    expect(await poll()).toMatchObject({ compareError: '', open: 2, compared: { ended: 1 } })
    const { data } = await teacher(tasks.read, { params: { id: paper?.id ?? '' } })
    expect(data).toMatchObject({ status: 'finish', doneAt: expect.any(String) })

    const quotes = await uploadText('比价单.txt', 'three quotes')
    await teacher(tasks.handle, {
      params: { id: cheap?.id ?? '' },
      body: { action: 'approve', files: { quotes: [quotes] } },
    })
    await expect.poll(() => said, soon).toContain('teacher: AGREE 打印纸')
    expect(said).toContain('quotes for 打印纸: 12 bytes')
  } finally {
    example.kill()
    await once(example, 'exit')
  }
})

test('the stored task counts match the rows after all tests', async () => {
  expect(await listWrongTaskCounts(app.platform.db)).toEqual([])
})
