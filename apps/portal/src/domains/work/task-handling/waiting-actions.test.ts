import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

/** The server's side: sends the prepared answers, or is unavailable. */
let answers: { status: number; body: object }[] = []
let requests: { url: string; body: Record<string, unknown> }[] = []
const server = http.createServer((request, response) => {
  let text = ''
  request.on('data', (chunk) => {
    text += chunk
  })
  request.on('end', () => {
    requests.push({ url: request.url ?? '', body: JSON.parse(text) })
    const { status, body } = answers.shift() ?? { status: 200, body: { code: 0, data: null } }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
})

const listeners: Record<string, () => void> = {}
/** As in browsers, stored items are own properties. */
const stored: Record<string, string> = Object.create({
  getItem(this: Record<string, string>, key: string) {
    return this[key] ?? null
  },
  setItem(this: Record<string, string>, key: string, text: string) {
    this[key] = text
  },
  removeItem(this: Record<string, string>, key: string) {
    delete this[key]
  },
})
vi.stubGlobal('document', { documentElement: {}, visibilityState: 'visible' })
vi.stubGlobal('navigator', { languages: ['zh'], userAgent: '' })
vi.stubGlobal('location', { search: '', pathname: '/', origin: 'https://portal.example' })
vi.stubGlobal('history', { state: { key: '', depth: 0 } })
vi.stubGlobal('addEventListener', (name: string, listener: () => void) => {
  listeners[name] = listener
})
vi.stubGlobal('localStorage', stored)
const realFetch = fetch
let isOffline = false
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  vi.stubGlobal('fetch', (path: string, init: RequestInit) =>
    isOffline ? Promise.reject(new TypeError('no network')) : realFetch(origin + path, init),
  )
})
afterAll(() => void server.close())

const { setSession } = await import('#lib/session.ts')
const { holdInOutbox, sendOutbox, withdrawFromOutbox, undoTime } = await import('#shell/outbox.ts')
const { storeAction } = await import('./waiting-actions.ts')

const tokenOf = (account: string) =>
  `h.${btoa(JSON.stringify({ sub: account, exp: 4_000_000_000, ATTR_accountId: account }))}.s`
const waiting = () =>
  Object.entries(stored)
    .filter(([key]) => key.startsWith('waiting:'))
    .map(([, text]) => JSON.parse(text) as { about: string; refusal?: string })
const approve = { code: 'approve', text: '同意', textEn: 'Approve' }
const keep = (task: string, key = task) =>
  storeAction({ id: task, title: `任务 ${task}` }, approve as never, key, {
    comment: '好',
  } as never)
const refused = { status: 409, body: { error: 'task.changed', message: '这项待办已由他人办理' } }

beforeEach(() => {
  for (const key of Object.keys(stored)) delete stored[key]
  requests = []
  answers = []
  isOffline = false
  setSession(tokenOf('7'))
})

test('actions stored offline are sent in order with their idempotency keys when online', async () => {
  isOffline = true
  expect(keep('1')).toBe(true)
  expect(keep('2')).toBe(true)
  await sendOutbox()
  expect(waiting()).toHaveLength(2)
  isOffline = false
  await Promise.all([sendOutbox(), listeners.online?.()])
  await vi.waitFor(() => expect(waiting()).toEqual([]), { timeout: 15_000 })
  const keys = requests.map(({ body }) => body.key)
  expect([...new Set(keys)]).toEqual(['1', '2'])
  expect(requests[0]?.body).toMatchObject({ action: 'approve', comment: '好' })
})

test('a 503 keeps actions for a retry; a refused one is kept with its message and does not block others', async () => {
  keep('1')
  keep('2')
  answers = [{ status: 503, body: { error: 'server.unavailable', message: '' } }]
  await sendOutbox()
  expect(requests).toHaveLength(1)
  expect(waiting()).toHaveLength(2)
  answers = [refused]
  await sendOutbox()
  expect(waiting()).toMatchObject([{ about: 'task 1', refusal: '这项待办已由他人办理' }])
  requests = []
  await sendOutbox()
  expect(requests).toEqual([])
})

test('a stored action can be withdrawn, and is sent only by the account that stored it', async () => {
  isOffline = true
  keep('1')
  keep('2')
  await withdrawFromOutbox('1')
  expect(waiting()).toMatchObject([{ about: 'task 2' }])
  setSession(tokenOf('8'))
  isOffline = false
  await sendOutbox()
  expect(requests).toEqual([])
  setSession(null)
  expect(keep('3')).toBe(false)
})

test('a device stores at most 100 actions, not counting unreadable entries', async () => {
  isOffline = true
  stored['waiting:broken'] = '{'
  for (let at = 0; at < 100; at++) expect(keep(String(at))).toBe(true)
  expect(keep('one more')).toBe(false)
})

describe('an action that can be undone', () => {
  const act = (task: string) =>
    storeAction({ id: task, title: task }, approve as never, task, {} as never, {
      undoable: true,
    })

  test('is not sent while it can be undone, unless the page is left', async () => {
    act('1')
    await sendOutbox()
    expect(requests).toEqual([])
    expect(waiting()).toHaveLength(1)
    listeners.pagehide?.()
    await vi.waitFor(() => expect(waiting()).toEqual([]), { timeout: 15_000 })
    // Sent again with the same key while the page is still there, since the first arrival is unknown.
    expect(requests.map(({ url, body }) => [url, body.key])).toEqual(
      Array(2).fill(['/transaction/api/v1/tasks/1/handle', '1']),
    )
  })

  test('is sent after the undo time, unless it was withdrawn before', async () => {
    const at = Date.now()
    const clock = vi.spyOn(Date, 'now').mockReturnValue(at)
    act('1')
    act('2')
    await withdrawFromOutbox('1')
    clock.mockReturnValue(at + undoTime + 1)
    await sendOutbox()
    clock.mockRestore()
    expect(requests.map(({ url }) => url)).toEqual(['/transaction/api/v1/tasks/2/handle'])
  })

  test('is not sent while its undo is held; after that, its time begins again', async () => {
    const at = Date.now()
    const clock = vi.spyOn(Date, 'now').mockReturnValue(at)
    act('1')
    clock.mockReturnValue(at + undoTime - 1)
    const release = holdInOutbox('1')
    clock.mockReturnValue(at + undoTime + 1)
    await sendOutbox()
    release()
    clock.mockReturnValue(at + 2 * undoTime - 1000)
    await sendOutbox()
    expect(requests).toEqual([])
    clock.mockReturnValue(at + 2 * undoTime + 2)
    await sendOutbox()
    clock.mockRestore()
    expect(requests).toHaveLength(1)
  })

  test('is sent at once if the clock is set back', async () => {
    const at = Date.now()
    const clock = vi.spyOn(Date, 'now').mockReturnValue(at)
    act('1')
    clock.mockReturnValue(at - 3_600_000)
    await sendOutbox()
    clock.mockRestore()
    expect(requests).toHaveLength(1)
  })
})

test('an action stored by an earlier version is sent too', async () => {
  stored['waiting:old'] = JSON.stringify({
    ...{ key: 'old', account: '7', at: 1, task: '9', title: '', action: approve },
    filled: { comment: '好', form: {}, files: {} },
  })
  await sendOutbox()
  expect(requests).toMatchObject([{ body: { action: 'approve', comment: '好', key: 'old' } }])
})
