import { Agent, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { maxParticipants } from '@atrium/contract/work/appointments'
import { calendarExchange } from '@atrium/contract/work/calendar-exchange'
import { schedule } from '@atrium/contract/work/schedule'
import { createEvent } from '../apps/server/src/domains/work/appointments/write.ts'
import type { openInProcess } from './in-process-server.ts'
import type { startAtrium } from './processes.ts'
import { count, fixed, type Table, type Target } from './report.ts'

const guestCount = 5000
const fetches = 10_000
const feeds = 200
/** One in this many fetches comes from a program without a cached copy. */
const uncachedEvery = 20
const concurrency = 32

type Spread = {
  inProcess: Awaited<ReturnType<typeof openInProcess>>
  server: Awaited<ReturnType<typeof startAtrium>>
  /** account ids; the first one organises */
  accounts: readonly string[]
  tables: Table[]
  targets: Target[]
  raw: Record<string, unknown>
}

/** An event with thousands of guests until it is on their screens; feeds as fetched by calendar programs. */
export async function benchSpread(spread: Spread) {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  try {
    await benchInvited(spread, agent)
    await benchFeeds(spread, agent)
  } finally {
    agent.destroy()
  }
}

async function benchInvited(
  { inProcess, server, accounts, tables, targets, raw }: Spread,
  agent: Agent,
) {
  const [organiser = '', ...others] = accounts
  const people = others.slice(0, guestCount)
  console.log(`inviting ${count(people.length)} members`)
  const { rows } = await inProcess.platform.pool.query<{ username: string }>(
    'select username from account where id = any($1::bigint[]) order by id',
    [people],
  )
  const tokens: string[] = []
  for (const account of people) tokens.push(await inProcess.tokenOf(account))
  const viewer = await inProcess.platform.guard.viewerOf(await inProcess.tokenOf(organiser))
  const today = (token: string) =>
    fetchWithAgent(agent, server.port, schedule.today.path, { 'x-id-token': token })
  // As on a working day: everybody's day is already cached.
  await mapConcurrently(tokens, async (token) => {
    await today(token)
  })
  const title = `全校通知 ${Date.now()}`
  const startsLocal = `${Temporal.Now.zonedDateTimeISO('Asia/Shanghai').toPlainDate()}T23:00`
  const started = performance.now()
  // The maximum number of guests per event.
  const groups = Array.from({ length: Math.ceil(rows.length / maxParticipants) }, (_, index) =>
    rows.slice(index * maxParticipants, (index + 1) * maxParticipants),
  )
  await Promise.all(
    groups.map((group, index) =>
      createEvent(inProcess.platform, viewer as never, {
        uid: `bench-invited-${index}-${Date.now()}`,
        title,
        startsLocal,
        minutes: 30,
        timeZone: 'Asia/Shanghai',
        participants: group.map(({ username }) => ({ accountName: username })),
      }),
    ),
  )
  const createdMs = performance.now() - started
  const seen = await mapConcurrently(tokens, async (token) =>
    (await today(token)).body.includes(title),
  )
  const seenMs = performance.now() - started
  if (seen.includes(false))
    throw new Error(`${seen.filter((one) => !one).length} do not see the event`)
  raw.invited = { members: people.length, madeMs: createdMs, seenMs: seenMs }
  tables.push({
    title: `A new event for ${count(people.length)} members`,
    head: ['', 'seconds'],
    rows: [
      ['created', fixed(createdMs / 1000, 2)],
      ['in the day of every member', fixed(seenMs / 1000, 2)],
    ],
    note: `As ${groups.length} events with ${maxParticipants} participants each, the maximum, created concurrently; then every member requests their day, ${concurrency} at a time.`,
  })
  targets.push({
    what: `a new event for ${count(people.length)} members, until it is in their day`,
    wanted: '≤ 5 s',
    measured: `${fixed(seenMs / 1000, 1)} s`,
    ok: seenMs <= 5000,
  })
}

async function benchFeeds(
  { inProcess, server, accounts, tables, targets, raw }: Spread,
  agent: Agent,
) {
  console.log(`creating ${feeds} feeds`)
  const created = await mapConcurrently(
    Array.from({ length: feeds }, (_, index) => accounts[index % accounts.length] ?? ''),
    async (account) => {
      const headers = { 'x-id-token': await inProcess.tokenOf(account) }
      const { body } = await fetchWithAgent(
        agent,
        server.port,
        calendarExchange.createFeed.path,
        headers,
        {
          name: 'bench',
        },
      )
      const { pathname } = new URL((JSON.parse(body) as { data: { url: string } }).data.url)
      const { etag } = await fetchWithAgent(agent, server.port, pathname, {})
      return { pathname, etag }
    },
  )
  console.log(`fetching ${count(fetches)} times`)
  const started = performance.now()
  const statuses = await mapConcurrently(
    Array.from({ length: fetches }, (_, index) => index),
    async (index) => {
      const { pathname, etag } = created[index % feeds] as (typeof created)[number]
      const isNew = Math.floor(index / feeds) % uncachedEvery === 0
      return (
        await fetchWithAgent(agent, server.port, pathname, isNew ? {} : { 'if-none-match': etag })
      ).status
    },
  )
  const seconds = (performance.now() - started) / 1000
  const known = statuses.filter((status) => status === 304).length
  const other = statuses.find((status) => status !== 304 && status !== 200)
  if (other) throw new Error(`a feed answered ${other}`)
  raw.feeds = { fetches, known, seconds }
  tables.push({
    title: `${count(fetches)} fetches of ${feeds} feeds`,
    head: ['', 'answers', 'seconds', 'per minute'],
    rows: [
      [
        'as calendar programs send them',
        count(fetches),
        fixed(seconds, 1),
        count((fetches / seconds) * 60),
      ],
      ['of these 304', count(known), '', ''],
    ],
  })
  targets.push({
    what: `${count(fetches)} feed fetches, ${Math.round((known / fetches) * 100)} % of them 304`,
    wanted: '≤ 60 s',
    measured: `${fixed(seconds, 1)} s`,
    ok: seconds <= 60,
  })
}

async function mapConcurrently<T, R>(
  list: readonly T[],
  work: (one: T) => Promise<R>,
): Promise<R[]> {
  const done: R[] = []
  let next = 0
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let index = next++; index < list.length; index = next++)
        done[index] = await work(list[index] as T)
    }),
  )
  return done
}

async function fetchWithAgent(
  agent: Agent,
  port: number,
  path: string,
  headers: Record<string, string>,
  body?: object,
) {
  return new Promise<{ status: number; etag: string; body: string }>((resolve, reject) => {
    const clientRequest = request(
      {
        agent,
        port,
        host: '127.0.0.1',
        path,
        method: body ? 'POST' : 'GET',
        headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      },
      (answer) => {
        buffer(answer).then((bytes) => {
          const status = answer.statusCode ?? 0
          if (status >= 400) reject(new Error(`${path} answered ${status}: ${bytes}`))
          else resolve({ status, etag: answer.headers.etag ?? '', body: bytes.toString() })
        }, reject)
      },
    )
    clientRequest.on('error', reject)
    clientRequest.end(body && JSON.stringify(body))
  })
}
