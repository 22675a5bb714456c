import { once } from 'node:events'
import { get } from 'node:http'
import { PassThrough } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { identity } from '@atrium/contract/identity/identity'
import { live } from '@atrium/contract/work/live'
import { messages } from '@atrium/contract/work/messages'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { invalidate } from '#platform/database/topics.ts'
import { openLog } from '#platform/log.ts'
import {
  demoPassword,
  idTokenOf,
  openNode,
  type TestApp,
  testApp,
} from '../../../../test/test-app.ts'
import { defineBuiltInApp } from '../messages/built-in-apps.ts'
import { sendMessage } from '../messages/send.ts'

const own = defineBuiltInApp({
  code: 'live-test',
  name: '测试',
  nameEn: 'Test',
  icon: { glyph: 'message', tone: 'blue' },
  position: 1,
  kinds: { general: { name: '通知', nameEn: 'General' } },
})

let app: TestApp
let origin: string
let second: Awaited<ReturnType<typeof openNode>>
let secondOrigin: string
const open: AbortController[] = []
beforeAll(async () => {
  app = await testApp()
  origin = await app.app.listen({ port: 0, host: '127.0.0.1' })
  second = await openNode(app.url)
  secondOrigin = await second.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  for (const stream of open) stream.abort()
  await second.platform.close()
  await second.app.close()
})

type Event = { id: string; event: string; data: Record<string, unknown> }

/** Reads a stream as a browser does. */
async function listen(token: string, at = origin, lastEventId?: string) {
  const abort = new AbortController()
  open.push(abort)
  const response = await fetch(`${at}${live.stream.path}`, {
    headers: { 'x-id-token': token, ...(lastEventId && { 'last-event-id': lastEventId }) },
    signal: abort.signal,
  })
  const events: Event[] = []
  let ended = false
  const reading = (async () => {
    let text = ''
    if (!response.body) return
    for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
      text += part
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const fields = Object.fromEntries(
          block.split('\n').map((line) => line.split(/: (.*)/).slice(0, 2)),
        )
        if (fields.event) events.push({ ...fields, data: JSON.parse(fields.data) } as Event)
      }
    }
  })()
  reading
    .catch(() => {})
    .finally(() => {
      ended = true
    })
  return {
    status: response.status,
    events,
    ended: () => ended,
    close: () => abort.abort(),
    counts: () => events.findLast(({ event }) => event === 'counts')?.data,
    titles: () => events.filter(({ event }) => event === 'message').map(({ data }) => data.title),
    lastId: () => events.at(-1)?.id,
  }
}

const accountOf = async (username: string) =>
  (
    await app.platform.db
      .selectFrom('account')
      .select('id')
      .where('username', '=', username)
      .executeTakeFirstOrThrow()
  ).id
const send = async (to: string, title: string) =>
  sendMessage(app.platform.db, {
    kind: own.kinds.general,
    to: { accounts: [await accountOf(to)] },
    title: { zh: title },
  })
const soon = { timeout: 5000, interval: 20 }

test('the total count is the sum of messages and tasks', async () => {
  const { data } = await (await app.as('teacher'))(live.counts, { body: {} })
  expect(data.total).toBe(data.messages + data.tasks)
  expect(await app.visitor(live.counts, { body: {} })).toMatchObject({ status: 401 })
})

test('streams on every node receive a message and the new count after it is read', async () => {
  const token = await app.tokenOf('student')
  const student = await app.as('student')
  const here = await listen(token)
  const there = await listen(token, secondOrigin)
  const stranger = await listen(await app.tokenOf('teacher'))
  const before = (await student(live.counts, { body: {} })).data
  for (const stream of [here, there]) {
    expect(stream.status).toBe(200)
    await expect.poll(stream.counts, soon).toEqual(before)
  }
  const { id } = await send('student', 'Hello')
  for (const stream of [here, there]) {
    await expect.poll(stream.titles, soon).toEqual(['Hello'])
    await expect.poll(stream.counts, soon).toMatchObject({ messages: before.messages + 1 })
  }
  await student(messages.markRead, { body: { ids: [id] } })
  for (const stream of [here, there]) await expect.poll(stream.counts, soon).toEqual(before)
  expect(stranger.titles()).toEqual([])
})

test('a message sent right after the stream opens is delivered', async () => {
  const stream = await listen(await app.tokenOf('staff'))
  await send('staff', 'At once')
  await expect.poll(stream.titles, soon).toEqual(['At once'])
})

test('a device that leaves before it is notified causes no warning', async () => {
  let log = ''
  const written = new PassThrough().on('data', (chunk) => {
    log += chunk
  })
  const node = await openNode(app.url, {}, openLog('warn', written))
  const address = await node.app.listen({ port: 0, host: '127.0.0.1' })
  const headers = { 'x-id-token': await app.tokenOf('reviewer') }
  for (let time = 0; time < 3; time++) {
    const leaving = get(address + live.stream.path, { headers })
    const [response] = await once(leaving, 'response')
    expect(response.statusCode).toBe(200)
    response.destroy()
    // Longer than the time in which changes are collected.
    await setTimeout(250)
  }
  await node.platform.close()
  await node.app.close()
  expect(log).not.toContain('open devices could not be notified')
})

test('an interrupted stream is resumed without losing messages', async () => {
  const token = await app.tokenOf('teacher')
  const first = await listen(token)
  await expect.poll(first.counts, soon).toBeDefined()
  await send('teacher', 'Before the cut')
  await expect.poll(first.titles, soon).toEqual(['Before the cut'])
  const last = first.lastId()
  first.close()
  await send('teacher', 'During the cut')
  const resumed = await listen(token, secondOrigin, last)
  await expect.poll(resumed.titles, soon).toContain('During the cut')
  await send('teacher', 'After the cut')
  await expect.poll(resumed.titles, soon).toContain('After the cut')
  const anew = await listen(token)
  await expect.poll(anew.counts, soon).toBeDefined()
  expect(anew.titles()).toEqual([])
})

test('a stream ends with its session', async () => {
  const { data } = await app.visitor(identity.passwordLogin, {
    body: { username: 'staff', password: demoPassword },
  })
  const token = idTokenOf(data)
  const stream = await listen(token, secondOrigin)
  await expect.poll(stream.counts, soon).toBeDefined()
  await app.withToken(token)(identity.logout, { body: {} })
  await expect.poll(stream.ended, soon).toBe(true)
  expect((await listen(token)).status).toBe(401)
})

test.each(["' or 1=1 --", '-1', '9'.repeat(30), '1.5', 'x', '%00'])(
  'a stream cannot be resumed from the id %s',
  async (lastEventId) => {
    const student = await app.as('student')
    expect(await student(live.stream, { query: { lastEventId } })).toMatchObject({
      status: 400,
      error: 'request.invalid',
    })
  },
)

test('a member can open ten streams at most, a visitor none', async () => {
  const token = await app.tokenOf('admin')
  const streams = await Promise.all(Array.from({ length: 10 }, () => listen(token)))
  expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]))
  expect((await listen(token)).status).toBe(429)
  streams[0]?.close()
  await expect.poll(async () => (await listen(token)).status, soon).toBe(200)
  expect((await app.visitor(live.stream)).status).toBe(401)
})

test('with an external message centre the stream returns 204', async () => {
  const { db, topics } = app.platform
  const set = async (value: string) => {
    await sql`insert into config_value (key, value) values ('messageBase', ${value})
      on conflict (key) do update set value = excluded.value`.execute(db)
    await invalidate(db, 'config')
    await topics.flushed()
  }
  await set('https://messages.example.edu/api')
  expect((await listen(await app.tokenOf('student'))).status).toBe(204)
  await set('')
  expect((await listen(await app.tokenOf('student'))).status).toBe(200)
})
