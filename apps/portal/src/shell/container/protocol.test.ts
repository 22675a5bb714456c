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

test('a question gets its own answer, in whatever order they come', async () => {
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

test('both sides may ask', async () => {
  const { host } = pair(
    () => ({}),
    (event) => ({ handled: event === 'back' }),
  )
  expect(await host.request('back', {}, 1000)).toEqual({ handled: true })
})

test('an answer without content is one', async () => {
  const { page } = pair(() => undefined)
  expect(await page.request('sysLogout', {}, 1000)).toEqual({})
})

test('a refusal rejects with its reason, an unforeseen failure as failed and without its words', async () => {
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

test('silence ends after the limit, and an answer that comes later disturbs nobody', async () => {
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

test('a door that throws rejects at once', async () => {
  const page = startConversation(
    () => {
      throw new Error('no such method')
    },
    () => ({}),
  )
  await expect(page.request('a', {}, 1000)).rejects.toMatchObject({ reason: 'failed' })
})

test('the key goes with everything said once it is known', async () => {
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
  ['no text', { atrium: 1, id: 'a', event: 'x' }],
  ['nothing', undefined],
  ['no JSON', '{atrium'],
  ['JSON that is no object', '"atrium"'],
  ['null', 'null'],
  ['a message of somebody else', '{"type":"webpackOk"}'],
  ['no id', '{"atrium":1,"event":"a"}'],
  ['an id that is no text', '{"atrium":1,"id":7,"event":"a"}'],
  ['an empty id', '{"atrium":1,"id":"","event":"a"}'],
  ['an overlong id', `{"atrium":1,"id":"${'a'.repeat(101)}","event":"a"}`],
  ['neither question nor answer', '{"atrium":1,"id":"a"}'],
  ['an event that is no text', '{"atrium":1,"id":"a","event":{}}'],
  ['far too much', JSON.stringify({ atrium: 1, id: 'a', event: 'x', data: 'a'.repeat(200_000) })],
])('not read: %s', (_, given) => {
  expect(read(given)).toBeUndefined()
})

test('an answer to a question nobody asked, or an unknown reason, does no harm', async () => {
  const { page } = pair(() => ({}))
  page.receive('{"atrium":1,"id":"__proto__","answer":{}}')
  expect(read('{"atrium":1,"id":"a","error":"<b>"}')).toMatchObject({ error: 'failed' })
  expect(read('{"atrium":1,"id":"a","error":{"toString":1}}')).toMatchObject({ error: 'failed' })
})
