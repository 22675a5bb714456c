import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'

/** A long timeout: nothing here depends on timing, and the machine may be busy. */
const soon = (seen: () => void) => vi.waitFor(seen, { timeout: 15_000 })

/** The server's side of the contract: accepts records by their ids, or is unavailable. */
type Request = { token: string | undefined; body: { eventId: string; eventCode: string }[] }
let requests: Request[] = []
let answer = 200
const server = http.createServer((request, response) => {
  let text = ''
  request.on('data', (chunk) => {
    text += chunk
  })
  request.on('end', () => {
    requests.push({
      token: request.headers['x-id-token'] as string | undefined,
      body: JSON.parse(text),
    })
    response.writeHead(answer).end('{"code":0,"message":"","data":{"accepted":1,"refused":[]}}')
  })
})

const listeners: Record<string, () => void> = {}
const storage: Record<string, string> = {}
vi.stubGlobal('document', { documentElement: {}, visibilityState: 'hidden' })
vi.stubGlobal('navigator', { languages: [], userAgent: 'test' })
vi.stubGlobal('addEventListener', (name: string, listener: () => void) => {
  listeners[name] = listener
})
vi.stubGlobal('localStorage', {
  getItem: (key: string) => storage[key] ?? null,
  setItem: (key: string, text: string) => {
    storage[key] = text
  },
  removeItem: (key: string) => delete storage[key],
})
const realFetch = fetch
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => realFetch(origin + path, init))
})
afterAll(() => void server.close())

const { config } = await import('@atrium/contract/shell/config')
const { q, queryClient } = await import('./queries.ts')
const { setSession } = await import('./session.ts')
const { recordEvent, recordExit, sendEvents } = await import('./events.ts')

const setEventUrl = (eventUrl: string) =>
  queryClient.setQueryData(q(config.system).queryKey, {
    timeZone: 'Asia/Shanghai',
    publicConfig: [{ key: 'eventUrl', value: eventUrl }],
  } as never)
const tokenOf = (account: string) => {
  const claims = { sub: account, exp: 4_000_000_000, ATTR_accountId: account }
  return `h.${btoa(JSON.stringify(claims))}.s`
}
const waiting = () => JSON.parse(storage.eventQueue ?? '[]') as { type: string }[]
const recorded = () => requests.flatMap(({ body }) => body.map(({ eventCode }) => eventCode))

beforeEach(() => {
  delete storage.eventQueue
  requests = []
  answer = 200
  setSession(null)
  setEventUrl('own')
})

test('events are sent in one request, with the local time of the institution', async () => {
  vi.setSystemTime('2026-11-21T20:00:07Z')
  recordEvent('visitPortal')
  recordEvent('service_label', { object: '42' })
  await soon(() => expect(waiting()).toHaveLength(2))
  await sendEvents()
  vi.useRealTimers()
  expect(requests).toHaveLength(1)
  expect(requests[0]?.body).toMatchObject([
    { eventCode: 'visitPortal', eventEnvOperationTime: '2026-11-22 04:00:07' },
    { eventCode: 'service_label', eventOpeartionObjectCode: '42' },
  ])
  expect(waiting()).toEqual([])
})

test.each([503, 401, 429])(
  'after a %i response the same events are sent again with the same ids',
  async (status) => {
    answer = status
    recordEvent('visitPortal')
    await sendEvents()
    expect(waiting()).toHaveLength(1)
    answer = 200
    listeners.online?.()
    await soon(() => expect(requests).toHaveLength(2))
    expect(requests[1]?.body[0]?.eventId).toBe(requests[0]?.body[0]?.eventId)
    await soon(() => expect(waiting()).toEqual([]))
  },
)

test('events are dropped after a 400 response', async () => {
  answer = 400
  recordEvent('visitPortal')
  await sendEvents()
  expect(waiting()).toEqual([])
})

test('events are sent with the token of their own account or without a token', async () => {
  setSession(tokenOf('1'))
  recordEvent('h5Login')
  setSession(tokenOf('2'))
  recordEvent('personalCenter')
  recordEvent('visitPortal')
  setSession(null)
  recordEvent('visitPortal')
  setSession(tokenOf('2'))
  await sendEvents()
  expect(requests.map(({ token, body }) => [token, body.length])).toEqual([
    [undefined, 1],
    [tokenOf('2'), 2],
    [undefined, 1],
  ])
})

test('only the newest 500 events are kept while the server is unavailable', async () => {
  answer = 503
  for (let index = 0; index < 520; index++) recordEvent('service_label', { object: String(index) })
  await soon(() => expect(waiting()).toHaveLength(500))
  expect(waiting()[0]).toMatchObject({ object: '20' })
  answer = 200
  await sendEvents()
  await soon(() => expect(waiting()).toEqual([]))
})

test('with recording turned off, events are neither stored nor sent', async () => {
  recordEvent('visitPortal')
  setEventUrl('')
  recordEvent('visitPortal')
  await sendEvents()
  expect([requests, waiting()]).toEqual([[], []])
})

test('leaving after more than eight seconds sends an exit event', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(7999)
  recordExit()
  expect(waiting()).toEqual([])
  now.mockReturnValue(8001)
  recordExit()
  await soon(() => expect(recorded()).toEqual(['outPortal']))
  now.mockRestore()
})

test('an unreadable queue is replaced by a new one', async () => {
  storage.eventQueue = '{"a":1'
  recordEvent('visitPortal')
  await sendEvents()
  expect(recorded()).toEqual(['visitPortal'])
})

test('an event contains its object and its result', async () => {
  const { ApiError } = await import('./api.ts')
  recordEvent('service_label', { object: '35', objectName: '校园卡' })
  const failure = new ApiError('service.not_found', 404, '没有这项服务')
  recordEvent('service_label', { object: '36', failure })
  recordEvent('passkeyLogin')
  await sendEvents()
  await soon(() => expect(recorded()).toHaveLength(3))
  const [opened, failed, signedIn] = requests.flatMap(({ body }) => body)
  expect(opened).toMatchObject({
    eventOpeartionObjectCode: '35',
    eventOpeartionObjectName: '校园卡',
    eventOpeartionResult: 'success',
  })
  expect(opened).not.toHaveProperty('eventFailureType')
  expect(failed).toMatchObject({
    eventOpeartionObjectCode: '36',
    eventOpeartionResult: 'failure',
    eventFailureType: 'service.not_found',
    eventFailureDetail: '没有这项服务',
  })
  expect(signedIn).toMatchObject({ eventCode: 'passkeyLogin', eventOpeartionResult: 'success' })
})

test('a sign-in cancelled by the user is not recorded as failed', async () => {
  const { recordFailedSignIn } = await import('./events.ts')
  recordFailedSignIn('passkeyLogin', new DOMException('', 'NotAllowedError'))
  recordEvent('visitPortal')
  await sendEvents()
  await soon(() => expect(recorded()).toEqual(['visitPortal']))
})
