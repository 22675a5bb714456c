// Over 400 lines: one measurement from load to report, read from top to bottom.
import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { news } from '@atrium/contract/content/news'
import { services } from '@atrium/contract/services/services'
import { config } from '@atrium/contract/shell/config'
import { messages } from '@atrium/contract/work/messages'
import { schedule } from '@atrium/contract/work/schedule'
import { createDatabase } from '../apps/server/src/database.ts'
import { openPool } from '../apps/server/src/platform/database/db.ts'
import { startEmbeddedPostgres } from '../apps/server/src/platform/database/embedded-postgres.ts'
import type { Script } from './baseline-server.ts'
import { addMessages, growBox, markUnread, settle } from './fill.ts'
import { openBenchFolder } from './folder.ts'
import { openInProcess } from './in-process-server.ts'
import type { Settings } from './main.ts'
import { connections, measure, overHttp, type Result, requestText } from './measure.ts'
import { descendants, memoryMb, type Server, startAtrium, startProgram } from './processes.ts'
import {
  count,
  fixed,
  machine,
  median,
  percent,
  report,
  type Table,
  type Target,
} from './report.ts'
import { memoryScript, sendRequest, signIn } from './request.ts'

type Bench = Settings & {
  /** for every server of this run */
  variables: Record<string, string>
  tables: Table[]
  targets: Target[]
  raw: Record<string, unknown>
}

export async function benchServer(settings: Settings) {
  if (process.platform !== 'linux')
    throw new Error('The server bench reads CPU and memory from /proc and needs Linux.')
  const { dataDir, variables } = openBenchFolder()
  const bench: Bench = { ...settings, variables, tables: [], targets: [], raw: {} }
  try {
    console.log('creating a database and filling it with the demo institution')
    const first = await startAtrium(variables)
    await first.stop()
    if (settings.only.includes('memory')) await benchMemory(bench, first.readyAfter)
    const embedded = await startEmbeddedPostgres(dataDir)
    try {
      const url = embedded.url('atrium')
      const version = await postgresVersion(url)
      const isSelected = (part: string) => settings.only.includes(part)
      if (isSelected('load')) await benchLoad(bench, url)
      if (isSelected('messages')) await benchMessages(bench, embedded.url)
      const { tables, targets, raw } = bench
      report('server', { machine: machine(version), tables, targets }, { ...settings }, raw)
    } finally {
      await embedded.stop()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

// ---- memory and start ----

async function benchMemory({ variables, rounds, tables, targets, raw }: Bench, first: number) {
  console.log('measuring the start, then the idle server')
  const starts: number[] = []
  let server: Server | undefined
  for (let round = 0; round < rounds; round++) {
    await server?.stop()
    server = await startAtrium(variables)
    starts.push(server.readyAfter)
  }
  if (!server) return
  await wait(10_000)
  const idle = memoryOf(server)
  const token = await signIn(server)
  for (let sentCount = 0; sentCount < 1000; sentCount += 50) {
    const urls = Array.from(
      { length: 50 },
      (_, index) => measuredEndpoints[index % measuredEndpoints.length]?.url ?? '',
    )
    await Promise.all(urls.map((url) => sendRequest(server, url, { 'x-id-token': token })))
  }
  await wait(2000)
  const used = memoryOf(server)
  await server.stop()

  const start = median(starts) / 1000
  raw.starts = starts
  tables.push({
    title: 'Memory and start, server with its embedded database',
    head: ['', 'all', 'Node', 'PostgreSQL'],
    rows: [
      ['10 s after the start, MB (PSS)', ...idle.map((mb) => fixed(mb))],
      ['after 1,000 requests, MB (PSS)', ...used.map((mb) => fixed(mb))],
      ['start to ready, existing database, s', fixed(start, 2), '', ''],
      ['start to ready, new database filled with the demo, s', fixed(first / 1000, 1), '', ''],
    ],
  })
  targets.push(
    ...(['10 s after the start', 'after 1,000 requests'] as const).map((when, index) => {
      const [all] = (index === 0 ? idle : used) as [number]
      return {
        what: `memory ${when}`,
        wanted: '≤ 300 MB',
        measured: `${fixed(all)} MB`,
        ok: all <= 300,
      }
    }),
    { what: 'start to ready', wanted: '≤ 3 s', measured: `${fixed(start, 2)} s`, ok: start <= 3 },
  )
}

function memoryOf(server: Server) {
  const postgres = memoryMb(descendants(server.pid, 'postgres'))
  const node = memoryMb([server.pid])
  return [node + postgres, node, postgres]
}

// ---- requests ----

/**
 * A measured endpoint with its targets: shares of what a bare server achieves from memory, and with the same queries.
 */
type Measured = {
  name: string
  url: string
  headers?: Record<string, string>
  /** Answered from the cache of shared bodies: measured with and without it. */
  shared: boolean
  ofMemory?: number
  ofQueries?: number
}
const compressed = { 'accept-encoding': 'br, gzip' }
const measuredEndpoints: Measured[] = [
  { name: 'config', url: config.detail.path, shared: true, ofMemory: 0.5 },
  {
    name: 'service list',
    url: `${services.list.path}?pageSize=20`,
    shared: true,
    ofMemory: 0.5,
    ofQueries: 0.7,
  },
  {
    name: 'news list',
    url: `${news.list.path}?pageSize=20`,
    shared: true,
    ofMemory: 0.5,
    ofQueries: 0.7,
  },
  {
    name: 'unread count',
    url: messages.unreadTotal.path,
    shared: false,
    ofMemory: 0.1,
    ofQueries: 0.7,
  },
  { name: "today's events", url: schedule.today.path, shared: false, ofMemory: 0.07 },
  {
    name: 'message list',
    url: `${messages.list.path}?pageSize=20`,
    shared: false,
    ofQueries: 0.7,
  },
]
const compressedEndpoints: Measured[] = [
  {
    name: 'service list, br',
    url: `${services.list.path}?pageSize=20`,
    headers: compressed,
    shared: true,
  },
  {
    name: 'message list, br',
    url: `${messages.list.path}?pageSize=20`,
    headers: compressed,
    shared: false,
  },
]

async function benchLoad(bench: Bench, url: string) {
  const variables = { ...bench.variables, DATABASE_URL: url, ATRIUM_JOBS: 'off' }
  const inProcess = await openInProcess(variables)
  const atrium = await startAtrium(variables)
  const uncached = await startAtrium({ ...variables, ATRIUM_BODY_CACHE_MB: '0' })
  const limited = await startAtrium({ ...variables, ATRIUM_RATE_LIMIT: '1000000' })
  const loader = startProgram('loader')
  const memory = startProgram('baseline-server')
  const queries = startProgram('baseline-server')
  const running = [atrium, uncached, limited, loader, memory, queries, { stop: inProcess.close }]
  try {
    const token = await signIn(atrium)
    const results: Record<string, Result[]> = {}
    const isMeasured = (name: string) => bench.endpoints.some((word) => name.includes(word))
    for (const endpoint of [...measuredEndpoints, ...compressedEndpoints]) {
      if (!isMeasured(endpoint.name)) continue
      console.log(`measuring ${endpoint.name}`)
      const headers = { 'x-id-token': token, ...endpoint.headers }
      const script = await memoryScript(atrium, endpoint.url, headers)
      const { port: memoryPort } = await memory.request<{ port: number }>(script)
      const statements = await inProcess.statementsOf(endpoint.url, headers)
      const { port: queriesPort } = await queries.request<{ port: number }>({
        database: url,
        connections: 10,
        statements,
      } satisfies Script)
      const text = [requestText(endpoint.url, headers)]
      results[endpoint.name] = await measure(
        [
          overHttp('Atrium', atrium, loader, text),
          ...(endpoint.shared ? [overHttp(noCache, uncached, loader, text)] : []),
          ...(endpoint.name === 'config' ? [overHttp(limits, limited, loader, text)] : []),
          overHttp(fromMemory, { pid: memory.pid, port: memoryPort }, loader, text),
          ...(endpoint.headers
            ? []
            : [overHttp(fromQueries, { pid: queries.pid, port: queriesPort }, loader, text)]),
        ],
        bench,
      )
      bench.raw[endpoint.name] = {
        bytes: Buffer.from(script.body, 'base64').length,
        statements: statements.map((statement) => statement.text),
        results: results[endpoint.name],
      }
      if (endpoint.name === "today's events") {
        const { data } = JSON.parse(Buffer.from(script.body, 'base64').toString())
        console.log(`  ${data.length} events today`)
      }
    }
    reportLoad(bench, results)
  } finally {
    for (const one of running) await one.stop()
  }
}

const noCache = 'Atrium, no body cache'
const limits = 'Atrium, request limit'
const fromMemory = 'baseline, from memory'
const fromQueries = 'baseline, same queries'

function reportLoad({ tables, targets }: Bench, results: Record<string, Result[]>) {
  const find = (endpoint: string, name: string) =>
    results[endpoint]?.find((result) => result.name === name)
  const share = (result: Result | undefined, of: Result | undefined) =>
    result && of ? result.perSecond / of.perSecond : Number.NaN
  tables.push({
    title: `Requests, ${connections} connections`,
    head: [
      'endpoint',
      'server',
      'requests/s',
      'of memory baseline',
      'of query baseline',
      'Node µs',
      'PostgreSQL µs',
      'median ms',
      'p99 ms',
    ],
    rows: Object.entries(results).flatMap(([endpoint, list]) =>
      list.map((result, index) => [
        index === 0 ? endpoint : '',
        result.name,
        count(result.perSecond),
        percent(share(result, find(endpoint, fromMemory))),
        find(endpoint, fromQueries) ? percent(share(result, find(endpoint, fromQueries))) : '–',
        fixed(result.nodeMicros),
        fixed(result.postgresMicros),
        fixed(result.latency.median, 2),
        fixed(result.latency.p99, 2),
      ]),
    ),
    note: 'CPU time per request: of the server process with all its threads, and of all PostgreSQL processes.',
  })
  const target = (what: string, wanted: number, measured: number) =>
    targets.push({
      what,
      wanted: `≥ ${percent(wanted)}`,
      measured: percent(measured),
      ok: measured >= wanted,
    })
  for (const { name, shared, ofMemory, ofQueries } of measuredEndpoints) {
    const atrium = find(name, 'Atrium')
    if (!atrium) continue
    if (ofMemory)
      target(
        `${name}, share of the baseline from memory`,
        ofMemory,
        share(atrium, find(name, fromMemory)),
      )
    if (ofQueries)
      target(
        `${name}${shared ? ', uncached' : ''}, share of the baseline with the same queries`,
        ofQueries,
        share(shared ? find(name, noCache) : atrium, find(name, fromQueries)),
      )
  }
}

// ---- a growing table ----

async function benchMessages(bench: Bench, urlOf: (database: string) => string) {
  const { variables, messages: total, tables, targets, raw } = bench
  const small = urlOf('atrium')
  const large = urlOf('large')
  const settings = (url: string) => ({ ...variables, DATABASE_URL: url, ATRIUM_JOBS: 'off' })
  const smallSize = (await countMessages(small)) + 10_000
  console.log(`filling ${count(smallSize)} and ${count(total)} messages`)
  const members = await addMessages(small, smallSize)
  const inProcess = await openInProcess(settings(small))
  const tokens: string[] = []
  for (const account of members) tokens.push(await inProcess.tokenOf(account))
  await inProcess.close()
  await createDatabase(urlOf('postgres'), 'large', 'atrium')
  await addMessages(large, total)
  await settle(small)
  await settle(large)

  const loader = startProgram('loader')
  const smallServer = await startAtrium(settings(small))
  const largeServer = await startAtrium(settings(large))
  try {
    const names = [`${count(smallSize)} messages`, `${count(total)} messages`] as const
    const compare = (url: string, callers: string[]) => {
      const requests = callers.map((token) => requestText(url, { 'x-id-token': token }))
      return measure(
        [
          overHttp(names[0], smallServer, loader, requests),
          overHttp(names[1], largeServer, loader, requests),
        ],
        bench,
      ) as Promise<[Result, Result]>
    }
    const endpoints = [
      ['unread count', messages.unreadTotal.path],
      ['message list', `${messages.list.path}?pageSize=20`],
      ['unread messages', `${messages.list.path}?pageSize=20&unread=true`],
      ['message applications', messages.apps.path],
    ] as const
    const results: [string, Result, Result][] = []
    for (const [name, url] of endpoints) {
      console.log(`measuring ${name} in both tables`)
      results.push([name, ...(await compare(url, tokens))])
    }
    const box = 20_000
    await growBox(large, members[0] as string, box)
    // Fills a page of unread messages in both: only ten of a hundred were unread, and half a page costs less.
    await markUnread(small, members[0] as string, 50)
    await settle(small)
    await settle(large)
    for (const [name, url] of endpoints) {
      console.log(`measuring ${name} in an inbox of ${count(box)}`)
      results.push([
        `${name}, own inbox of ${count(box)}`,
        ...(await compare(url, tokens.slice(0, 1))),
      ])
    }
    raw.messages = results
    tables.push({
      title: `Reads of one member while the table grows from ${count(smallSize)} to ${count(total)} messages`,
      head: ['', ...names.map((name) => `${name}: requests/s`), 'slower by', 'PostgreSQL µs'],
      rows: results.map(([name, before, after]) => [
        name,
        count(before.perSecond),
        count(after.perSecond),
        percent(slowdown(before, after)),
        `${fixed(before.postgresMicros)} → ${fixed(after.postgresMicros)}`,
      ]),
      note: `A hundred members with a hundred messages each send requests in turn, the same in both tables; the last rows are of a member who has ${count(box)} messages in the larger table and a hundred in the smaller one, with a full page of unread ones in both.`,
    })
    targets.push(
      ...results.map(([name, before, after]) => ({
        what: `${name}, from ${count(smallSize)} to ${count(total)} messages`,
        wanted: '≤ 15 % slower',
        measured: percent(slowdown(before, after)),
        ok: slowdown(before, after) <= 0.15,
      })),
    )
  } finally {
    for (const one of [loader, smallServer, largeServer]) await one.stop()
  }
}

/** How much longer an answer takes. */
const slowdown = (before: Result, after: Result) => before.perSecond / after.perSecond - 1

async function countMessages(url: string): Promise<number> {
  const pool = openPool(url, 1)
  const { rows } = await pool.query('select count(*)::integer as count from message_delivery')
  await pool.end()
  return rows[0].count
}

async function postgresVersion(url: string): Promise<string> {
  const pool = openPool(url, 1)
  const { rows } = await pool.query('show server_version')
  await pool.end()
  return rows[0].server_version
}
