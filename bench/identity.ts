import { rmSync } from 'node:fs'
import { identity } from '@atrium/contract/identity/identity'
import { messages } from '@atrium/contract/work/messages'
import { createDatabase } from '../apps/server/src/database.ts'
import { startEmbeddedPostgres } from '../apps/server/src/platform/database/embedded-postgres.ts'
import { addSessions, settle } from './fill.ts'
import { openBenchFolder } from './folder.ts'
import type { HashJob } from './hashing.ts'
import { openInProcess } from './in-process-server.ts'
import type { Load } from './loader.ts'
import type { Settings } from './main.ts'
import { connections, measure, overHttp, type Result, requestText } from './measure.ts'
import { cpuSeconds, descendants, type Server, startAtrium, startProgram } from './processes.ts'
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
import { member, signIn } from './request.ts'

/** Default of ATRIUM_HASH_THREADS. */
const hashThreads = 1
/** Connections with other requests while sign-ins keep the hashing busy. */
const pollingConnections = 4

/** Token checks, sign-ins, their effect on other requests, and all of it again with a million sessions. */
export async function benchIdentity({ sessions, ...settings }: Settings) {
  if (process.platform !== 'linux')
    throw new Error('The identity bench reads CPU from /proc and needs Linux.')
  const { dataDir, variables } = openBenchFolder({ ATRIUM_JOBS: 'off' })
  const tables: Table[] = []
  const targets: Target[] = []
  const raw: Record<string, unknown> = {}
  try {
    console.log(
      'creating a database, filling it with the demo institution, and one with many sessions',
    )
    await (await startAtrium(variables)).stop()
    const embedded = await startEmbeddedPostgres(dataDir)
    const names = ['the demo', `${count(sessions)} sessions`] as const
    const urls = [embedded.url('atrium'), embedded.url('large')] as const
    try {
      await createDatabase(embedded.url('postgres'), 'large', 'atrium')
      await addSessions(urls[1], sessions)
      for (const url of urls) await settle(url)

      const checks = []
      for (const url of urls)
        checks.push(await measureChecks({ ...variables, DATABASE_URL: url }, settings.rounds))
      reportChecks(checks, names, tables, targets)
      raw.checks = checks

      const servers: Server[] = []
      try {
        for (const url of urls) servers.push(await startAtrium({ ...variables, DATABASE_URL: url }))
        const results = await measureSignIns(servers, names, settings)
        reportSignIns(results, tables, targets)
        const interference = await measureInterference(servers[0] as Server, settings)
        reportInterference(interference, tables)
        raw.signIns = results
        raw.others = interference
      } finally {
        for (const server of servers) await server.stop()
      }
      report('identity', { machine: machine(), tables, targets }, { ...settings, sessions }, raw)
    } finally {
      await embedded.stop()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

// ---- token checks ----

type Check = { node: number; postgres: number }
type Checks = { repeated: Check; first: Check }

/**
 * CPU in µs per check in this process and in PostgreSQL, for a known token and for a new one. Medians of the rounds.
 */
async function measureChecks(variables: Record<string, string>, rounds: number): Promise<Checks> {
  console.log('checking tokens')
  const inProcess = await openInProcess(variables)
  try {
    const [known] = await inProcess.tokensOf('student', 1)
    const repeat = Array.from({ length: 200_000 }, () => known as string)
    const measured = { repeated: [] as Check[], first: [] as Check[] }
    await measureCost(inProcess.checkTokens, repeat)
    for (let round = 0; round < rounds; round++) {
      measured.repeated.push(await measureCost(inProcess.checkTokens, repeat))
      measured.first.push(
        await measureCost(inProcess.checkTokens, await inProcess.tokensOf('student', 1000)),
      )
    }
    const medianOf = (of: Check[]): Check => ({
      node: median(of.map(({ node }) => node)),
      postgres: median(of.map(({ postgres }) => postgres)),
    })
    return { repeated: medianOf(measured.repeated), first: medianOf(measured.first) }
  } finally {
    await inProcess.close()
  }
}

async function measureCost(
  check: (tokens: string[]) => Promise<void>,
  tokens: string[],
): Promise<Check> {
  const database = () => cpuSeconds(descendants(process.pid, 'postgres'))
  const before = { node: process.cpuUsage(), postgres: database() }
  await check(tokens)
  const { user, system } = process.cpuUsage(before.node)
  return {
    node: (user + system) / tokens.length,
    postgres: ((database() - before.postgres) * 1_000_000) / tokens.length,
  }
}

function reportChecks(
  checks: Checks[],
  names: readonly [string, string],
  tables: Table[],
  targets: Target[],
) {
  const [few, many] = checks as [Checks, Checks]
  tables.push({
    title: 'Checking an id token, CPU',
    head: ['', 'Node µs', 'PostgreSQL µs'],
    rows: [few, many].flatMap(({ repeated, first }, index) => [
      [
        `a token seen before, ${names[index]}`,
        fixed(repeated.node, 2),
        fixed(repeated.postgres, 2),
      ],
      [`a token not seen before, ${names[index]}`, fixed(first.node), fixed(first.postgres)],
    ]),
    note: 'For a token not seen before, the signature is verified, and its session, member, groups and permissions are read.',
  })
  targets.push({
    what: 'check of a token seen before',
    wanted: '≤ 3 µs',
    measured: `${fixed(few.repeated.node, 2)} µs`,
    ok: few.repeated.node <= 3,
  })
  const whole = ({ node, postgres }: Check) => node + postgres
  for (const [what, before, after] of [
    ['check of a token seen before', few.repeated, many.repeated],
    ['check of a token not seen before', few.first, many.first],
  ] as const)
    targets.push(slower(`${what}, with ${names[1]}`, whole(after) / whole(before) - 1))
}

const slower = (what: string, by: number): Target => ({
  what,
  wanted: '≤ 10 % slower',
  measured: percent(by),
  ok: by <= 0.1,
})

// ---- sign-ins ----

async function measureSignIns(
  servers: Server[],
  names: readonly [string, string],
  settings: { rounds: number; seconds: number },
): Promise<Result[]> {
  console.log('measuring sign-ins')
  const loader = startProgram('loader')
  const hashing = startProgram('hashing')
  const request = requestText(identity.passwordLogin.path, {}, member)
  try {
    return await measure(
      [
        ...servers.map((server, index) =>
          overHttp(`Atrium, ${names[index]}`, server, loader, [request]),
        ),
        {
          name: 'Argon2id alone',
          pid: hashing.pid,
          async run(seconds) {
            const { perSecond } = await hashing.request<{ perSecond: number }>({
              threads: hashThreads,
              seconds,
            } satisfies HashJob)
            const latency = (1000 / perSecond) * hashThreads
            return {
              perSecond,
              answers: perSecond * seconds,
              latency: { median: latency, p99: latency },
              busy: 0,
            }
          },
        },
      ],
      settings,
    )
  } finally {
    await loader.stop()
    await hashing.stop()
  }
}

function reportSignIns(results: Result[], tables: Table[], targets: Target[]) {
  const [few, many, alone] = results as [Result, Result, Result]
  tables.push({
    title: `Sign-ins, ${hashThreads} hashing thread, ${connections} connections`,
    head: ['', 'per second', 'share', 'Node µs', 'PostgreSQL µs'],
    rows: results.map((result) => [
      result.name,
      fixed(result.perSecond, 1),
      percent(result.perSecond / alone.perSecond),
      count(result.nodeMicros),
      count(result.postgresMicros),
    ]),
    note: 'A sign-in checks the password, opens the central session and the portal session, and records the sign-in.',
  })
  const share = few.perSecond / alone.perSecond
  targets.push(
    {
      what: 'sign-ins, share of Argon2id alone',
      wanted: '≥ 80 %',
      measured: percent(share),
      ok: share >= 0.8,
    },
    slower(
      `sign-ins, ${many.name.replace('Atrium, ', 'with ')}`,
      few.perSecond / many.perSecond - 1,
    ),
  )
}

// ---- effect on other requests ----

type Interference = { quiet: Load[]; busy: Load[] }

/** Members poll their unread count, with and without sign-ins queueing for the hashing. */
async function measureInterference(
  server: Server,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Interference> {
  console.log('measuring other requests while members sign in')
  const [poller, signInLoader] = [startProgram('loader'), startProgram('loader')]
  const token = await signIn(server)
  const poll = () =>
    poller.request<Load>({
      port: server.port,
      requests: [requestText(messages.unreadTotal.path, { 'x-id-token': token })],
      connections: pollingConnections,
      seconds,
    })
  const signInAll = () =>
    signInLoader.request<Load>({
      port: server.port,
      requests: [requestText(identity.passwordLogin.path, {}, member)],
      connections,
      seconds: seconds + 1,
    })
  const interference: Interference = { quiet: [], busy: [] }
  try {
    for (let round = 0; round < rounds; round++) {
      interference.quiet.push(await poll())
      const [, busy] = await Promise.all([signInAll(), poll()])
      interference.busy.push(busy)
    }
    return interference
  } finally {
    await poller.stop()
    await signInLoader.stop()
  }
}

function reportInterference(interference: Interference, tables: Table[]) {
  const medianOf = (loads: Load[], of: (load: Load) => number) => median(loads.map(of))
  const row = (name: string, loads: Load[]) => [
    name,
    count(medianOf(loads, (load) => load.perSecond)),
    fixed(
      medianOf(loads, (load) => load.latency.median),
      2,
    ),
    fixed(
      medianOf(loads, (load) => load.latency.p99),
      2,
    ),
  ]
  tables.push({
    title: `The unread count of ${pollingConnections} members while ${connections} connections sign in`,
    head: ['', 'requests/s', 'median ms', 'p99 ms'],
    rows: [
      row('nobody signs in', interference.quiet),
      row('the hashing queue is full', interference.busy),
    ],
    note: 'Hashing uses only the configured number of threads: sign-ins queue, other requests do not.',
  })
}
