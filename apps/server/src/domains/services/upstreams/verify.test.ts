import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { baseNames, bases, type UpstreamName } from '@atrium/contract/services/upstreams'
import { recipientGroups } from '@atrium/contract/work/sending/recipients'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../test/test-app.ts'
import { type Verification, verifyBase } from './verify.ts'

type UpstreamAnswer = { status: number; type: string; body: Record<string, unknown> }
type UpstreamRequest = {
  path: string
  query: URLSearchParams
  token: string | undefined
  language: string
}
/** Falsifies a correct answer. */
type Lie = (
  answered: UpstreamAnswer,
  upstreamRequest: UpstreamRequest,
) => UpstreamAnswer | undefined | Promise<UpstreamAnswer | undefined>

let app: TestApp
let token: string
let foreignToken: string
/** Our own server acting as an upstream, with correct or falsified answers. */
let lie: Lie
const server = http.createServer(async (request, response) => {
  const url = new URL(request.url ?? '/', 'http://x')
  const header = (name: string) => {
    const value = request.headers[name]
    return typeof value === 'string' ? value : undefined
  }
  const upstreamRequest: UpstreamRequest = {
    path: url.pathname,
    query: url.searchParams,
    token: header('x-id-token'),
    language: header('accept-language') ?? '',
  }
  const forward = async (change: Partial<UpstreamRequest> = {}): Promise<UpstreamAnswer> => {
    const { path, query, token, language } = { ...upstreamRequest, ...change }
    const answer = await app.app.inject({
      url: `${path}?${query}`,
      headers: { 'accept-language': language, ...(token && { 'x-id-token': token }) },
    })
    return {
      status: answer.statusCode,
      type: String(answer.headers['content-type']),
      body: answer.json(),
    }
  }
  truth = forward
  const told = await forward()
  const { status, type, body } = (await lie(told, upstreamRequest)) ?? told
  response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body))
})
let truth: (change?: Partial<UpstreamRequest>) => Promise<UpstreamAnswer>
let origin: string
let allow: string
beforeAll(async () => {
  app = await testApp()
  // Normally only some services have a guide; here all do.
  await sql`insert into service_guide (service_id) select id from service on conflict do nothing`.execute(
    app.platform.db,
  )
  await app.platform.db.updateTable('service').set({ have_guide: true }).execute()
  // The sender has a recipient list.
  const admin = await app.as('admin')
  const { status } = await admin(recipientGroups.createList, {
    body: { name: '名单', accountNames: ['student'] },
  })
  expect(status).toBe(200)
  token = await app.tokenOf('student')
  foreignToken = await app.platform.keys.sign(
    {},
    { type: 'at+jwt', audience: 'https://x.invalid', subject: 'student', id: '1', seconds: 60 },
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  origin = `http://127.0.0.1:${port}`
  allow = `127.0.0.1/32:${port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

function verify(
  upstream: UpstreamName,
  falsify: Lie = (answered) => answered,
  { slowest = 20_000, as = token } = {},
): Promise<Verification> {
  lie = falsify
  const address = `${origin}${bases[upstream].mount}`
  return verifyBase(upstream, { address, token: as, foreignToken, slowest, allow })
}
const failed = ({ findings }: Verification) => findings.filter(({ ok }) => !ok)

test.each(baseNames)('our own server passes the checks of %s', async (upstream) => {
  // Sending requires a permission.
  const as = upstream === 'messages' ? await app.tokenOf('admin') : token
  const result = await verify(upstream, undefined, { as })
  expect(failed(result)).toEqual([])
  expect(result.notAsked).toEqual([])
  expect(result.findings.length).toBeGreaterThan(3)
})

test('a missing permission is a named error, and the calls that depend on it are skipped', async () => {
  const result = await verify('messages')
  expect(failed(result)).toEqual([])
  const base = 'GET /message/center/api/v1/onlineSend'
  expect(result.notAsked.map(({ call }) => call)).toEqual(
    ['lists/{listId}', 'copy', 'result', 'recipients', 'curve', 'templates/{templateId}'].map(
      (call) => `${base}/${call}`,
    ),
  )
  const lying = await verify('messages', (answered, { path }) =>
    path.endsWith('/onlineSend/list')
      ? { ...answered, body: { ...answered.body, error: null } }
      : undefined,
  )
  expect(failed(lying)).toContainEqual({
    call: 'GET /message/center/api/v1/onlineSend/list',
    check: 'answer',
    ok: false,
    said: 'has no name in error',
  })
})

test('without a token, the calls that need one are listed as not checked', async () => {
  lie = (answered) => answered
  const result = await verifyBase('messages', { address: `${origin}/message`, allow })
  expect(failed(result)).toEqual([])
  expect(result.notAsked.length).toBeGreaterThan(2)
})

const isList = ({ path }: UpstreamRequest) => path.endsWith('/service/list')
const data = (
  answered: UpstreamAnswer,
  change: (data: Record<string, unknown>) => object,
): UpstreamAnswer => ({
  ...answered,
  body: { ...answered.body, data: change(answered.body.data as Record<string, unknown>) },
})

test.each<[string, UpstreamName, string, Lie, RegExp]>([
  ['HTML', 'cms', 'answer', (answered) => ({ ...answered, type: 'text/html' }), /text\/html/],
  [
    'errors with the status 200',
    'cms',
    'unknown key',
    (answered) => ({ ...answered, status: 200 }),
    /status 200 instead of 404/,
  ],
  ['no envelope', 'cms', 'answer', (s) => ({ ...s, body: s.body.data as never }), /envelope/],
  [
    'the code as a string',
    'cms',
    'answer',
    (s) => ({ ...s, body: { ...s.body, code: '0' } }),
    /"0"/,
  ],
  [
    'a number as an id',
    'cms',
    'shape',
    (answered, upstreamRequest) =>
      upstreamRequest.path.endsWith('/contents') && answered.status === 200
        ? data(answered, (page) => ({
            ...page,
            list: (page.list as { id: string }[]).map((one) => ({ ...one, id: Number(one.id) })),
          }))
        : undefined,
    /data\.list\.0\.id must be string/,
  ],
  [
    'a page size that was not requested',
    'services',
    'paging',
    (_, upstreamRequest) =>
      isList(upstreamRequest)
        ? truth({ query: new URLSearchParams({ pageSize: '20' }) })
        : undefined,
    /pageSize=1 is answered with 20/,
  ],
  [
    'the page length as the total',
    'services',
    'paging',
    (answered, upstreamRequest) =>
      isList(upstreamRequest) && answered.status === 200
        ? data(answered, (page) => ({ ...page, total: (page.list as []).length }))
        : undefined,
    /total/,
  ],
  [
    'the first page for every cursor',
    'cms',
    'paging',
    (_, upstreamRequest) => {
      if (!upstreamRequest.query.has('cursor')) return undefined
      return truth({ query: new URLSearchParams({ pageSize: '1' }) })
    },
    /the first again/,
  ],
  [
    'an empty result for an unknown id',
    'messages',
    'unknown key',
    (answered) =>
      answered.status === 404
        ? { ...answered, status: 200, body: { code: 0, data: null } }
        : undefined,
    /status 200 instead of 404/,
  ],
  [
    'only one language',
    'messages',
    'language',
    (answered, upstreamRequest) =>
      answered.status === 404 ? truth({ ...upstreamRequest, language: 'en' }) : undefined,
    /asked in Chinese/,
  ],
  [
    'member data to visitors',
    'messages',
    'visitor',
    (answered) => (answered.status === 401 ? truth({ token }) : undefined),
    /instead of 401/,
  ],
  [
    'data for another system’s token',
    'messages',
    'token',
    (_, upstreamRequest) => (upstreamRequest.token === foreignToken ? truth({ token }) : undefined),
    /another system’s token/,
  ],
  [
    'nothing to visitors',
    'cms',
    'visitor',
    (answered, upstreamRequest) =>
      upstreamRequest.token ? undefined : { ...answered, status: 401, body: { code: 401 } },
    /refuses|status 401/,
  ],
])('an upstream returning %s fails the check', async (_, upstream, check, falsify, expected) => {
  const issues = failed(await verify(upstream, falsify))
  expect(issues.map((issue) => `${issue.check}: ${issue.said}`)).toContainEqual(
    expect.stringMatching(new RegExp(`^${check}: .*(${expected.source})`)),
  )
})

test('a slow upstream fails the checks, but not one whose first response is slow', async () => {
  let first = true
  const once = await verify(
    'schedule',
    async () => {
      if (first) await wait(700)
      first = false
      return undefined
    },
    { slowest: 500 },
  )
  expect(failed(once).filter(({ check }) => check === 'time')).toEqual([])
  const always = await verify('personal', () => wait(80).then(() => undefined), { slowest: 60 })
  expect(failed(always).map(({ check }) => check)).toContain('time')
})
