import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { news } from '@atrium/contract/content/news'
import { openPool } from '../apps/server/src/platform/database/db.ts'
import { openBenchDatabase } from './database.ts'
import { addArticles, addMembers } from './fill.ts'
import { openBenchFolder } from './folder.ts'
import type { Settings } from './main.ts'
import { connections, measure, overHttp, type Result, requestText } from './measure.ts'
import { type Server, startAtrium, startProgram } from './processes.ts'
import { count, fixed, machine, percent, report, type Table, type Target } from './report.ts'
import { memoryScript, sendRequest, signIn } from './request.ts'

type Bench = Settings & {
  variables: Record<string, string>
  tables: Table[]
  targets: Target[]
  raw: Record<string, unknown>
}

const memberCount = 50_000
/** From the rarest word to the most common; see `addArticles`. */
const searchedWords = [1999, 1600, 1200, 800, 400, 200, 100, 50, 20, 10, 5, 2, 1, 0]

/** Large runs have other targets and their own report. */
const isLarge = ({ articles }: Settings) => articles > 1_000_000

export async function benchNews(settings: Settings) {
  const { dataDir, variables } = openBenchFolder()
  const bench: Bench = { ...settings, variables, tables: [], targets: [], raw: {} }
  try {
    const database = await openBenchDatabase('news', settings, variables)
    try {
      const small = database.url
      const pool = openPool(small, 1)
      console.log(`adding ${count(memberCount)} members and ${count(settings.articles)} articles`)
      await pool.query('set statement_timeout = 0')
      await addMembers(pool, memberCount)
      await pool.end()
      await addArticles(small, Math.round(settings.articles / 10))
      const large = await database.copy('large')
      await addArticles(large, settings.articles)
      await benchReads(bench, small, large)
      const { tables, targets, raw } = bench
      const server = machine(database.version)
      const reportName = isLarge(settings) ? 'news-large' : database.reportName
      report(reportName, { machine: server, tables, targets }, settings, raw)
    } finally {
      await database.close()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function benchReads(bench: Bench, small: string, large: string) {
  const settings = (url: string, more = {}) => ({
    ...bench.variables,
    DATABASE_URL: url,
    ATRIUM_JOBS: 'off',
    ...more,
  })
  const uncached = { ATRIUM_BODY_CACHE_MB: '0' }
  const atrium = await startAtrium(settings(large))
  const secondNode = await startAtrium(settings(large))
  const largeServer = await startAtrium(settings(large, uncached))
  const smallServer = await startAtrium(settings(small, uncached))
  const loader = startProgram('loader')
  const memory = startProgram('baseline-server')
  try {
    const token = await signIn(atrium)
    const smallToken = await signIn(smallServer)
    const headers = { 'x-id-token': token }
    const detail = news.read.path.replace('{id}', await newestArticle(atrium, headers))
    const endpoints = [
      ['column list', news.columns.path],
      ['article list', `${news.list.path}?columnCode=bench-1&pageSize=20`],
      ['all articles', `${news.list.path}?pageSize=20`],
      ['detail', detail],
    ] as const
    const baselineName = 'baseline, from memory'
    const results: Record<string, Result[]> = {}
    for (const [name, url] of endpoints) {
      console.log(`measuring ${name}`)
      const script = await memoryScript(atrium, url, headers)
      const { port } = await memory.request<{ port: number }>(script)
      const text = [requestText(url, headers)]
      results[name] = await measure(
        [
          overHttp('Atrium', atrium, loader, text),
          overHttp(baselineName, { pid: memory.pid, port }, loader, text),
        ],
        bench,
      )
      const share = shareOf(results[name])
      bench.targets.push({
        what: `${name}, share of the baseline from memory`,
        wanted: '≥ 50 %',
        measured: percent(share),
        ok: share >= 0.5,
      })
    }
    bench.tables.push({
      title: `Reading ${count(bench.articles)} articles in 60 columns, ${count(memberCount)} members, ${connections} connections`,
      head: ['', 'Atrium: requests/s', 'baseline: requests/s', 'share', 'median ms', 'p99 ms'],
      rows: Object.entries(results).map(([name, list]) => [
        name,
        count(list[0]?.perSecond ?? 0),
        count(list[1]?.perSecond ?? 0),
        percent(shareOf(list)),
        fixed(list[0]?.latency.median ?? 0, 2),
        fixed(list[0]?.latency.p99 ?? 0, 2),
      ]),
      note: 'Atrium checks the token and answers what the member’s audiences may read; the baseline sends the same bytes from memory.',
    })

    const grown: [string, number, number][] = []
    for (const [name, url] of endpoints.slice(1, 3)) {
      console.log(`measuring ${name}, uncached, in both tables`)
      const text = [requestText(url, headers)]
      // Two databases, two sessions.
      const smallText = [requestText(url, { 'x-id-token': smallToken })]
      const [before, after] = (await measure(
        [
          overHttp('few', smallServer, loader, smallText),
          overHttp('many', largeServer, loader, text),
        ],
        bench,
      )) as [Result, Result]
      grown.push([name, before.perSecond, after.perSecond])
      const slower = before.perSecond / after.perSecond - 1
      bench.targets.push({
        what: `${name}, ten times the articles`,
        wanted: '≤ 10 % slower',
        measured: percent(slower),
        ok: slower <= 0.1,
      })
    }
    bench.tables.push({
      title: `Lists while articles grow from ${count(bench.articles / 10)} to ${count(bench.articles)}, uncached`,
      head: ['', 'few: requests/s', 'many: requests/s', 'slower by'],
      rows: grown.map(([name, before, after]) => [
        name,
        count(before),
        count(after),
        percent(before / after - 1),
      ]),
    })
    await benchSearch(bench, largeServer, headers)
    await benchSpread(bench, large, atrium, secondNode, headers)
    bench.raw.results = results
  } finally {
    for (const one of [atrium, secondNode, largeServer, smallServer, loader, memory])
      await one.stop()
  }
}

const shareOf = (results: readonly Result[]) =>
  (results[0]?.perSecond ?? Number.NaN) / (results[1]?.perSecond ?? Number.NaN)

async function newestArticle(server: Server, headers: Record<string, string>) {
  const { bytes } = await sendRequest(
    server,
    `${news.list.path}?columnCode=bench-1&pageSize=1`,
    headers,
  )
  const { data } = JSON.parse(bytes.toString()) as { data: { list: { id: string }[] } }
  return data.list[0]?.id ?? ''
}

/** Searches in sequence, each word in turn, by relevance and newest first; answers are not cached. */
async function benchSearch(bench: Bench, server: Server, headers: Record<string, string>) {
  console.log('measuring search')
  const wanted = isLarge(bench) ? 100 : 30
  const rows: (string | number)[][] = []
  for (const order of ['relevance', 'newest']) {
    const times: number[] = []
    const slowest = { word: '', time: 0 }
    for (let round = 0; round <= bench.rounds * 3; round++)
      for (const word of searchedWords) {
        const url = `${news.search.path}?keyWords=w${word}&order=${order}&pageSize=20`
        const started = performance.now()
        await sendRequest(server, url, headers)
        const time = performance.now() - started
        // The first round warms the caches of PostgreSQL and Node.
        if (round === 0) continue
        times.push(time)
        if (time > slowest.time) Object.assign(slowest, { word: `w${word}`, time })
      }
    times.sort((a, b) => a - b)
    const quantile = (share: number) => times[Math.floor((times.length - 1) * share)] ?? 0
    rows.push([
      order,
      times.length,
      fixed(quantile(0.5), 1),
      fixed(quantile(0.95), 1),
      slowest.word,
    ])
    bench.targets.push({
      what: `search by ${order}, ${count(bench.articles)} articles, p95`,
      wanted: `≤ ${wanted} ms`,
      measured: `${fixed(quantile(0.95), 1)} ms`,
      ok: quantile(0.95) <= wanted,
    })
  }
  bench.tables.push({
    title: 'Sequential searches, uncached',
    head: ['', 'searches', 'median ms', 'p95 ms', 'slowest word'],
    rows,
    note: 'From words that hardly any article contains to words that most contain.',
  })
}

/** Time from the commit of a publication or withdrawal until members on both nodes see it. */
async function benchSpread(
  bench: Bench,
  url: string,
  one: Server,
  two: Server,
  headers: Record<string, string>,
) {
  console.log('measuring how soon both nodes show a change')
  const pool = openPool(url, 1)
  const newestTitle = async (server: Server) => {
    const address = `${news.list.path}?columnCode=bench-3&pageSize=1`
    const { bytes } = await sendRequest(server, address, headers)
    return (JSON.parse(bytes.toString()) as { data: { list: { title: string }[] } }).data.list[0]
      ?.title
  }
  const times: number[] = []
  for (let round = 0; round < bench.rounds * 4; round++) {
    const title = `spread ${round}`
    await Promise.all([newestTitle(one), newestTitle(two)])
    const change = async (sql: string) => {
      await pool.query('begin')
      await pool.query(sql, [title])
      await pool.query("update topic_version set version = version + 1 where topic = 'news'")
      await pool.query(`select pg_notify('atrium', '{"kind":"topic","key":"news"}')`)
      await pool.query('commit')
      return performance.now()
    }
    const waitUntilSeen = async (server: Server, published: boolean, since: number) => {
      while (((await newestTitle(server)) === title) !== published) {
        if (performance.now() - since > 10_000) throw new Error('never seen')
        await wait(2)
      }
      times.push(performance.now() - since)
    }
    const published = await change(
      `insert into article (column_id, title, pinned, published_at)
       select id, $1, true, now() from news_column where code = 'bench-3'`,
    )
    await Promise.all([waitUntilSeen(one, true, published), waitUntilSeen(two, true, published)])
    const withdrawn = await change("update article set status = 'withdrawn' where title = $1")
    await Promise.all([waitUntilSeen(one, false, withdrawn), waitUntilSeen(two, false, withdrawn)])
  }
  await pool.end()
  const slowest = Math.max(...times)
  bench.raw.spread = times
  bench.targets.push({
    what: 'a publication or withdrawal seen on both nodes',
    wanted: '≤ 1 s',
    measured: `${fixed(slowest)} ms`,
    ok: slowest <= 1000,
  })
}
