import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { Endpoint } from '@atrium/contract/define'
import { sending } from '@atrium/contract/work/sending'
import { sendingLedger } from '@atrium/contract/work/sending-ledger'
import { openPool, type Pool } from '../apps/server/src/platform/database/db.ts'
import { openBenchDatabase } from './database.ts'
import { addMembers, nameMembers, settle } from './fill.ts'
import { openBenchFolder } from './folder.ts'
import { openInProcess } from './in-process-server.ts'
import type { Settings } from './main.ts'
import { memoryMb, startAtrium } from './processes.ts'
import { count, fixed, machine, median, report, type Target } from './report.ts'
import { sendRequest } from './request.ts'

const members = 100_000
const searches = 200
const everybody = [{ ins_code: 'JLU', below: true }]

/** A message to a hundred thousand members: accepted, delivered, and tracked while it is sent. */
export async function benchSending(settings: Settings) {
  const { dataDir, variables } = openBenchFolder()
  const database = await openBenchDatabase('sending', settings, variables)
  const pool = openPool(database.url, 2)
  const times = {
    preview: [],
    accept: [],
    inboxes: [],
    result: [],
    search: [],
    plain: [],
  } as Record<'preview' | 'accept' | 'inboxes' | 'result' | 'search' | 'plain', number[]>
  const memory = { before: 0, after: 0 }
  try {
    console.log(`creating ${count(members)} members`)
    await pool.query('set statement_timeout = 0')
    await addMembers(pool, members)
    // Sending to everybody needs no approval here.
    await pool.query(
      `insert into sending_policy (policy) values ('{"approveAbove": null}') on conflict (id) do update set policy = excluded.policy`,
    )
    const indexing = performance.now()
    await nameMembers(pool)
    const indexed = (performance.now() - indexing) / 1000
    console.log(`${count(members)} members named and searchable by name in ${fixed(indexed, 1)} s`)
    await settle(database.url)
    const inProcess = await openInProcess({
      ...variables,
      ATRIUM_JOBS: 'off',
      DATABASE_URL: database.url,
    })
    const [token = ''] = await inProcess.tokensOf('admin', 1)
    await inProcess.close()
    const server = await startAtrium({ ...variables, DATABASE_URL: database.url })
    const call = createCaller(server, token)
    for (let round = 0; round <= settings.rounds; round++) {
      console.log(`round ${round}`)
      const measured = await sendToAll(call, pool)
      if (round === 0) {
        // The first round creates the boxes.
        memory.before = memoryMb([server.pid])
        continue
      }
      for (const name of ['preview', 'accept', 'inboxes', 'plain'] as const)
        times[name].push(measured[name])
      times.result.push(...measured.result)
    }
    memory.after = memoryMb([server.pid])
    await settle(database.url)
    for (let index = 0; index < searches; index++) {
      const keyWords = ['林', '张伟', 'bench99', '王芳晨', '梓', 'zhangwei', 'wf', 'c'][index % 8]
      times.search.push((await call(sending.people, { query: { keyWords } })).ms)
    }
    await server.stop()
  } finally {
    await pool.end()
    await database.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  const medianOf = (name: keyof typeof times) => median(times[name])
  const slowest = Math.max(...times.result)
  const p95 = quantile(times.search, 0.95)
  const targets: Target[] = [
    target('accepted', '≤ 300 ms', `${fixed(medianOf('accept'))} ms`, medianOf('accept') <= 300),
    target(
      'in all inboxes',
      '≤ 30 s',
      `${fixed(medianOf('inboxes'), 1)} s`,
      medianOf('inboxes') <= 30,
    ),
    target('result during delivery, slowest', '≤ 200 ms', `${fixed(slowest)} ms`, slowest <= 200),
    target('search for people by name, p95', '≤ 20 ms', `${fixed(p95, 1)} ms`, p95 <= 20),
  ]
  report(
    database.reportName,
    {
      machine: machine(database.version),
      tables: [
        {
          title: `A message to ${count(members)} members`,
          head: ['', 'median'],
          rows: [
            ['preview, ms', fixed(medianOf('preview'))],
            ['accepted, ms', fixed(medianOf('accept'))],
            ['in all inboxes, s', fixed(medianOf('inboxes'), 1)],
            ['insert … select of the recipients alone, s', fixed(medianOf('plain'), 1)],
            ['result during delivery, ms', fixed(medianOf('result'))],
            ['search for people by name, ms', fixed(medianOf('search'), 1)],
          ],
          note: `${times.accept.length} rounds, over HTTP, with all jobs on. Memory of the server ${fixed(memory.before)} MB after the first round and ${fixed(memory.after)} MB after the last.`,
        },
      ],
      targets,
    },
    settings,
    { times, memory },
  )
}

const target = (what: string, wanted: string, measured: string, ok: boolean): Target => ({
  what,
  wanted,
  measured,
  ok,
})

const quantile = (values: readonly number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN

type Call = (
  endpoint: Endpoint,
  input: { query?: object; body?: object },
) => Promise<{ ms: number; data: Record<string, unknown> }>

const createCaller =
  (server: { port: number }, token: string): Call =>
  async ({ path }, { query, body }) => {
    const url = `${path}?${new URLSearchParams({ ...query })}`
    const started = performance.now()
    const { bytes } = await sendRequest(server, url, { 'x-id-token': token }, body)
    const ms = performance.now() - started
    return { ms, data: JSON.parse(bytes.toString()).data }
  }

async function sendToAll(call: Call, pool: Pool) {
  const preview = await call(sending.preview, {
    body: { recipients: everybody, channels: ['push'] },
  })
  const started = performance.now()
  const accepted = await call(sending.send, {
    body: {
      key: randomUUID(),
      title: '测量',
      channels: ['push'],
      recipients: everybody,
      expected: preview.data.recipients,
    },
  })
  const { sendId } = accepted.data
  const result: number[] = []
  for (;;) {
    const { ms, data } = await call(sendingLedger.result, { query: { sendId } })
    result.push(ms)
    if (data.status === 'sent') break
    await wait(250)
  }
  const inboxes = (performance.now() - started) / 1000
  const plainStarted = performance.now()
  await pool.query('create table plain_recipient (like sending_recipient including all)')
  await pool.query(
    `insert into plain_recipient (id, sending_id, account_id, channels) overriding system value
     select id, 1, id, '{}' from account where status <> 'disabled'`,
  )
  const plain = (performance.now() - plainStarted) / 1000
  await pool.query('drop table plain_recipient')
  return { preview: preview.ms, accept: accepted.ms, inboxes, result, plain }
}
