import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { news } from '@atrium/contract/content/news'
import { services } from '@atrium/contract/services/services'
import { config } from '@atrium/contract/shell/config'
import { home } from '@atrium/contract/shell/home'
import { messages } from '@atrium/contract/work/messages'
import { tasks } from '@atrium/contract/work/tasks'
import { openPool } from '../apps/server/src/platform/database/db.ts'
import { startEmbeddedPostgres } from '../apps/server/src/platform/database/embedded-postgres.ts'
import type { Script } from './baseline-server.ts'
import { addMembers, settle } from './fill.ts'
import { openInProcess } from './in-process-server.ts'
import type { Settings } from './main.ts'
import { cpuSeconds, startAtrium, startProgram } from './processes.ts'
import { count, fixed, machine, report } from './report.ts'

const members = 2000
/** Period in seconds over which the members open the portal. */
const periodSeconds = 60
const calls = [
  config.detail.path,
  home.read.path,
  messages.unreadTotal.path,
  services.list.path,
  news.list.path,
  tasks.counts.path,
]

type Outcome = {
  statuses: Map<number, number>
  failed: Map<string, number>
  ms: number[]
  cpu: number
}

/** A campus behind one IP address opens the portal within a minute, on a freshly started node. */
export async function benchBurst(settings: Settings) {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'atrium-bench-'))
  // As root, the embedded database runs as another user, who needs access.
  chmodSync(dataDir, 0o711)
  const variables = {
    ATRIUM_DEMO: '1',
    ATRIUM_DATA_DIR: dataDir,
    ATRIUM_SECRET: randomBytes(24).toString('hex'),
    ATRIUM_PUBLIC_URL: 'http://localhost:8080',
    ATRIUM_JOBS: 'off',
  }
  try {
    console.log(`creating a database and ${count(members)} signed-in members`)
    await (await startAtrium(variables)).stop()
    const embedded = await startEmbeddedPostgres(dataDir)
    const url = embedded.url('atrium')
    try {
      const tokens = await signedIn(url, { ...variables, DATABASE_URL: url })
      await settle(url)
      // With the default rate limits of an installation.
      const server = await startAtrium({ ...variables, DATABASE_URL: url })
      const outcome = await openPortals(server, tokens).finally(server.stop)
      const baseline = startProgram('baseline-server')
      const script: Script = {
        headers: { 'content-type': 'application/json' },
        body: Buffer.alloc(4000, '{"code":0}').toString('base64'),
      }
      const { port } = await baseline.request<{ port: number }>(script)
      const baselineOutcome = await openPortals({ pid: baseline.pid, port }, tokens).finally(
        baseline.stop,
      )
      reportBurst(settings, outcome, baselineOutcome)
    } finally {
      await embedded.stop()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function signedIn(url: string, variables: Record<string, string>) {
  const pool = openPool(url, 1)
  const accounts = await addMembers(pool, members)
  await pool.end()
  const inProcess = await openInProcess(variables)
  const tokens: string[] = []
  for (const account of accounts) tokens.push(await inProcess.tokenOf(account))
  await inProcess.close()
  return tokens
}

async function openPortals(
  server: { pid: number; port: number },
  tokens: string[],
): Promise<Outcome> {
  console.log(`${count(tokens.length)} members open the portal within ${periodSeconds} s`)
  const outcome: Outcome = { statuses: new Map(), failed: new Map(), ms: [], cpu: 0 }
  const before = cpuSeconds([server.pid])
  const started = performance.now()
  await Promise.all(
    tokens.map(async (token, index) => {
      await wait((index / tokens.length) * periodSeconds * 1000)
      // One phone, with its own connections.
      const agent = new http.Agent({ keepAlive: true, maxSockets: 6 })
      await Promise.all(calls.map((call) => timeRequest(outcome, server.port, agent, call, token)))
      agent.destroy()
    }),
  )
  outcome.cpu = (cpuSeconds([server.pid]) - before) / ((performance.now() - started) / 1000)
  return outcome
}

function timeRequest(
  { statuses, failed, ms }: Outcome,
  port: number,
  agent: http.Agent,
  path: string,
  token: string,
) {
  const add = <K>(counts: Map<K, number>, key: K) => counts.set(key, (counts.get(key) ?? 0) + 1)
  return new Promise<void>((resolve) => {
    const requestStarted = performance.now()
    const headers = { 'x-id-token': token, 'accept-encoding': 'br' }
    const request = http.get({ host: '127.0.0.1', port, path, agent, headers }, (response) => {
      response.resume()
      response.once('end', () => {
        ms.push(performance.now() - requestStarted)
        add(statuses, response.statusCode ?? 0)
        resolve()
      })
    })
    request.once('error', (error: NodeJS.ErrnoException) => {
      add(failed, error.code ?? error.message)
      resolve()
    })
  })
}

function reportBurst(settings: Settings, atrium: Outcome, baseline: Outcome) {
  const quantile = ({ ms }: Outcome, share: number) =>
    [...ms].sort((one, other) => one - other)[Math.floor(ms.length * share)] ?? 0
  const refused = atrium.statuses.get(429) ?? 0
  const others = [...atrium.statuses].filter(([status]) => status !== 200 && status !== 429)
  const row = (name: string, outcome: Outcome) => [
    name,
    count(outcome.ms.length),
    fixed(quantile(outcome, 0.5), 1),
    fixed(quantile(outcome, 0.99), 1),
    fixed(Math.max(...outcome.ms), 1),
    `${fixed(outcome.cpu * 100, 0)} %`,
  ]
  const tables = [
    {
      title: `${count(members)} members × ${calls.length} calls from one address, within ${periodSeconds} s`,
      head: ['', 'answers', 'median ms', 'p99 ms', 'longest ms', 'share of a core'],
      rows: [row('a fresh node, default limits', atrium), row('baseline, from memory', baseline)],
      note: 'Each member has separate connections. The clients, the server and the database share the cores.',
    },
  ]
  const targets = [
    { what: 'answered 429', wanted: '0', measured: String(refused), ok: refused === 0 },
    {
      what: 'connections reset, other failures',
      wanted: '0',
      measured: JSON.stringify([...atrium.failed, ...others]),
      ok: atrium.failed.size === 0 && others.length === 0,
    },
  ]
  const raw = [atrium, baseline].map((outcome) => ({
    ...outcome,
    ms: undefined,
    statuses: [...outcome.statuses],
    failed: [...outcome.failed],
  }))
  report('burst', { machine: machine(), tables, targets }, settings, raw)
}
