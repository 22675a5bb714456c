import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { search } from '@atrium/contract/discovery/search'
import { openDatabase, openPool } from '../apps/server/src/platform/database/db.ts'
import { benchAssistant } from './assistant.ts'
import { openBenchDatabase } from './database.ts'
import {
  addArticles,
  addEvents,
  addMembers,
  addMessages,
  growBox,
  nameMembers,
  settle,
} from './fill.ts'
import { openBenchFolder } from './folder.ts'
import type { Settings } from './main.ts'
import { connections, measure, overHttp, type Result, requestText } from './measure.ts'
import { type Server, startAtrium, startProgram } from './processes.ts'
import { count, fixed, machine, percent, report, type Table, type Target } from './report.ts'
import { memoryScript, sendRequest, signIn } from './request.ts'
import { addServices } from './services.ts'

/** In addition to the articles; the small database has a tenth of each and all services. */
const size = { people: 50_000, messages: 200_000, events: 48_000, ownMessages: 2000 }
const eventsEach = 20

/**
 * Typical queries: names, pinyin, initials, misspellings, questions, people, words of articles from frequent to rare.
 */
export const searchQueries = [
  ...['图书', '奖学金', '校车 预约', '东校区宿舍报修', '成绩单', '宿舍', '档案查询', '会议室'],
  ...['tushuguan', 'xuanke', 'cjcx', 'chenji', 'jiaoshi', 'grads', 'library', 'timetable'],
  ...[
    '图书馆几点关门',
    '成绩单怎么办',
    '我的一卡通余额',
    '下节课在哪',
    'how do i get my transcript',
  ],
  ...['王伟', '李芳', '张', 'liuyang', '赵军晨', '借阅到期', '到期提醒', '事项 12'],
  ...['w0', 'w5', 'w50', 'w400', 'w1600', 'w3 w20', 'ｗ１００', '没有这样的东西'],
]
/** Suggestions are requested letter by letter. */
const suggestionQueries = [
  '图',
  '图书',
  '图书馆',
  'x',
  'xu',
  'xua',
  'xuan',
  'xuank',
  'cj',
  'cjc',
  '奖',
  '奖学',
  'lib',
  'libr',
  '宿',
  '宿舍',
]

type Bench = Settings & { tables: Table[]; targets: Target[]; raw: Record<string, unknown> }

/** A search over everything while the institution grows tenfold, and its cost compared with a bare server. */
export async function benchSearch(settings: Settings) {
  const { dataDir, variables } = openBenchFolder({ ATRIUM_JOBS: 'off' })
  const bench: Bench = { ...settings, tables: [], targets: [], raw: {} }
  try {
    const database = await openBenchDatabase('search', settings, variables)
    try {
      const small = database.url
      console.log(`adding ${count(documents(settings) / 10)} documents`)
      const pool = openPool(small, 1)
      await pool.query('set statement_timeout = 0')
      await addServices(openDatabase(pool), pool)
      await pool.end()
      await addDocuments(small, settings.articles / 10, 0.1)
      const large = await database.copy('large')
      console.log(`adding ${count(documents(settings) * 0.9)} more beside them`)
      await addDocuments(large, settings.articles, 0.9)
      const start = (url: string) => startAtrium({ ...variables, DATABASE_URL: url })
      const smallServer = await start(small)
      const nodes = [await start(large), await start(large)] as const
      try {
        await measureSequential(bench, smallServer, nodes[0])
        await measureSuggestions(bench, nodes[0])
        await measureConcurrent(bench, nodes[0])
        await measureChanges(bench, nodes, large)
        const { table, targets, raw } = await benchAssistant(large, variables, settings.rounds)
        bench.tables.push(table)
        bench.targets.push(...targets)
        bench.raw.assistant = raw
      } finally {
        for (const server of [smallServer, ...nodes]) await server.stop()
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

const documents = ({ articles }: Settings) =>
  articles + size.people + size.messages + size.events + 2000

/** @param articles total number of articles @param share portion of all other documents to add */
export async function addDocuments(url: string, articles: number, share: number) {
  const pool = openPool(url, 1)
  try {
    await pool.query('set statement_timeout = 0')
    const members = await addMembers(pool, size.people * share)
    await nameMembers(pool)
    for (let start = 0; start * eventsEach < size.events * share; start += 1000)
      await addEvents(
        pool,
        members.slice(start, Math.min(start + 1000, (size.events * share) / eventsEach)),
        eventsEach,
      )
    const { rows } = await pool.query<{ count: number }>(
      'select count(*)::integer as count from message_delivery',
    )
    await addMessages(url, (rows[0]?.count ?? 0) + size.messages * share)
    await addArticles(url, Math.round(articles))
    const student = await pool.query<{ id: string }>(
      "select id from account where username = 'student'",
    )
    await growBox(url, student.rows[0]?.id ?? '', size.ownMessages)
    await settle(url)
    await pool.query('vacuum (analyze)')
  } finally {
    await pool.end()
  }
}

const addressOf = (words: string) =>
  `${search.find.path}?${new URLSearchParams({ keyWords: words, pageSize: '3' })}`

type Times = {
  /** of queries run for the first time, with nothing cached */
  first: number
  median: number
  p95: number
  longest: string
  found: number
  late: number
}

async function searchSequentially(server: Server, rounds: number): Promise<Times> {
  const headers = { 'x-id-token': await signIn(server) }
  const times: { words: string; time: number }[] = []
  const firstTimes: number[] = []
  let found = 0
  let late = 0
  for (let round = 0; round <= rounds; round++)
    for (const words of searchQueries) {
      const started = performance.now()
      const { bytes } = await sendRequest(server, addressOf(words), headers)
      const time = performance.now() - started
      // The first round warms the caches of PostgreSQL and Node.
      if (round === 0) {
        firstTimes.push(time)
        continue
      }
      times.push({ words, time })
      const { groups } = JSON.parse(bytes.toString()).data as { groups: { state: string }[] }
      if (groups.length > 0) found++
      late += groups.filter(({ state }) => state !== 'ready').length
    }
  const sorted = times.toSorted((one, other) => one.time - other.time)
  const quantile = (share: number) =>
    sorted[Math.floor((sorted.length - 1) * share)]?.time ?? Number.NaN
  const longest = sorted.at(-1)?.words ?? ''
  firstTimes.sort((one, other) => one - other)
  const first = firstTimes[Math.floor(firstTimes.length / 2)] ?? Number.NaN
  return {
    first,
    median: quantile(0.5),
    p95: quantile(0.95),
    longest,
    found: found / times.length,
    late,
  }
}

async function measureSequential(bench: Bench, smallServer: Server, largeServer: Server) {
  console.log('measuring sequential searches')
  const before = await searchSequentially(smallServer, bench.rounds)
  const after = await searchSequentially(largeServer, bench.rounds)
  bench.raw.oneByOne = { before, after }
  bench.tables.push({
    title: 'Sequential searches over all kinds, as a student with an inbox of 2,000',
    head: [
      'documents',
      'first time, median ms',
      'median ms',
      'p95 ms',
      'slowest words',
      'with results',
      'late or failed',
    ],
    rows: [
      [count(documents(bench) / 10), before],
      [count(documents(bench)), after],
    ].map(([name, times]) => {
      const { first, median, p95, longest, found, late } = times as Times
      return [
        name as string,
        fixed(first, 1),
        fixed(median, 1),
        fixed(p95, 1),
        longest,
        percent(found),
        late,
      ]
    }),
  })
  const grown = after.median / before.median
  bench.targets.push(
    {
      what: `all kinds, sequential, ${count(documents(bench))} documents, p95`,
      wanted: '≤ 50 ms',
      measured: `${fixed(after.p95, 1)} ms`,
      ok: after.p95 <= 50,
    },
    {
      what: 'ten times the documents, median',
      wanted: '≤ 2 times',
      measured: `${fixed(grown, 2)} times`,
      ok: grown <= 2,
    },
  )
}

async function measureSuggestions(bench: Bench, server: Server) {
  console.log('measuring suggestions')
  const headers = { 'x-id-token': await signIn(server) }
  const times: number[] = []
  for (let round = 0; round <= bench.rounds * 2; round++)
    for (const words of suggestionQueries) {
      const started = performance.now()
      await sendRequest(
        server,
        `${search.suggest.path}?${new URLSearchParams({ keyWords: words })}`,
        headers,
      )
      if (round > 0) times.push(performance.now() - started)
    }
  times.sort((one, other) => one - other)
  const quantile = (share: number) => times[Math.floor((times.length - 1) * share)] ?? Number.NaN
  bench.raw.suggestions = times
  bench.tables.push({
    title: 'Sequential suggestions',
    head: ['requests', 'median ms', 'p95 ms'],
    rows: [[times.length, fixed(quantile(0.5), 1), fixed(quantile(0.95), 1)]],
  })
  bench.targets.push({
    what: 'suggestions, p95',
    wanted: '≤ 15 ms',
    measured: `${fixed(quantile(0.95), 1)} ms`,
    ok: quantile(0.95) <= 15,
  })
}

async function measureConcurrent(bench: Bench, server: Server) {
  console.log('measuring concurrent searches')
  const headers = { 'x-id-token': await signIn(server) }
  const requests = searchQueries.map((words) => requestText(addressOf(words), headers))
  const loader = startProgram('loader')
  const baseline = startProgram('baseline-server')
  try {
    const script = await memoryScript(server, addressOf('图书'), headers)
    const { port } = await baseline.request<{ port: number }>(script)
    const [ours, baselineResult] = (await measure(
      [
        overHttp('Atrium', server, loader, requests),
        overHttp('baseline, from memory', { pid: baseline.pid, port }, loader, requests),
      ],
      bench,
    )) as [Result, Result]
    bench.raw.together = [ours, baselineResult]
    bench.tables.push({
      title: `${searchQueries.length} searches in turn, ${connections} connections`,
      head: ['', 'searches/s', 'Node µs', 'PostgreSQL µs', 'median ms', 'p99 ms'],
      rows: [ours, baselineResult].map((result) => [
        result.name,
        count(result.perSecond),
        fixed(result.nodeMicros),
        fixed(result.postgresMicros),
        fixed(result.latency.median, 1),
        fixed(result.latency.p99, 1),
      ]),
      note: 'The baseline sends the bytes of one of them. For each search Atrium caches the hits in its in-memory indexes and the position of the newest articles with its words.',
    })
    bench.targets.push({
      what: 'searches a second',
      wanted: '≥ 150',
      measured: count(ours.perSecond),
      ok: ours.perSecond >= 150,
    })
  } finally {
    await loader.stop()
    await baseline.stop()
  }
}

/** Time from the commit of a publication or withdrawal until both nodes reflect it. */
async function measureChanges(bench: Bench, nodes: readonly [Server, Server], url: string) {
  console.log('publishing and withdrawing')
  const pool = openPool(url, 1)
  const clients = await Promise.all(
    nodes.map(async (node) => ({ node, headers: { 'x-id-token': await signIn(node) } })),
  )
  const times: number[] = []
  const isFound = async ({ node, headers }: (typeof clients)[number], title: string) => {
    const { bytes } = await sendRequest(node, addressOf(title), headers)
    const { groups } = JSON.parse(bytes.toString()).data as {
      groups: { list: { title: string }[] }[]
    }
    return groups.some(({ list }) => list.some((one) => one.title === title))
  }
  const change = async (statements: [sql: string, values: string[]][], topic: string) => {
    await pool.query('begin')
    for (const [sql, values] of statements) await pool.query(sql, values)
    await pool.query('update topic_version set version = version + 1 where topic = $1', [topic])
    await pool.query(`select pg_notify('atrium', $1)`, [
      JSON.stringify({ kind: 'topic', key: topic }),
    ])
    await pool.query('commit')
    return performance.now()
  }
  const waitUntil = async (title: string, found: boolean, since: number) => {
    await Promise.all(
      clients.map(async (client) => {
        while ((await isFound(client, title)) !== found) {
          if (performance.now() - since > 10_000) throw new Error(`${title} was never seen so`)
          await wait(2)
        }
        times.push(performance.now() - since)
      }),
    )
  }
  try {
    for (let round = 0; round < bench.rounds * 2; round++) {
      const title = `fresh${round}`
      const published = await change(
        [
          [
            `insert into article (column_id, title, published_at, search)
             select id, $1, now(), to_tsvector('simple', $1) from news_column where code = 'bench-3'`,
            [title],
          ],
        ],
        'news',
      )
      await waitUntil(title, true, published)
      const withdrawn = await change(
        [["update article set status = 'withdrawn' where title = $1", [title]]],
        'news',
      )
      await waitUntil(title, false, withdrawn)
      const service = '校历'
      const online = (is: boolean) =>
        change([[`update service set online = ${is} where name = $1`, [service]]], 'services')
      await waitUntil(service, false, await online(false))
      await waitUntil(service, true, await online(true))
    }
  } finally {
    await pool.end()
  }
  bench.raw.changes = times
  const longest = Math.max(...times)
  bench.tables.push({
    title: 'Time until two nodes find a publication, and no longer find a withdrawal',
    head: ['changes', 'longest ms'],
    rows: [[times.length, fixed(longest, 1)]],
  })
  bench.targets.push({
    what: 'a publication or withdrawal visible on every node',
    wanted: '≤ 1,000 ms',
    measured: `${fixed(longest)} ms`,
    ok: longest <= 1000,
  })
}
