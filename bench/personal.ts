import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { personal } from '@atrium/contract/member/personal'
import { type PersonalKind, personalKinds } from '@atrium/contract/member/personal-source'
import { personalSources } from '@atrium/contract/member/personal-sources'
import { home } from '@atrium/contract/shell/home'
import { openDatabase, openPool, type Pool } from '../apps/server/src/platform/database/db.ts'
import { invalidate } from '../apps/server/src/platform/database/topics.ts'
import { openBenchDatabase } from './database.ts'
import { addMembers } from './fill.ts'
import { openBenchFolder } from './folder.ts'
import { openInProcess } from './in-process-server.ts'
import type { Settings } from './main.ts'
import { startAtrium } from './processes.ts'
import { fixed, machine, report, type Table, type Target } from './report.ts'

const members = 60
const slowMilliseconds = 2000
const requestCount = 200
const maxMilliseconds = 100

/** Home and Me while five live systems take two seconds to answer. */
export async function benchPersonal(settings: Settings) {
  const slow = await openSlowSystems()
  const { dataDir, variables } = openBenchFolder({
    ATRIUM_JOBS: 'off',
    ATRIUM_OUTBOUND_ALLOW: `127.0.0.1/32:${slow.port}`,
  })
  const database = await openBenchDatabase('personal', settings, variables)
  const tables: Table[] = []
  const targets: Target[] = []
  try {
    const pool = openPool(database.url, 1)
    const accounts = await addMembers(pool, members)
    const inProcess = await openInProcess({ ...variables, DATABASE_URL: database.url })
    const tokens: string[] = []
    for (const account of accounts) tokens.push(await inProcess.tokenOf(account))
    await inProcess.close()
    const server = await startAtrium({ ...variables, DATABASE_URL: database.url })
    // After the start, which configures the demo's own systems.
    await connectSources(pool, slow.port)
    const timeRequest = async (path: string, token: string) => {
      const start = performance.now()
      const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
        headers: { 'x-id-token': token },
      })
      const text = await answer.text()
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${text}`)
      return performance.now() - start
    }
    try {
      // Continuous requests that wait for the systems; each member once, so that nothing is cached yet.
      const live = Promise.all(
        tokens.slice(0, members / 2).map(async (token, index) => {
          await new Promise((resolve) => setTimeout(resolve, index * 100))
          const start = performance.now()
          await Promise.all(liveCalls.map(({ path }) => timeRequest(path, token)))
          return performance.now() - start
        }),
      )
      const rows: (string | number)[][] = []
      for (const [name, path] of measuredPages) {
        const samples: number[] = []
        for (let n = 0; n < requestCount; n++)
          samples.push(await timeRequest(path, tokens[members / 2 + (n % (members / 2))] ?? ''))
        samples.sort((one, other) => one - other)
        const quantile = (share: number) => samples[Math.floor((samples.length - 1) * share)] ?? 0
        rows.push([name, fixed(quantile(0.5), 1), fixed(quantile(0.99), 1)])
        targets.push({
          what: `${name}, median`,
          wanted: `≤ ${maxMilliseconds} ms`,
          measured: `${fixed(quantile(0.5), 1)} ms`,
          ok: quantile(0.5) <= maxMilliseconds,
        })
      }
      const waited = (await live).sort((one, other) => one - other)
      rows.push([
        'all five, from the systems',
        fixed(waited[Math.floor(waited.length / 2)] ?? 0, 1),
        fixed(waited[waited.length - 1] ?? 0, 1),
      ])
      tables.push({
        title: 'Five systems that take 2 s each',
        head: ['request', 'median ms', 'p99 ms'],
        rows,
        note: `Sequential requests, while ${members / 2} other members wait for all five systems.`,
      })
    } finally {
      await server.stop()
    }
    await pool.end()
  } finally {
    await database.close()
    slow.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  report(database.reportName, { machine: machine(database.version), tables, targets }, settings, {})
}

const liveCalls = [
  personalSources.eCard,
  personalSources.books,
  personalSources.mailbox,
  personalSources.research,
  personalSources.infoCards,
]
const measuredPages: [string, string][] = [
  ['home', home.read.path],
  ['Me: profile', personal.me.path],
  ['Me: card, as cached', `${personalSources.eCard.path}?wait=0`],
  ['Me: overview', personalSources.overview.path],
]

async function openSlowSystems() {
  const server = createServer((request, reply) => {
    const of = new URL(request.url ?? '/', 'http://slow').searchParams.get('of')
    setTimeout(
      () =>
        reply.end(
          JSON.stringify({ of, balance: 1, cardNo: '1234', unread: 1, address: 'a@b.example' }),
        ),
      slowMilliseconds,
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const fieldsOf: Partial<Record<PersonalKind, string[]>> = {
  ecard: ['balance', 'cardNo'],
  mailbox: ['unread', 'address'],
}

async function connectSources(pool: Pool, port: number) {
  for (const kind of personalKinds)
    await pool.query(
      'insert into personal_source (kind, connector) values ($1, $2) on conflict (kind) do update set connector = excluded.connector',
      [
        kind,
        JSON.stringify({
          by: 'username',
          way: 'http',
          http: {
            address: `http://127.0.0.1:${port}/${kind}`,
            query: { of: '{/username}' },
            owner: '/of',
            fields: Object.fromEntries((fieldsOf[kind] ?? []).map((name) => [name, `/${name}`])),
          },
        }),
      ],
    )
  await invalidate(openDatabase(pool), 'config')
  // Every node is notified within a second.
  await new Promise((resolve) => setTimeout(resolve, 1500))
}
