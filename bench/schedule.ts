import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { schedule } from '@atrium/contract/work/schedule'
import { timetableImporters } from '../apps/server/src/domains/work/timetables/importers.ts'
import { openPool, type Pool } from '../apps/server/src/platform/database/db.ts'
import { runImport } from '../apps/server/src/platform/ingest/import.ts'
import type { Script } from './baseline-server.ts'
import { openBenchDatabase } from './database.ts'
import { addEvents, addMembers } from './fill.ts'
import { openBenchFolder } from './folder.ts'
import { openInProcess } from './in-process-server.ts'
import type { Settings } from './main.ts'
import { measure, overHttp, type Result, requestText } from './measure.ts'
import { memoryMb, startAtrium, startProgram } from './processes.ts'
import { count, fixed, machine, percent, report, type Table, type Target } from './report.ts'
import { memoryScript } from './request.ts'
import { benchSpread } from './schedule-spread.ts'

const smallCount = 50
const perMember = 500
const callerCount = 50
const courses = 3000
const lessonsACourse = 3
const coursesAMember = 8
const parts = ['reads', 'spread', 'import'] as const

/** Months and days with a growing number of events; the cached day; large invitations; feeds; a timetable. */
export async function benchSchedule(settings: Settings) {
  const { dataDir, variables } = openBenchFolder({ ATRIUM_JOBS: 'off' })
  const tables: Table[] = []
  const targets: Target[] = []
  const raw: Record<string, unknown> = {}
  const database = await openBenchDatabase('schedule', settings, variables)
  try {
    const pool = openPool(database.url, 1)
    const accounts = await addMembers(pool, smallCount)
    await addEvents(pool, accounts, perMember)
    await settle(pool)
    await pool.end()
    console.log(`creating ${count(settings.members)} members with ${perMember} events each`)
    const large = await database.copy('large')
    const largePool = openPool(large, 1)
    const others = await addMembers(largePool, settings.members - smallCount)
    for (let index = 0; index < others.length; index += 1000)
      await addEvents(largePool, others.slice(index, index + 1000), perMember)
    await settle(largePool)
    const context: Context = {
      small: { ...variables, DATABASE_URL: database.url },
      large: { ...variables, DATABASE_URL: large },
      accounts: accounts.slice(0, callerCount),
      settings,
      tables,
      targets,
      raw,
    }
    const selected = parts.filter((part) => settings.only.includes(part))
    const shouldRun = (part: (typeof parts)[number]) =>
      selected.length === 0 || selected.includes(part)
    if (shouldRun('reads')) await benchReads(context)
    if (shouldRun('spread')) {
      const inProcess = await openInProcess(context.large)
      const server = await startAtrium(context.large)
      const everybody = [...accounts, ...others]
      try {
        await benchSpread({
          inProcess,
          server,
          accounts: everybody,
          tables,
          targets,
          raw,
        })
      } finally {
        await server.stop()
        await inProcess.close()
      }
    }
    if (shouldRun('import')) await benchImport(context, largePool, dataDir)
    await largePool.end()
  } finally {
    await database.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  report(
    database.reportName,
    { machine: machine(database.version), tables, targets },
    settings,
    raw,
  )
}

type Context = {
  small: Record<string, string>
  large: Record<string, string>
  accounts: string[]
  settings: Settings
  tables: Table[]
  targets: Target[]
  raw: Record<string, unknown>
}

async function settle(pool: Pool) {
  await pool.query('set statement_timeout = 0')
  await pool.query(
    'vacuum (analyze) calendar, event, event_occurrence, event_participant, calendar_member, occurrence_change, account, person',
  )
  await pool.query('checkpoint')
}

async function benchReads({ small, large, accounts, settings, tables, targets, raw }: Context) {
  const inProcess = await openInProcess(small)
  const tokens: string[] = []
  for (const account of accounts) tokens.push(await inProcess.tokenOf(account))
  const inProcessLarge = await openInProcess(large)
  const largeTokens: string[] = []
  for (const account of accounts) largeTokens.push(await inProcessLarge.tokenOf(account))
  const loader = startProgram('loader')
  const memory = startProgram('baseline-server')
  const queries = startProgram('baseline-server')
  const smallServer = await startAtrium({ ...small, ATRIUM_BODY_CACHE_MB: '0' })
  const largeServer = await startAtrium(large)
  const uncached = await startAtrium({ ...large, ATRIUM_BODY_CACHE_MB: '0' })
  const month = monthAround(new Date())
  const monthUrl = `${schedule.events.path}?from=${month.from}&to=${month.to}`
  const rows: [string, Result[]][] = []
  const requestsOf = (url: string, callers: readonly string[]) =>
    callers.map((token) => requestText(url, { 'x-id-token': token }))
  const startBaselineQueries = async (url: string) => {
    const statements = await inProcessLarge.statementsOf(url, {
      'x-id-token': largeTokens[0] ?? '',
    })
    const { port } = await queries.request<{ port: number }>({
      database: large.DATABASE_URL ?? '',
      connections: 10,
      statements,
    } satisfies Script)
    raw[`statements of ${url}`] = statements.map(({ text }) => text)
    return port
  }
  try {
    console.log('measuring a month')
    rows.push([
      'month',
      await measure(
        [
          overHttp(
            `Atrium, uncached, ${smallCount} members`,
            smallServer,
            loader,
            requestsOf(monthUrl, tokens),
          ),
          overHttp('Atrium, uncached', uncached, loader, requestsOf(monthUrl, largeTokens)),
          overHttp('Atrium, cached', largeServer, loader, requestsOf(monthUrl, largeTokens)),
          overHttp(
            'baseline, same queries',
            { pid: queries.pid, port: await startBaselineQueries(monthUrl) },
            loader,
            requestsOf(monthUrl, largeTokens),
          ),
        ],
        settings,
      ),
    ])
    console.log('measuring today')
    const { path: url } = schedule.today
    const { port: memoryPort } = await memory.request<{ port: number }>(
      await memoryScript(largeServer, url, { 'x-id-token': largeTokens[0] ?? '' }),
    )
    rows.push([
      'today',
      await measure(
        [
          overHttp('Atrium, cached', largeServer, loader, requestsOf(url, largeTokens)),
          overHttp(
            'baseline, from memory',
            { pid: memory.pid, port: memoryPort },
            loader,
            requestsOf(url, largeTokens),
          ),
          overHttp('Atrium, uncached', uncached, loader, requestsOf(url, largeTokens)),
          overHttp(
            'baseline, same queries',
            { pid: queries.pid, port: await startBaselineQueries(url) },
            loader,
            requestsOf(url, largeTokens),
          ),
        ],
        settings,
      ),
    ])
  } finally {
    for (const one of [
      loader,
      memory,
      queries,
      smallServer,
      largeServer,
      uncached,
      { stop: inProcess.close },
      { stop: inProcessLarge.close },
    ])
      await one.stop()
  }
  raw.reads = rows
  tables.push(readsTable(rows, settings))
  targets.push(...readsTargets(rows, settings))
}

function readsTable(rows: readonly [string, Result[]][], settings: Settings): Table {
  return {
    title: `A month and today, ${count(settings.members)} members with ${perMember} events each`,
    head: ['', 'server', 'requests/s', 'Node µs', 'PostgreSQL µs', 'median ms', 'p99 ms'],
    rows: rows.flatMap(([name, results]) =>
      results.map((result, index) => [
        index === 0 ? name : '',
        result.name,
        count(result.perSecond),
        fixed(result.nodeMicros),
        fixed(result.postgresMicros),
        fixed(result.latency.median, 2),
        fixed(result.latency.p99, 2),
      ]),
    ),
    note: `${callerCount} members send requests in turn; a month is the six weeks that a screen shows. In the rows “cached” the same members repeat their requests.`,
  }
}

function readsTargets(rows: readonly [string, Result[]][], settings: Settings): Target[] {
  const rate = (name: string, index: number) =>
    rows.find(([one]) => one === name)?.[1][index]?.perSecond ?? Number.NaN
  const slower = rate('month', 0) / rate('month', 1) - 1
  const shares = [
    [
      'month, cached, share of the baseline with the same queries',
      rate('month', 2) / rate('month', 3),
      0.7,
    ],
    [
      'month, uncached, share of the baseline with the same queries',
      rate('month', 1) / rate('month', 3),
      0.7,
    ],
    ['today, cached, share of the baseline from memory', rate('today', 0) / rate('today', 1), 0.5],
    [
      'today, uncached, share of the baseline with the same queries',
      rate('today', 2) / rate('today', 3),
      0.7,
    ],
  ] as const
  return [
    {
      what: `month, uncached, ${count(settings.members)} members instead of ${smallCount}`,
      wanted: '≤ 15 % slower',
      measured: percent(slower),
      ok: slower <= 0.15,
    },
    ...shares.map(([what, share, wanted]) => ({
      what,
      wanted: `≥ ${percent(wanted)}`,
      measured: percent(share),
      ok: share >= wanted,
    })),
  ]
}

/** Six weeks from the Monday on or before the first of the month. */
function monthAround(now: Date) {
  const first = Temporal.PlainDate.from(now.toISOString().slice(0, 10)).with({ day: 1 })
  const from = first.subtract({ days: first.dayOfWeek - 1 })
  return { from: from.toString(), to: from.add({ days: 41 }).toString() }
}

/** Imports a timetable as exported by a registry, then its rosters, into the large database; then both again. */
async function benchImport(
  { large, settings, tables, targets, raw }: Context,
  pool: Pool,
  folder: string,
) {
  const url = large.DATABASE_URL ?? ''
  const { rows } = await pool.query<{ username: string }>(
    `select username from account where username like 'bench%' order by id`,
  )
  const files = {
    timetable: path.join(folder, 'timetable.csv'),
    rosters: path.join(folder, 'rosters.csv'),
  }
  writeFileSync(
    files.timetable,
    `course,name,weeks,weekday,periods,location,teacher\n${Array.from(
      { length: courses * lessonsACourse },
      (_, index) =>
        `B${index % courses},课程 ${index % courses},${['1-16', '1-16(单)', '"3,5,7-12"'][index % 3]},${1 + (index % 5)},${1 + 2 * (Math.floor(index / courses) % 4)}-${2 + 2 * (Math.floor(index / courses) % 4)},教 ${index % 400},教师 ${index % 900}`,
    ).join('\n')}\n`,
  )
  writeFileSync(
    files.rosters,
    `course,username\n${rows
      .flatMap(({ username }, index) =>
        Array.from(
          { length: coursesAMember },
          (_, n) => `B${(index * 7 + n * 371) % courses},${username}`,
        ),
      )
      .join('\n')}\n`,
  )
  const runTimed = async (what: keyof typeof files) => {
    const started = performance.now()
    const answer = await runImport(url, {}, (run) =>
      timetableImporters[what](run, files[what], { timeZone: 'Asia/Shanghai' }),
    )
    return {
      seconds: (performance.now() - started) / 1000,
      memory: memoryMb([process.pid]),
      ...answer,
    }
  }
  console.log('importing a timetable and its rosters')
  const first = await runTimed('timetable')
  const rosters = await runTimed('rosters')
  const again = await runTimed('timetable')
  const rostersAgain = await runTimed('rosters')
  const { rows: occurrences } = await pool.query<{ count: number }>(
    `select count(*)::integer as count from course join event_occurrence o on o.calendar_id = course.calendar_id
     where course.code like 'B%'`,
  )
  raw.import = { first, rosters, again, rostersAgain, occurrences }
  tables.push({
    title: `A timetable of ${count(courses)} courses for ${count(settings.members)} members`,
    head: ['', 'rows', 'seconds', 'repeated, seconds'],
    rows: [
      [
        `lessons, ${count(occurrences[0]?.count ?? 0)} dates`,
        count(first.read),
        fixed(first.seconds, 1),
        fixed(again.seconds, 1),
      ],
      [
        'course participants',
        count(rosters.read),
        fixed(rosters.seconds, 1),
        fixed(rostersAgain.seconds, 1),
      ],
    ],
    note: `Memory of the importing process afterwards: ${fixed(Math.max(first.memory, rosters.memory))} MB.`,
  })
  const totalSeconds = first.seconds + rosters.seconds
  targets.push({
    what: `timetable of ${count(courses)} courses for ${count(settings.members)} members`,
    wanted: '≤ 60 s',
    measured: `${fixed(totalSeconds, 1)} s`,
    ok: totalSeconds <= 60,
  })
}
