// Over 400 lines: one measurement from visit to report, read from top to bottom.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { config } from '@atrium/contract/shell/config'
import { home } from '@atrium/contract/shell/home'
import { type LaunchedChrome, launch } from 'chrome-launcher'
import lighthouse from 'lighthouse'
import { openPage } from './cdp.ts'
import type { Settings } from './main.ts'
import { startAtrium } from './processes.ts'
import { fixed, machine, median, report, type Table, type Target } from './report.ts'
import { signIn } from './request.ts'

const root = path.dirname(import.meta.dirname)

/** Nothing of the browser's own is to talk while the page is measured. */
const chromeFlags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Without a window the browser names no language, as no browser of a person does.
  '--accept-lang=en-US',
]

export async function benchWeb(settings: Settings) {
  console.log('building the portal')
  const built = spawnSync(process.execPath, ['build.ts'], {
    cwd: path.join(root, 'apps/portal'),
    stdio: 'inherit',
  })
  if (built.status !== 0) throw new Error('the portal could not be built; the reason is above')
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'atrium-bench-'))
  chmodSync(dataDir, 0o711)
  const server = await startAtrium({ ATRIUM_DEMO: '1', ATRIUM_DATA_DIR: dataDir })
  try {
    const origin = `http://localhost:${server.port}`
    const token = await signIn(server)
    const visits = [
      { name: 'visitor', member: undefined },
      // One who has been here before, whose browser has nothing of the portal any more.
      { name: 'student, signed in', member: { token, cookie: await paintCookie(origin, token) } },
    ]
    const tables: Table[] = []
    const targets: Target[] = []
    const raw: Record<string, unknown> = {}
    for (const visit of visits) {
      console.log(`first screen, ${visit.name}`)
      const fetched = await withChrome((chrome) => fetchFirstScreen(chrome, origin, visit.member))
      const paints = []
      for (let run = 0; run < settings.rounds; run++)
        paints.push(await paintOf(origin, visit.member))
      raw[visit.name] = { fetched, paints }
      reportVisit(visit.name, fetched, paints, tables, targets)
    }
    const frames = await withChrome((chrome) => switchTabs(chrome, origin, token))
    reportSwitch(frames, tables, targets)
    raw.frames = frames
    reportScreens(tables, targets)
    raw.slow = await slowTabs(origin, token)
    reportSlowTabs(raw.slow as SlowTab[], tables, targets)
    report(
      'web',
      { machine: machine(), tables, targets },
      { rounds: settings.rounds, save: settings.save },
      raw,
    )
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** A browser that has never been here. */
async function withChrome<T>(work: (chrome: LaunchedChrome) => Promise<T>): Promise<T> {
  const { CHROME_PATH } = process.env
  const chrome = await launch({ chromeFlags, ...(CHROME_PATH && { chromePath: CHROME_PATH }) })
  try {
    return await work(chrome)
  } finally {
    chrome.kill()
  }
}

type Fetched = {
  url: string
  kind: string
  bytes: number
  encoding: string
  beforeContent: boolean
  /** Asked for before the page was idle: before the first half second in which nothing was on its way. */
  beforeIdle: boolean
}

/** Everything the first screen fetches, in the order it was asked for. */
async function fetchFirstScreen(
  chrome: LaunchedChrome,
  origin: string,
  member: Signed | undefined,
): Promise<Fetched[]> {
  const page = await openPage(chrome.port)
  const requests = new Map<string, Fetched & { headBytes: number }>()
  let contentIsHere = false
  const isPainted = await homeIsPainted(origin, member)
  let lastMoved = performance.now()
  let isIdle = false
  const onTheWay = new Set<string>()
  type Request = { requestId: string; type: string; request: { url: string } }
  page.on<Request>('Network.requestWillBeSent', ({ requestId, type, request }) => {
    isIdle ||= requests.size > 0 && onTheWay.size === 0 && performance.now() - lastMoved > 500
    lastMoved = performance.now()
    onTheWay.add(requestId)
    if (!request.url.startsWith(origin)) return
    requests.set(requestId, {
      url: request.url.slice(origin.length),
      kind: type,
      bytes: 0,
      headBytes: 0,
      encoding: '',
      beforeContent: !contentIsHere,
      beforeIdle: !isIdle,
    })
  })
  type Response = {
    requestId: string
    response: { headers: Record<string, string>; encodedDataLength: number }
  }
  page.on<Response>('Network.responseReceived', ({ requestId, response }) => {
    const entry = requests.get(requestId)
    if (!entry) return
    entry.headBytes = response.encodedDataLength
    const headers = new Headers(response.headers)
    entry.encoding = headers.get('content-encoding') ?? ''
  })
  type Finished = { requestId: string; encodedDataLength: number }
  page.on<Finished>('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    lastMoved = performance.now()
    onTheWay.delete(requestId)
    const entry = requests.get(requestId)
    if (!entry) return
    entry.bytes = encodedDataLength - entry.headBytes
    // Where the server has painted it, the content comes with the document.
    if (entry.url === home.read.path || (entry.kind === 'Document' && isPainted))
      contentIsHere = true
  })
  page.on<{ requestId: string }>('Network.loadingFailed', ({ requestId }) =>
    onTheWay.delete(requestId),
  )
  await page.send('Network.enable')
  await page.send('Page.enable')
  await page.send('Emulation.setDeviceMetricsOverride', {
    width: 412,
    height: 823,
    deviceScaleFactor: 1.75,
    mobile: true,
  })
  if (member) {
    await page.send('Network.setCookie', cookieAt(origin, member))
    await page.send('Page.addScriptToEvaluateOnNewDocument', { source: remember(member.token) })
  }
  await page.send('Page.navigate', { url: `${origin}/` })
  lastMoved = performance.now()
  while (performance.now() - lastMoved < 2000) await wait(100)
  page.close()
  return [...requests.values()].map(({ headBytes: _, ...entry }) => entry)
}

/** As the portal remembers who is signed in (apps/portal/src/lib/storage.ts). */
const remember = (token: string) =>
  `location.protocol === 'http:' && localStorage.setItem('idToken', ${JSON.stringify(token)})`

type Signed = { token: string; cookie: string }

/** The class of a member, as their browser keeps it since they were here (home/painted-for.ts on the server). */
async function paintCookie(origin: string, token: string) {
  // In the language of the browser that is measured, as the app asks.
  const { headers } = await fetch(origin + home.read.path, {
    headers: { 'X-Id-Token': token, 'accept-language': 'en' },
  })
  const [, cookie] = /PAINT-atrium=([^;]+)/.exec(headers.get('set-cookie') ?? '') ?? []
  if (!cookie) throw new Error('home named no class')
  return cookie
}
const cookieAt = (origin: string, { cookie }: Signed) => ({
  name: 'PAINT-atrium',
  value: cookie,
  url: origin,
  httpOnly: true,
})

async function homeIsPainted(origin: string, member: Signed | undefined) {
  const headers = {
    'accept-language': 'en',
    ...(member && { cookie: `PAINT-atrium=${member.cookie}` }),
  }
  return (await (await fetch(`${origin}/`, { headers })).text()).includes('class="painted"')
}

type Paint = {
  fcp: number
  lcp: number
  /** the same in the browser that has just been here */
  warm: number
  blocking: number
  cls: number
  score: number
  accessibility: number
  bestPractices: number
  /** what was painted largest, and what moved: where to look when a figure is short */
  largest: string[]
  moved: string[]
}

/** One run; another one where Lighthouse saw no paint at all, which says something of its own browser and nothing of ours. */
async function paintOf(origin: string, member: Signed | undefined): Promise<Paint> {
  for (let tries = 0; tries < 3; tries++) {
    const seen = await withChrome((chrome) => paint(chrome, origin, member))
    if (Number.isFinite(seen.lcp)) return seen
    console.log('Lighthouse saw no paint: once more.')
  }
  throw new Error('Lighthouse saw no paint in three runs: is the portal drawn at all?')
}

/** One Lighthouse run on a simulated phone and mobile network. */
async function paint(
  chrome: LaunchedChrome,
  origin: string,
  member: Signed | undefined,
): Promise<Paint> {
  if (member) {
    // Any address of the origin that brings nothing of the portal into the cache.
    const page = await openPage(chrome.port)
    await page.send('Page.enable')
    const loaded = new Promise((resolve) => page.on('Page.loadEventFired', resolve))
    await page.send('Page.navigate', { url: `${origin}/healthz` })
    await loaded
    await page.send('Runtime.evaluate', { expression: remember(member.token) })
    await page.send('Network.setCookie', cookieAt(origin, member))
    page.close()
  }
  const result = await lighthouse(`${origin}/`, {
    port: chrome.port,
    logLevel: 'error',
    onlyCategories: ['performance', 'accessibility', 'best-practices'],
    // The browser is new: there is nothing to reset but the session.
    disableStorageReset: true,
  })
  const again = await lighthouse(`${origin}/`, {
    port: chrome.port,
    logLevel: 'error',
    onlyAudits: ['largest-contentful-paint'],
    disableStorageReset: true,
  })
  const audits = result?.lhr.audits ?? {}
  const value = (name: string) => audits[name]?.numericValue ?? Number.NaN
  const score = (name: string) =>
    Math.round((result?.lhr.categories[name]?.score ?? Number.NaN) * 100)
  return {
    fcp: value('first-contentful-paint') / 1000,
    lcp: value('largest-contentful-paint') / 1000,
    warm: (again?.lhr.audits['largest-contentful-paint']?.numericValue ?? Number.NaN) / 1000,
    blocking: value('total-blocking-time'),
    cls: value('cumulative-layout-shift'),
    score: score('performance'),
    accessibility: score('accessibility'),
    bestPractices: score('best-practices'),
    largest: snippets(audits['lcp-breakdown-insight']?.details),
    moved: snippets(audits['layout-shifts']?.details),
  }
}

/** Frames until a tab that was seen before shows again, for twenty switches back and forth. */
async function switchTabs(
  chrome: LaunchedChrome,
  origin: string,
  token: string,
): Promise<number[]> {
  const page = await openPage(chrome.port)
  await page.send('Page.enable')
  await page.send('Page.addScriptToEvaluateOnNewDocument', { source: remember(token) })
  await page.send('Page.navigate', { url: `${origin}/` })
  const { result } = (await page.send('Runtime.evaluate', {
    expression: `(${inPage})()`,
    awaitPromise: true,
    returnByValue: true,
  })) as { result: { value: number[] } }
  page.close()
  return result.value
}

/** Runs in the page: it knows nothing but the page. */
const inPage = async () => {
  const until = async (found: () => unknown) => {
    for (let tries = 0; tries < 400 && !found(); tries++)
      await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const tabs = () => [...document.querySelectorAll<HTMLElement>('.tab-bar-item')]
  const shown = () =>
    [...document.querySelectorAll<HTMLElement>('main')].find((main) => main.offsetHeight > 0)
  const contents: (HTMLElement | undefined)[] = []
  await until(() => tabs().length === 5 && shown()?.querySelector('h2'))
  for (const index of [1, 0]) {
    tabs()[index]?.click()
    await new Promise((resolve) => setTimeout(resolve, 3000))
    contents[index] = shown()
  }
  const frames: number[] = []
  for (let turn = 0; turn < 20; turn++) {
    const index = turn % 2 === 0 ? 1 : 0
    tabs()[index]?.click()
    let count = 0
    do {
      await frame()
      count++
    } while (shown() !== contents[index] && count < 100)
    frames.push(count)
  }
  return frames
}

/** The elements that Lighthouse's details name, however deep they lie in them. */
function snippets(details: unknown): string[] {
  const labels = new Set<string>()
  JSON.stringify(details, (key, value) => {
    if (key === 'nodeLabel') labels.add(value)
    return value
  })
  return [...labels]
}

const code = ['Document', 'Script', 'Stylesheet']
const apiCalls = ['XHR', 'Fetch']
const configuration: string[] = [config.detail, config.system, config.modules].map(
  (endpoint) => endpoint.path,
)

function reportVisit(
  visitor: string,
  fetched: Fetched[],
  paints: Paint[],
  tables: Table[],
  targets: Target[],
) {
  const kinds = [...new Set(fetched.map((entry) => entry.kind))]
  const sum = (entries: Fetched[]) =>
    entries.reduce((total, entry) => total + entry.bytes, 0) / 1024
  // The icons are fetched ahead of their use, and are a file.
  const calls = fetched.filter(
    ({ kind, url }) => apiCalls.includes(kind) && !url.startsWith('/assets/'),
  )
  const forContent = calls.filter(
    (entry) => entry.beforeContent && !configuration.includes(entry.url.split('?')[0] ?? ''),
  )
  tables.push({
    title: `First screen, ${visitor}`,
    head: ['', 'requests', 'KB as sent', 'of these before the content', 'KB'],
    rows: [
      ...kinds.map((kind) =>
        line(
          kind,
          fetched.filter((entry) => entry.kind === kind),
        ),
      ),
      line('all', fetched),
    ],
    note: `API: ${calls.map((entry) => `${entry.url}${entry.beforeContent ? '' : ' (after the content)'}`).join(', ')}`,
  })
  function line(name: string, entries: Fetched[]) {
    const before = entries.filter((entry) => entry.beforeContent)
    return [name, entries.length, fixed(sum(entries), 1), before.length, fixed(sum(before), 1)]
  }
  const middle = (of: (paint: Paint) => number) => median(paints.map(of))
  const [fcp, lcp, warm, blocking, cls] = [
    middle((paint) => paint.fcp),
    middle((paint) => paint.lcp),
    middle((paint) => paint.warm),
    middle((paint) => paint.blocking),
    middle((paint) => paint.cls),
  ]
  tables.push({
    title: `Lighthouse, mobile, simulated, ${visitor}`,
    head: ['', 'median', 'runs'],
    rows: [
      ['first contentful paint, s', fixed(fcp, 2), runs((paint) => fixed(paint.fcp, 2))],
      ['largest contentful paint, s', fixed(lcp, 2), runs((paint) => fixed(paint.lcp, 2))],
      ['the same, warm, s', fixed(warm, 2), runs((paint) => fixed(paint.warm, 2))],
      ['blocking, ms', fixed(blocking, 0), runs((paint) => fixed(paint.blocking, 0))],
      ['layout shift', fixed(cls, 3), runs((paint) => fixed(paint.cls, 3))],
      ['score', middle((paint) => paint.score), runs((paint) => paint.score)],
      [
        'accessibility',
        middle((paint) => paint.accessibility),
        runs((paint) => paint.accessibility),
      ],
      [
        'best practices',
        middle((paint) => paint.bestPractices),
        runs((paint) => paint.bestPractices),
      ],
    ],
  })
  function runs(of: (paint: Paint) => string | number) {
    return paints.map(of).join(' · ')
  }
  // What comes after the content (what surrounds the app, recording, the service worker) holds nobody up.
  const codeSize = sum(fetched.filter((entry) => entry.beforeContent && code.includes(entry.kind)))
  const scripts = sum(fetched.filter((entry) => entry.beforeContent && entry.kind === 'Script'))
  const beforeIdle = fetched.filter((entry) => entry.beforeIdle).length
  targets.push(
    {
      what: `${visitor}: HTML, JS and CSS before the content`,
      wanted: '≤ 110 KB',
      measured: `${fixed(codeSize, 1)} KB`,
      ok: codeSize <= 110,
    },
    {
      what: `${visitor}: JS before the content`,
      wanted: '≤ 75 KB',
      measured: `${fixed(scripts, 1)} KB`,
      ok: scripts <= 75,
    },
    {
      what: `${visitor}: API requests for the content, after configuration`,
      wanted: '≤ 1',
      measured: String(forContent.length),
      ok: forContent.length <= 1,
    },
    {
      what: `${visitor}: API requests before content, in all`,
      wanted: '≤ 3',
      measured: String(calls.filter((entry) => entry.beforeContent).length),
      ok: calls.filter((entry) => entry.beforeContent).length <= 3,
    },
    {
      what: `${visitor}: requests before the page is idle`,
      wanted: '≤ 12',
      measured: String(beforeIdle),
      ok: beforeIdle <= 12,
    },
    {
      what: `${visitor}: largest contentful paint`,
      wanted: '≤ 1.3 s',
      measured: `${fixed(lcp, 2)} s`,
      ok: lcp <= 1.3,
    },
    {
      what: `${visitor}: the same, warm`,
      wanted: '≤ 0.7 s',
      measured: `${fixed(warm, 2)} s`,
      ok: warm <= 0.7,
    },
    {
      what: `${visitor}: blocking`,
      wanted: '≤ 80 ms',
      measured: `${fixed(blocking, 0)} ms`,
      ok: blocking <= 80,
    },
    {
      what: `${visitor}: layout shift`,
      wanted: '< 0.02',
      measured: fixed(cls, 3),
      ok: cls < 0.02,
    },
    ...(['accessibility', 'bestPractices'] as const).map((name) => {
      const lowest = Math.min(...paints.map((paint) => paint[name]))
      const what = name === 'accessibility' ? 'accessibility' : 'best practices'
      return {
        what: `${visitor}: Lighthouse, ${what}`,
        wanted: '100',
        measured: String(lowest),
        ok: lowest === 100,
      }
    }),
  )
}

function reportSwitch(frames: number[], tables: Table[], targets: Target[]) {
  const most = Math.max(...frames)
  tables.push({
    title: 'Switching to a tab seen before',
    head: ['', 'median', 'most'],
    rows: [['frames until it shows', median(frames), most]],
    note: `${frames.length} switches between home and services.`,
  })
  targets.push({
    what: 'a tab seen before shows in the next frame',
    wanted: '1',
    measured: String(median(frames)),
    ok: median(frames) === 1,
  })
}

type SlowTab = { tab: string; seconds: number }
const tabs = [
  '/pages/tab/service/index',
  '/pages/msgCenterTab/newtask/newtask',
  '/pages/tab/schedule/schedule',
  '/pages/tab/my/my',
]

/** Seconds until each tab shows its content in a browser that has never been here: 50 KB/s, 400 ms, a core four times as slow. */
async function slowTabs(origin: string, token: string): Promise<SlowTab[]> {
  const seen: SlowTab[] = []
  for (const tab of tabs)
    seen.push({
      tab,
      seconds: await withChrome(async (chrome) => {
        const page = await openPage(chrome.port)
        await page.send('Page.enable')
        await page.send('Network.enable')
        await page.send('Network.emulateNetworkConditions', {
          offline: false,
          latency: 400,
          downloadThroughput: 50 * 1024,
          uploadThroughput: 50 * 1024,
        })
        await page.send('Emulation.setCPUThrottlingRate', { rate: 4 })
        await page.send('Page.addScriptToEvaluateOnNewDocument', { source: remember(token) })
        const started = performance.now()
        await page.send('Page.navigate', { url: `${origin}${tab}` })
        let shows = false
        while (!shows && performance.now() - started < 30_000) {
          await wait(50)
          const { result } = (await page.send('Runtime.evaluate', {
            expression: `(() => { const main = document.querySelector('main')
              return Boolean(main && main.innerText.length > 80 && !main.querySelector('.skeleton')) })()`,
            returnByValue: true,
          })) as { result: { value: boolean } }
          shows = result.value
        }
        page.close()
        return (performance.now() - started) / 1000
      }),
    })
  return seen
}

function reportSlowTabs(seen: readonly SlowTab[], tables: Table[], targets: Target[]) {
  tables.push({
    title: 'The other tabs on a slow line, cold',
    head: ['', 'content after, s'],
    rows: seen.map(({ tab, seconds }) => [tab, fixed(seconds, 1)]),
    note: 'A signed-in student; 50 KB/s, 400 ms, CPU four times as slow.',
  })
  const slowest = Math.max(...seen.map(({ seconds }) => seconds))
  targets.push({
    what: 'services, messages, schedule, me on a slow line, the slowest',
    wanted: '≤ 4 s',
    measured: `${fixed(slowest, 1)} s`,
    ok: slowest <= 4,
  })
}

type Chunk = { file: string; css?: string[]; imports?: string[]; isEntry?: boolean }

/** What a later screen adds to the first one: its own script and styles, and what it shares with others the first time. */
function reportScreens(tables: Table[], targets: Target[]) {
  const dist = path.join(root, 'apps/portal/dist')
  const chunks = JSON.parse(readFileSync(path.join(dist, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    Chunk
  >
  const withImports = (name: string): string[] => {
    const { imports = [] } = chunks[name] as Chunk
    return [name, ...imports.flatMap(withImports)]
  }
  const first = new Set(
    Object.keys(chunks)
      .filter((name) => chunks[name]?.isEntry)
      .flatMap(withImports),
  )
  const kilobytes = (name: string) =>
    [chunks[name]?.file ?? '', ...(chunks[name]?.css ?? [])]
      .map((file) => statSync(path.join(dist, `${file}.br`)).size / 1024)
      .reduce((sum, size) => sum + size, 0)
  const screens = Object.keys(chunks)
    .filter((name) => /-page\.tsx$/.test(name) && !first.has(name))
    .map((name) => {
      const shared = [...new Set(withImports(name))].filter(
        (other) => other !== name && !first.has(other),
      )
      return {
        name: path.basename(name, '.tsx'),
        own: kilobytes(name),
        shared: shared.map(kilobytes).reduce((sum, size) => sum + size, 0),
      }
    })
    .sort((a, b) => b.own - a.own)
  const average = screens.reduce((sum, { own }) => sum + own, 0) / screens.length
  tables.push({
    title: `What a later screen adds, ${screens.length} page files`,
    head: ['', 'own, KB brotli', 'shared with others, the first time'],
    rows: [
      ...screens
        .slice(0, 5)
        .map(({ name, own, shared }) => [name, fixed(own, 1), fixed(shared, 1)]),
      ['average of all', fixed(average, 1), ''],
    ],
    note: 'The five largest.',
  })
  targets.push({
    what: 'a later screen, on average',
    wanted: '≤ 10 KB',
    measured: `${fixed(average, 1)} KB`,
    ok: average <= 10,
  })
}
