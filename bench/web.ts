import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { config } from '@atrium/contract/config'
import { home } from '@atrium/contract/home'
import { type LaunchedChrome, launch } from 'chrome-launcher'
import lighthouse from 'lighthouse'
import { signIn } from './ask.ts'
import { openPage } from './cdp.ts'
import type { Settings } from './main.ts'
import { startAtrium } from './processes.ts'
import { fixed, machine, median, report, type Table, type Target } from './report.ts'

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
      { name: 'visitor', token: undefined },
      { name: 'student, signed in', token },
    ]
    const tables: Table[] = []
    const targets: Target[] = []
    const raw: Record<string, unknown> = {}
    for (const visit of visits) {
      console.log(`first screen, ${visit.name}`)
      const fetched = await withChrome((chrome) => fetchFirstScreen(chrome, origin, visit.token))
      const paints = []
      for (let run = 0; run < settings.rounds; run++)
        paints.push(await withChrome((chrome) => paint(chrome, origin, visit.token)))
      raw[visit.name] = { fetched, paints }
      reportVisit(visit.name, fetched, paints, tables, targets)
    }
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
}

/** Everything the first screen fetches, in the order it was asked for. */
async function fetchFirstScreen(
  chrome: LaunchedChrome,
  origin: string,
  token: string | undefined,
): Promise<Fetched[]> {
  const page = await openPage(chrome.port)
  const requests = new Map<string, Fetched & { headBytes: number }>()
  let contentIsHere = false
  let lastMoved = performance.now()
  type Request = { requestId: string; type: string; request: { url: string } }
  page.on<Request>('Network.requestWillBeSent', ({ requestId, type, request }) => {
    lastMoved = performance.now()
    if (!request.url.startsWith(origin)) return
    requests.set(requestId, {
      url: request.url.slice(origin.length),
      kind: type,
      bytes: 0,
      headBytes: 0,
      encoding: '',
      beforeContent: !contentIsHere,
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
    const entry = requests.get(requestId)
    if (!entry) return
    entry.bytes = encodedDataLength - entry.headBytes
    if (entry.url === home.read.path) contentIsHere = true
  })
  await page.send('Network.enable')
  await page.send('Page.enable')
  await page.send('Emulation.setDeviceMetricsOverride', {
    width: 412,
    height: 823,
    deviceScaleFactor: 1.75,
    mobile: true,
  })
  if (token) await page.send('Page.addScriptToEvaluateOnNewDocument', { source: remember(token) })
  await page.send('Page.navigate', { url: `${origin}/` })
  lastMoved = performance.now()
  while (performance.now() - lastMoved < 2000) await wait(100)
  page.close()
  return [...requests.values()].map(({ headBytes: _, ...entry }) => entry)
}

/** As the portal remembers who is signed in (apps/portal/src/lib/storage.ts). */
const remember = (token: string) =>
  `location.protocol === 'http:' && localStorage.setItem('idToken', ${JSON.stringify(token)})`

type Paint = {
  fcp: number
  lcp: number
  cls: number
  score: number
  /** what was painted largest, and what moved: where to look when a figure is short */
  largest: string[]
  moved: string[]
}

/** One Lighthouse run on a simulated phone and mobile network. */
async function paint(
  chrome: LaunchedChrome,
  origin: string,
  token: string | undefined,
): Promise<Paint> {
  if (token) {
    // Any address of the origin that brings nothing of the portal into the cache.
    const page = await openPage(chrome.port)
    await page.send('Page.enable')
    const loaded = new Promise((resolve) => page.on('Page.loadEventFired', resolve))
    await page.send('Page.navigate', { url: `${origin}/healthz` })
    await loaded
    await page.send('Runtime.evaluate', { expression: remember(token) })
    page.close()
  }
  const result = await lighthouse(`${origin}/`, {
    port: chrome.port,
    logLevel: 'error',
    onlyCategories: ['performance'],
    // The browser is new: there is nothing to reset but the session.
    disableStorageReset: true,
  })
  const audits = result?.lhr.audits ?? {}
  const value = (name: string) => audits[name]?.numericValue ?? Number.NaN
  return {
    fcp: value('first-contentful-paint') / 1000,
    lcp: value('largest-contentful-paint') / 1000,
    cls: value('cumulative-layout-shift'),
    score: Math.round((result?.lhr.categories.performance?.score ?? Number.NaN) * 100),
    largest: snippets(audits['lcp-breakdown-insight']?.details),
    moved: snippets(audits['layout-shifts']?.details),
  }
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
  const calls = fetched.filter((entry) => apiCalls.includes(entry.kind))
  const forContent = calls.filter(
    (entry) => entry.beforeContent && !configuration.includes(entry.url.split('?')[0] ?? ''),
  )
  tables.push({
    title: `First screen, ${visitor}`,
    head: ['', 'requests', 'KB as sent'],
    rows: [
      ...kinds.map((kind) => {
        const entries = fetched.filter((entry) => entry.kind === kind)
        return [kind, entries.length, fixed(sum(entries), 1)]
      }),
      ['all', fetched.length, fixed(sum(fetched), 1)],
    ],
    note: `API: ${calls.map((entry) => `${entry.url}${entry.beforeContent ? '' : ' (after the content)'}`).join(', ')}`,
  })
  const middle = (of: (paint: Paint) => number) => median(paints.map(of))
  const [fcp, lcp, cls] = [
    middle((paint) => paint.fcp),
    middle((paint) => paint.lcp),
    middle((paint) => paint.cls),
  ]
  tables.push({
    title: `Lighthouse, mobile, simulated, ${visitor}`,
    head: ['', 'median', 'runs'],
    rows: [
      ['first contentful paint, s', fixed(fcp, 2), runs((paint) => fixed(paint.fcp, 2))],
      ['largest contentful paint, s', fixed(lcp, 2), runs((paint) => fixed(paint.lcp, 2))],
      ['layout shift', fixed(cls, 3), runs((paint) => fixed(paint.cls, 3))],
      ['score', middle((paint) => paint.score), runs((paint) => paint.score)],
    ],
  })
  function runs(of: (paint: Paint) => string | number) {
    return paints.map(of).join(' · ')
  }
  const codeSize = sum(fetched.filter((entry) => code.includes(entry.kind)))
  targets.push(
    {
      what: `${visitor}: HTML, JS and CSS as sent`,
      wanted: '≤ 110 KB',
      measured: `${fixed(codeSize, 1)} KB`,
      ok: codeSize <= 110,
    },
    {
      what: `${visitor}: API requests for the content, after configuration`,
      wanted: '1',
      measured: String(forContent.length),
      ok: forContent.length === 1,
    },
    {
      what: `${visitor}: largest contentful paint`,
      wanted: '≤ 2.0 s',
      measured: `${fixed(lcp, 2)} s`,
      ok: lcp <= 2,
    },
    {
      what: `${visitor}: layout shift`,
      wanted: '< 0.02',
      measured: fixed(cls, 3),
      ok: cls < 0.02,
    },
  )
}
