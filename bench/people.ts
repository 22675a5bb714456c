import { rmSync } from 'node:fs'
import { addressBook, maxPeople } from '@atrium/contract/member/address-book'
import { openPool, type Pool } from '../apps/server/src/platform/database/db.ts'
import { openBenchDatabase } from './database.ts'
import { addMembers, nameMembers, settle } from './fill.ts'
import { openBenchFolder } from './folder.ts'
import type { Settings } from './main.ts'
import { connections, measure, overHttp, type Result, requestText } from './measure.ts'
import { type Server, startAtrium, startProgram } from './processes.ts'
import { count, fixed, machine, percent, report, type Table, type Target } from './report.ts'
import { memoryScript, sendRequest, signIn } from './request.ts'

const people = 50_000
/** With sixty people each; the rest are in one. */
const organizations = 400

/** Typical searches for people: names, pinyin, initials, numbers, roles, and some without a match. */
const searchQueries = [
  ...['王', '李芳', '张伟', '刘洋晨', '赵军', '周明远', '陈静'],
  ...['wang', 'lif', 'zhangwei', 'ly', 'zjc', 'zhoumingyuan', 'c'],
  ...['bench1', 'teacher', '2024', '2023410086'],
  ...['辅导员', '法学院 辅导员', '教授', 'professor', '秘书', '机构 17 主任', '没有这个人'],
]

type Bench = Settings & { tables: Table[]; targets: Target[]; raw: Record<string, unknown> }

/** The address book with 50,000 people: the tree, searches, and paging through a list of half of them. */
export async function benchPeople(settings: Settings) {
  const { dataDir, variables } = openBenchFolder({ ATRIUM_JOBS: 'off' })
  const bench: Bench = { ...settings, tables: [], targets: [], raw: {} }
  try {
    const database = await openBenchDatabase('people', settings, variables)
    try {
      const pool = openPool(database.url, 1)
      console.log(`adding ${count(people)} people`)
      const largest = await addPeople(pool)
      await settle(database.url)
      const server = await startAtrium({ ...variables, DATABASE_URL: database.url })
      try {
        await measureFirst(bench, server, pool)
        await measureSearch(bench, server, pool)
        await measureList(bench, server, pool, largest)
        await measureTree(bench, server)
      } finally {
        await server.stop()
        await pool.end()
      }
      const { tables, targets, raw } = bench
      report(
        database.reportName,
        { machine: machine(database.version), tables, targets },
        settings,
        raw,
      )
    } finally {
      await database.close()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** @returns the organisation with half of them */
async function addPeople(pool: Pool): Promise<string> {
  await pool.query('set statement_timeout = 0')
  const accounts = await addMembers(pool, people)
  await nameMembers(pool)
  const { rows: created } = await pool.query<{ id: string }>(
    `insert into organization (code, name, name_en, parent_id, path, position)
     select 'bench-' || n, '机构 ' || n, 'Organisation ' || n, top.id, top.path || ('bench-' || n), 1000 + n
     from generate_series(1, $1::integer) n, (select id, path from organization where parent_id is null limit 1) top
     returning id`,
    [organizations],
  )
  const ids = created.map(({ id }) => id)
  await pool.query(
    `update account set organization_id =
       case when n % 2 = 0 then ($2::bigint[])[1] else ($2::bigint[])[2 + n / 2 % (cardinality($2::bigint[]) - 1)] end
     from unnest($1::bigint[]) with ordinality as one (id, n) where account.id = one.id`,
    [accounts, ids],
  )
  await pool.query(
    `insert into address_book_post (account_id, title, position)
     select id, (array['辅导员', '教授', '副教授', '秘书', '主任'])[1 + n % 5], 100 + n % 50
     from unnest($1::bigint[]) with ordinality as one (id, n) where n % 10 = 1`,
    [accounts],
  )
  await pool.query('analyze')
  return ids[0] ?? ''
}

/** Resets the rate limit: members may not ask as fast as a benchmark. */
const resetRateLimit = (pool: Pool) => pool.query('delete from address_book_use')

const addressOf = (query: Record<string, string>) =>
  `${addressBook.people.path}?${new URLSearchParams({ pageSize: String(maxPeople), ...query })}`

const quantile = (sorted: readonly number[], share: number) =>
  sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN

/** The first request after a change waits until all people are read again. */
async function measureFirst(bench: Bench, server: Server, pool: Pool) {
  const headers = { 'x-id-token': await signIn(server) }
  const times: number[] = []
  for (let round = 0; round < bench.rounds; round++) {
    await pool.query(
      `update topic_version set version = version + 1 where topic = 'people';
       select pg_notify('atrium', '{"kind":"topic","key":"people"}')`,
    )
    const started = performance.now()
    await sendRequest(server, addressBook.organizations.path, headers)
    times.push(performance.now() - started)
  }
  times.sort((one, other) => one - other)
  bench.raw.first = times
  bench.tables.push({
    title: `The first answer after a change, ${count(people)} people`,
    head: ['requests', 'median ms', 'longest ms'],
    rows: [[times.length, fixed(quantile(times, 0.5)), fixed(quantile(times, 1))]],
  })
  bench.targets.push({
    what: 'the first answer after a change',
    wanted: '≤ 1,500 ms',
    measured: `${fixed(quantile(times, 1))} ms`,
    ok: quantile(times, 1) <= 1500,
  })
}

async function measureSearch(bench: Bench, server: Server, pool: Pool) {
  console.log('measuring sequential searches')
  const headers = { 'x-id-token': await signIn(server) }
  const times: { words: string; time: number }[] = []
  let found = 0
  for (let round = 0; round <= bench.rounds; round++) {
    await resetRateLimit(pool)
    for (const words of searchQueries) {
      const started = performance.now()
      const { bytes } = await sendRequest(server, addressOf({ keyWords: words }), headers)
      const time = performance.now() - started
      // The first round warms the caches of PostgreSQL and Node.
      if (round === 0) continue
      times.push({ words, time })
      if (JSON.parse(bytes.toString()).data.total > 0) found++
    }
  }
  times.sort((one, other) => one.time - other.time)
  const sorted = times.map(({ time }) => time)
  bench.raw.search = times
  bench.tables.push({
    title: 'Sequential searches',
    head: ['searches', 'with results', 'median ms', 'p95 ms', 'slowest words'],
    rows: [
      [
        times.length,
        percent(found / times.length),
        fixed(quantile(sorted, 0.5), 1),
        fixed(quantile(sorted, 0.95), 1),
        times.at(-1)?.words ?? '',
      ],
    ],
  })
  bench.targets.push({
    what: `search among ${count(people)} people, p95`,
    wanted: '≤ 15 ms',
    measured: `${fixed(quantile(sorted, 0.95), 1)} ms`,
    ok: quantile(sorted, 0.95) <= 15,
  })
}

async function measureList(bench: Bench, server: Server, pool: Pool, orgId: string) {
  console.log('paging through a long list')
  const headers = { 'x-id-token': await signIn(server) }
  const last = people / 2 / maxPeople
  const rows: Table['rows'] = []
  const medians: number[] = []
  for (const [name, pageNo] of [
    ['first', 1],
    ['middle', last / 2],
    ['last', last],
  ] as const) {
    await resetRateLimit(pool)
    const times: number[] = []
    for (let round = 0; round < bench.rounds * 10; round++) {
      const started = performance.now()
      await sendRequest(server, addressOf({ orgId, pageNo: String(pageNo) }), headers)
      if (round > 2) times.push(performance.now() - started)
    }
    times.sort((one, other) => one - other)
    medians.push(quantile(times, 0.5))
    rows.push([name, pageNo, fixed(quantile(times, 0.5), 1), fixed(quantile(times, 0.95), 1)])
  }
  const [first = Number.NaN, , end = Number.NaN] = medians
  bench.raw.list = rows
  bench.tables.push({
    title: `Pages of ${maxPeople} people in an organisation of ${count(people / 2)}`,
    head: ['page', 'number', 'median ms', 'p95 ms'],
    rows,
  })
  bench.targets.push({
    what: 'the last page, compared with the first',
    wanted: '≤ 1.5 times',
    measured: `${fixed(end / first, 2)} times`,
    ok: end / first <= 1.5,
  })
}

async function measureTree(bench: Bench, server: Server) {
  console.log('measuring concurrent requests for the tree')
  const headers = { 'x-id-token': await signIn(server) }
  const { bytes: top } = await sendRequest(server, addressBook.organizations.path, headers)
  const parentId = String(JSON.parse(top.toString()).data.list[0].id)
  const address = `${addressBook.organizations.path}?${new URLSearchParams({ parentId })}`
  const loader = startProgram('loader')
  const baseline = startProgram('baseline-server')
  try {
    const script = await memoryScript(server, address, headers)
    const { port } = await baseline.request<{ port: number }>(script)
    const requests = [requestText(address, headers)]
    const [ours, baselineResult] = (await measure(
      [
        overHttp('Atrium', server, loader, requests),
        overHttp('baseline, from memory', { pid: baseline.pid, port }, loader, requests),
      ],
      bench,
    )) as [Result, Result]
    const share = ours.perSecond / baselineResult.perSecond
    bench.raw.tree = [ours, baselineResult]
    bench.tables.push({
      title: `A level of the tree with ${organizations} organisations, ${connections} connections`,
      head: ['', 'requests/s', 'of baseline', 'Node µs', 'PostgreSQL µs', 'median ms', 'p99 ms'],
      rows: [ours, baselineResult].map((result) => [
        result.name,
        count(result.perSecond),
        percent(result.perSecond / baselineResult.perSecond),
        fixed(result.nodeMicros),
        fixed(result.postgresMicros),
        fixed(result.latency.median, 2),
        fixed(result.latency.p99, 2),
      ]),
    })
    bench.targets.push({
      what: 'a level of the tree, share of the baseline from memory',
      wanted: '≥ 50 %',
      measured: percent(share),
      ok: share >= 0.5,
    })
  } finally {
    await loader.stop()
    await baseline.stop()
  }
}
