import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { services } from '@atrium/contract/services/services'
import { computeRankings } from '../apps/server/src/domains/services/services/rankings.ts'
import { indexServices } from '../apps/server/src/domains/services/services/search.ts'
import { audienceFor, type Rule } from '../apps/server/src/platform/audience.ts'
import {
  type Database,
  openDatabase,
  openPool,
  type Pool,
} from '../apps/server/src/platform/database/db.ts'
import { invalidate } from '../apps/server/src/platform/database/topics.ts'
import { openBenchDatabase } from './database.ts'
import { addMembers, settle } from './fill.ts'
import { openBenchFolder } from './folder.ts'
import type { Settings } from './main.ts'
import { connections, measure, overHttp, type Result, requestText } from './measure.ts'
import { type Server, startAtrium, startProgram } from './processes.ts'
import { count, fixed, machine, percent, report, type Table, type Target } from './report.ts'
import { memoryScript, sendRequest, signIn } from './request.ts'

/** A large university. */
const size = { services: 2000, audiences: 200, members: 50_000 }
const searches = 600
const changes = 20

type Bench = { tables: Table[]; targets: Target[]; raw: Record<string, unknown> }

/** The catalogue of a large institution: reads compared with a bare server of the same bytes, search, and changes. */
export async function benchServices(settings: Settings) {
  const { dataDir, variables } = openBenchFolder({ ATRIUM_JOBS: 'off' })
  const bench: Bench = { tables: [], targets: [], raw: {} }
  try {
    const database = await openBenchDatabase('services', settings, variables)
    const { url } = database
    const pool = openPool(url, 2)
    const db = openDatabase(pool)
    try {
      console.log(
        `adding ${count(size.services)} services, ${size.audiences} audiences, ${count(size.members)} members`,
      )
      await addMembers(pool, size.members)
      await addServices(db, pool)
      await settle(url)
      await pool.query('vacuum (analyze) service, service_rank, audience')
      const nodes = [
        await startAtrium({ ...variables, DATABASE_URL: url }),
        await startAtrium({ ...variables, DATABASE_URL: url }),
      ] as const
      try {
        const token = await signIn(nodes[0])
        await measureReads(bench, nodes[0], token, settings)
        await measureSearch(bench, nodes[0], token)
        await measureChanges(bench, nodes, token, db)
      } finally {
        for (const node of nodes) await node.stop()
      }
      const { reportName, version } = database
      report(reportName, { machine: machine(version), ...bench }, settings, bench.raw)
    } finally {
      await db.destroy()
      await database.close()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

// ---- data ----

const things =
  '图书 宿舍 实验室 教室 奖学金 科研 会议 校车 体育馆 网络 档案 经费 课程 考试 护照 设备'.split(' ')
const actions = '预约 查询 申请 报修 缴费 登记 审批 评价 借用 归还 打印 变更'.split(' ')
const places =
  '东校区 西校区 南校区 研究生院 本科生院 国际处 后勤处 医学院 软件学院 附属中学 信息中心'.split(
    ' ',
  )

export async function addServices(db: Database, pool: Pool) {
  await db.transaction().execute(async (db) => {
    const [types, organizations, identities] = await Promise.all([
      db.selectFrom('service_type').select('id').execute(),
      db.selectFrom('organization').select(['id', 'code']).execute(),
      db.selectFrom('identity_type').select('code').execute(),
    ])
    const pick = <V>(list: readonly V[], index: number) => list[index % list.length] as V
    const audiences: number[] = []
    for (let index = 0; index < size.audiences; index++) {
      const rules: Rule[] = [
        { effect: 'include', kind: 'identity', target: pick(identities, index).code },
        { effect: 'include', kind: 'organization', target: pick(organizations, index * 7).code },
        // Makes each audience distinct: the group has no members.
        { effect: 'exclude', kind: 'group', target: `bench-${index}` },
      ]
      audiences.push(await audienceFor(db, rules))
    }
    const rows = Array.from({ length: size.services }, (_, index) => ({
      service_no: `B${String(index).padStart(5, '0')}`,
      name: `${pick(places, index)}${pick(things, Math.floor(index / 11))}${pick(actions, index * 5 + 1)}`,
      name_en: `Service ${index}`,
      summary: `在${pick(places, index)}办理${pick(things, index * 3)}的${pick(actions, index)}与${pick(actions, index + 5)}`,
      type_id: pick(types, index).id,
      organization_id: pick(organizations, index).id,
      url: `https://s${index}.bench.example.edu/`,
      audience_id: pick(audiences, index * 13),
      tags: [pick(actions, index)],
      position: index,
      use_count: (index * 7919) % 100_000,
    }))
    await db.insertInto('service').values(rows).execute()
    await indexServices(db)
    await invalidate(db, 'services')
  })
  await pool.query(
    `insert into service_use_day (service_id, day, shard, uses)
     select id, current_date - 1, 0, use_count from service where service_no like 'B%' and use_count > 0`,
  )
  await computeRankings(db)
}

// ---- reads ----

async function measureReads(
  { tables, targets, raw }: Bench,
  server: Server,
  token: string,
  settings: Settings,
) {
  const headers = { 'x-id-token': token }
  const { bytes } = await sendRequest(server, `${services.list.path}?pageSize=1`, headers)
  const one = JSON.parse(bytes.toString()).data.list[0].serviceId as string
  const reads = {
    overview: services.overview.path,
    list: `${services.list.path}?pageSize=20`,
    ranking: `${services.hot.path}?window=month`,
    detail: `${services.read.path}?serviceId=${one}`,
  }
  const loader = startProgram('loader')
  const baseline = startProgram('baseline-server')
  const results: [string, Result[]][] = []
  try {
    for (const [name, url] of Object.entries(reads)) {
      console.log(`measuring ${name}`)
      const script = await memoryScript(server, url, headers)
      const { port } = await baseline.request<{ port: number }>(script)
      const text = [requestText(url, headers)]
      const measured = await measure(
        [
          overHttp('Atrium', server, loader, text),
          overHttp('baseline, from memory', { pid: baseline.pid, port }, loader, text),
        ],
        settings,
      )
      results.push([name, measured])
      raw[name] = { bytes: bytes.length, results: measured }
    }
  } finally {
    await loader.stop()
    await baseline.stop()
  }
  const shareOf = ([ours, floor]: Result[]) => (ours?.perSecond ?? 0) / (floor?.perSecond ?? 1)
  tables.push({
    title: `The catalogue, ${connections} connections`,
    head: ['', 'server', 'requests/s', 'of baseline', 'Node µs', 'median ms', 'p99 ms'],
    rows: results.flatMap(([name, list]) =>
      list.map((result, index) => [
        index === 0 ? name : '',
        result.name,
        count(result.perSecond),
        percent(index === 0 ? shareOf(list) : 1),
        fixed(result.nodeMicros),
        fixed(result.latency.median, 2),
        fixed(result.latency.p99, 2),
      ]),
    ),
    note: `${count(size.services)} services, ${size.audiences} audience rules, ${count(size.members)} members; each request checks the id token and is answered for the audiences of its member.`,
  })
  for (const [name, list] of results)
    targets.push({
      what: `${name}, share of the baseline`,
      wanted: '≥ 50 %',
      measured: percent(shareOf(list)),
      ok: shareOf(list) >= 0.5,
    })
}

// ---- search ----

/** Words not searched before, so that no answer comes from the cache. */
function listQueries() {
  const words = places.flatMap((place) =>
    things.flatMap((thing) => [`${thing}${place}`, `${place} ${thing}`, `${thing}的${place}`]),
  )
  const sounds = ['tushu', 'ss', 'dxq', 'yanjiu', 'B001', 'service 1']
  return [...sounds, ...words, ...words.map((word) => `${word} 预约`)].slice(0, searches)
}

async function measureSearch({ tables, targets, raw }: Bench, server: Server, token: string) {
  console.log('searching')
  const times: number[] = []
  let hits = 0
  const search = async (words: string) => {
    const url = `${services.list.path}?${new URLSearchParams({ keyWords: words })}`
    const started = performance.now()
    const { bytes } = await sendRequest(server, url, { 'x-id-token': token })
    times.push(performance.now() - started)
    if (JSON.parse(bytes.toString()).data.total > 0) hits++
  }
  for (let at = 0; at < 50; at++) await search(`warm ${at} 图书`)
  times.length = 0
  hits = 0
  const words = listQueries()
  for (const word of words) await search(word)
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0
  tables.push({
    title: `${count(words.length)} sequential searches, each for different words`,
    head: ['median ms', 'p95 ms', 'p99 ms', 'with results'],
    rows: [[fixed(at(0.5), 1), fixed(at(0.95), 1), fixed(at(0.99), 1), count(hits)]],
  })
  targets.push({
    what: 'search, p95',
    wanted: '≤ 20 ms',
    measured: `${fixed(at(0.95), 1)} ms`,
    ok: at(0.95) <= 20,
  })
  raw.search = times
}

// ---- changes ----

/** Time from the commit of a change until the cached lists of both nodes show it. */
async function measureChanges(
  { tables, targets, raw }: Bench,
  nodes: readonly Server[],
  token: string,
  db: Database,
) {
  console.log('changing services')
  const list = `${services.list.path}?pageSize=1`
  const readFirst = async (node: Server) =>
    JSON.parse((await sendRequest(node, list, { 'x-id-token': token })).bytes.toString()).data
      .list[0] as {
      serviceId: string
      serviceName: string
    }
  const { serviceId } = await readFirst(nodes[0] as Server)
  const times: number[] = []
  for (let round = 0; round < changes; round++) {
    // Warm both caches first.
    for (const node of nodes) await readFirst(node)
    const name = `改过 ${round} 次`
    await db.transaction().execute(async (db) => {
      await db.updateTable('service').set({ name }).where('id', '=', serviceId).execute()
      await invalidate(db, 'services')
    })
    const started = performance.now()
    await Promise.all(
      nodes.map(async (node) => {
        while ((await readFirst(node)).serviceName !== name) {
          if (performance.now() - started > 10_000) throw new Error('a change never arrived')
          await wait(2)
        }
      }),
    )
    times.push(performance.now() - started)
  }
  const longest = Math.max(...times)
  tables.push({
    title: `${changes} changes, time until two nodes show them`,
    head: ['longest ms'],
    rows: [[fixed(longest, 1)]],
  })
  targets.push({
    what: 'a change visible on every node',
    wanted: '≤ 1,000 ms',
    measured: `${fixed(longest, 1)} ms`,
    ok: longest <= 1000,
  })
  raw.changes = times
}
