import { expect, test, vi } from 'vitest'
import { ContainerError } from './events.ts'
import { read, startConversation, write } from './protocol.ts'

/** Two sides connected directly, and a log of their messages. */
function pair(
  handle: (event: string, data: unknown) => unknown,
  back: (event: string, data: unknown) => unknown = () => ({}),
) {
  const sent: string[] = []
  const page = startConversation((text) => {
    sent.push(text)
    host.receive(text)
  }, back)
  const host = startConversation((text) => {
    sent.push(text)
    page.receive(text)
  }, handle)
  return { page, host, sent }
}

test('each request gets its own answer, in whatever order answers arrive', async () => {
  const { page } = pair(async (_, data) => {
    await new Promise((resolve) => setTimeout(resolve, data === 1 ? 20 : 1))
    return { got: data }
  })
  expect(
    await Promise.all([
      page.request('a', 1, 1000),
      page.request('a', 2, 1000),
      page.request('a', 3, 1000),
    ]),
  ).toEqual([{ got: 1 }, { got: 2 }, { got: 3 }])
})

test('both sides can send requests', async () => {
  const { host } = pair(
    () => ({}),
    (event) => ({ handled: event === 'back' }),
  )
  expect(await host.request('back', {}, 1000)).toEqual({ handled: true })
})

test('an answer without content resolves to an empty object', async () => {
  const { page } = pair(() => undefined)
  expect(await page.request('sysLogout', {}, 1000)).toEqual({})
})

test('a refusal rejects with its reason, an unexpected error as failed without its message', async () => {
  const refusing = pair(() => {
    throw new ContainerError('refused')
  })
  await expect(refusing.page.request('a', {}, 1000)).rejects.toMatchObject({ reason: 'refused' })
  const failing = pair(() => {
    throw new Error('a secret')
  })
  await expect(failing.page.request('a', {}, 1000)).rejects.toMatchObject({ reason: 'failed' })
  expect(failing.sent.join()).not.toContain('secret')
})

test('a request times out after its limit, and a late answer is ignored', async () => {
  vi.useFakeTimers()
  let request = ''
  const page = startConversation(
    (text) => {
      request = text
    },
    () => ({}),
  )
  const answer = page.request('sysVpnState', {}, 5000)
  const late = expect(answer).rejects.toMatchObject({ reason: 'timeout' })
  await vi.advanceTimersByTimeAsync(5000)
  await late
  page.receive(write({ id: JSON.parse(request).id, answer: { connected: true } }))
  vi.useRealTimers()
})

test('a request rejects at once if sending throws', async () => {
  const page = startConversation(
    () => {
      throw new Error('no such method')
    },
    () => ({}),
  )
  await expect(page.request('a', {}, 1000)).rejects.toMatchObject({ reason: 'failed' })
})

test('requests and answers carry the key once it is set', async () => {
  const { page, host, sent } = pair(
    () => ({}),
    () => ({}),
  )
  await page.request('hello', {}, 1000)
  page.setKey('k1')
  await page.request('a', {}, 1000)
  await host.request('back', {}, 1000)
  const keys = sent.map((text) => JSON.parse(text).key)
  expect(keys).toEqual([undefined, undefined, 'k1', undefined, undefined, 'k1'])
})

test.each([
  ['an object instead of text', { atrium: 1, id: 'a', event: 'x' }],
  ['undefined', undefined],
  ['invalid JSON', '{atrium'],
  ['JSON that is not an object', '"atrium"'],
  ['null', 'null'],
  ['a message of another protocol', '{"type":"webpackOk"}'],
  ['no id', '{"atrium":1,"event":"a"}'],
  ['an id that is not a string', '{"atrium":1,"id":7,"event":"a"}'],
  ['an empty id', '{"atrium":1,"id":"","event":"a"}'],
  ['an overlong id', `{"atrium":1,"id":"${'a'.repeat(101)}","event":"a"}`],
  ['neither request nor answer', '{"atrium":1,"id":"a"}'],
  ['an event that is not a string', '{"atrium":1,"id":"a","event":{}}'],
  [
    'an oversized message',
    JSON.stringify({ atrium: 1, id: 'a', event: 'x', data: 'a'.repeat(200_000) }),
  ],
])('ignores %s', (_, given) => {
  expect(read(given)).toBeUndefined()
})

test('an answer without a request is ignored, and an unknown reason is read as failed', async () => {
  const { page } = pair(() => ({}))
  page.receive('{"atrium":1,"id":"__proto__","answer":{}}')
  expect(read('{"atrium":1,"id":"a","error":"<b>"}')).toMatchObject({ error: 'failed' })
  expect(read('{"atrium":1,"id":"a","error":{"toString":1}}')).toMatchObject({ error: 'failed' })
})
