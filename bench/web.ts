import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { home } from '@atrium/contract/shell/home'
import { type LaunchedChrome, launch } from 'chrome-launcher'
import lighthouse from 'lighthouse'
import { openPage } from './cdp.ts'
import type { Settings } from './main.ts'
import { startAtrium } from './processes.ts'
import { machine, report, type Table, type Target } from './report.ts'
import { signIn } from './request.ts'
import {
  type Fetched,
  type Paint,
  reportFetched,
  reportPaints,
  reportScreens,
  reportSlowTabs,
  reportSwitch,
  type SlowTab,
} from './web-report.ts'

const root = path.dirname(import.meta.dirname)

/** Disable the browser's own traffic during measurements. */
const chromeFlags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A headless browser sends no language, unlike any real browser.
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
      // A returning member whose browser cache is empty.
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
        paints.push(await measurePaint(origin, visit.member))
      raw[visit.name] = { fetched, paints }
      reportFetched(visit.name, fetched, tables, targets)
      reportPaints(visit.name, paints, tables, targets)
    }
    const frames = await withChrome((chrome) => switchTabs(chrome, origin, token))
    reportSwitch(frames, tables, targets)
    raw.frames = frames
    reportScreens(tables, targets)
    raw.slow = await measureSlowTabs(origin, token)
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

/** Runs work in a fresh browser. */
async function withChrome<T>(work: (chrome: LaunchedChrome) => Promise<T>): Promise<T> {
  const { CHROME_PATH } = process.env
  const chrome = await launch({ chromeFlags, ...(CHROME_PATH && { chromePath: CHROME_PATH }) })
  try {
    return await work(chrome)
  } finally {
    chrome.kill()
  }
}

/** All requests of the first screen, in order. */
async function fetchFirstScreen(
  chrome: LaunchedChrome,
  origin: string,
  member: SignedIn | undefined,
): Promise<Fetched[]> {
  const page = await openPage(chrome.port)
  const requests = new Map<string, Fetched & { headBytes: number }>()
  let isContentLoaded = false
  const isPainted = await isHomePainted(origin, member)
  let lastActivity = performance.now()
  let isIdle = false
  const pending = new Set<string>()
  type Request = { requestId: string; type: string; request: { url: string } }
  page.on<Request>('Network.requestWillBeSent', ({ requestId, type, request }) => {
    isIdle ||= requests.size > 0 && pending.size === 0 && performance.now() - lastActivity > 500
    lastActivity = performance.now()
    pending.add(requestId)
    if (!request.url.startsWith(origin)) return
    requests.set(requestId, {
      url: request.url.slice(origin.length),
      kind: type,
      bytes: 0,
      headBytes: 0,
      encoding: '',
      beforeContent: !isContentLoaded,
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
    lastActivity = performance.now()
    pending.delete(requestId)
    const entry = requests.get(requestId)
    if (!entry) return
    entry.bytes = encodedDataLength - entry.headBytes
    // If the server has painted it, the content comes with the document.
    if (entry.url === home.read.path || (entry.kind === 'Document' && isPainted))
      isContentLoaded = true
  })
  page.on<{ requestId: string }>('Network.loadingFailed', ({ requestId }) =>
    pending.delete(requestId),
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
    await page.send('Network.setCookie', paintCookieParams(origin, member))
    await page.send('Page.addScriptToEvaluateOnNewDocument', {
      source: sessionScript(member.token),
    })
  }
  await page.send('Page.navigate', { url: `${origin}/` })
  lastActivity = performance.now()
  while (performance.now() - lastActivity < 2000) await wait(100)
  page.close()
  return [...requests.values()].map(({ headBytes: _, ...entry }) => entry)
}

/** Stores the session as the portal does (apps/portal/src/lib/storage.ts). */
const sessionScript = (token: string) =>
  `location.protocol === 'http:' && localStorage.setItem('idToken', ${JSON.stringify(token)})`

type SignedIn = { token: string; cookie: string }

/**
 * The audience class of a member, as stored in their browser since the last visit (home/painted-for.ts on the server).
 */
async function paintCookie(origin: string, token: string) {
  // In the measured browser's language, as the app requests it.
  const { headers } = await fetch(origin + home.read.path, {
    headers: { 'X-Id-Token': token, 'accept-language': 'en' },
  })
  const [, cookie] = /PAINT-atrium=([^;]+)/.exec(headers.get('set-cookie') ?? '') ?? []
  if (!cookie) throw new Error('home named no class')
  return cookie
}
const paintCookieParams = (origin: string, { cookie }: SignedIn) => ({
  name: 'PAINT-atrium',
  value: cookie,
  url: origin,
  httpOnly: true,
})

async function isHomePainted(origin: string, member: SignedIn | undefined) {
  const headers = {
    'accept-language': 'en',
    ...(member && { cookie: `PAINT-atrium=${member.cookie}` }),
  }
  return (await (await fetch(`${origin}/`, { headers })).text()).includes('class="painted"')
}

/** One run; repeated if Lighthouse saw no paint at all, which is a problem of its browser rather than ours. */
async function measurePaint(origin: string, member: SignedIn | undefined): Promise<Paint> {
  for (let tries = 0; tries < 3; tries++) {
    const seen = await withChrome((chrome) => runLighthouse(chrome, origin, member))
    if (Number.isFinite(seen.lcp)) return seen
    console.log('Lighthouse saw no paint: once more.')
  }
  throw new Error('Lighthouse saw no paint in three runs: is the portal drawn at all?')
}

/** One Lighthouse run on a simulated phone and mobile network. */
async function runLighthouse(
  chrome: LaunchedChrome,
  origin: string,
  member: SignedIn | undefined,
): Promise<Paint> {
  if (member) {
    // Any address of the origin that caches nothing of the portal.
    const page = await openPage(chrome.port)
    await page.send('Page.enable')
    const loaded = new Promise((resolve) => page.on('Page.loadEventFired', resolve))
    await page.send('Page.navigate', { url: `${origin}/healthz` })
    await loaded
    await page.send('Runtime.evaluate', { expression: sessionScript(member.token) })
    await page.send('Network.setCookie', paintCookieParams(origin, member))
    page.close()
  }
  const result = await lighthouse(`${origin}/`, {
    port: chrome.port,
    logLevel: 'error',
    onlyCategories: ['performance', 'accessibility', 'best-practices'],
    // A fresh browser: resetting would only remove the session.
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
    benchmarkIndex: result?.lhr.environment?.benchmarkIndex ?? Number.NaN,
    cls: value('cumulative-layout-shift'),
    score: score('performance'),
    accessibility: score('accessibility'),
    bestPractices: score('best-practices'),
    largest: snippets(audits['lcp-breakdown-insight']?.details),
    moved: snippets(audits['layout-shifts']?.details),
  }
}

/** Frames until a tab already visited shows again, for twenty switches. */
async function switchTabs(
  chrome: LaunchedChrome,
  origin: string,
  token: string,
): Promise<number[]> {
  const page = await openPage(chrome.port)
  await page.send('Page.enable')
  await page.send('Page.addScriptToEvaluateOnNewDocument', { source: sessionScript(token) })
  await page.send('Page.navigate', { url: `${origin}/` })
  const { result } = (await page.send('Runtime.evaluate', {
    expression: `(${countSwitchFrames})()`,
    awaitPromise: true,
    returnByValue: true,
  })) as { result: { value: number[] } }
  page.close()
  return result.value
}

/** Runs in the page and cannot use anything outside of it. */
const countSwitchFrames = async () => {
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

/** Elements named anywhere in Lighthouse's details. */
function snippets(details: unknown): string[] {
  const labels = new Set<string>()
  JSON.stringify(details, (key, value) => {
    if (key === 'nodeLabel') labels.add(value)
    return value
  })
  return [...labels]
}

const services = '/pages/tab/service/index'
const tabs = [
  services,
  '/pages/msgCenterTab/newtask/newtask',
  '/pages/tab/schedule/schedule',
  '/pages/tab/my/my',
]

/**
 * Runs in the page and records when its content is shown, and when the app has replaced what the server has painted, in
 * milliseconds since the navigation. Asking from outside would take CPU time from a page that has little.
 */
const recordContent = () => {
  const after: { content?: number; app?: number } = {}
  const record = () => {
    const main = document.querySelector('main')
    // biome-ignore lint/performance/useDomNodeTextContent: hidden text is no content, and the layout counts
    if (!after.content && main && !main.querySelector('.skeleton') && main.innerText.length > 80)
      after.content = performance.now()
    if (after.content && !document.querySelector('.painted')) {
      after.app = performance.now()
      Object.assign(window, { after })
    } else requestAnimationFrame(record)
  }
  requestAnimationFrame(record)
}

/**
 * Seconds until each tab shows its content in a fresh browser, and the services to a visitor: 50 KB/s, 400 ms latency, CPU
 * slowed down four times.
 */
async function measureSlowTabs(origin: string, token: string): Promise<SlowTab[]> {
  const seen: SlowTab[] = []
  const starts = [
    ...tabs.map((tab) => ({ tab, name: tab, session: `${sessionScript(token)};` })),
    { tab: services, name: `${services}, visitor`, session: '' },
  ]
  for (const { tab, name, session } of starts)
    seen.push(
      await withChrome(async (chrome) => {
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
        // The demo's own, as nearly all members have it.
        await page.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Shanghai' })
        await page.send('Page.addScriptToEvaluateOnNewDocument', {
          source: `${session}(${recordContent})()`,
        })
        const started = performance.now()
        await page.send('Page.navigate', { url: `${origin}${tab}` })
        let after: { content: number; app: number } | undefined
        while (!after && performance.now() - started < 30_000) {
          await wait(500)
          const { result } = (await page.send('Runtime.evaluate', {
            expression: 'window.after',
            returnByValue: true,
          })) as { result: { value?: typeof after } }
          after = result.value
        }
        page.close()
        const { content, app } = after ?? { content: 30_000, app: 30_000 }
        return { tab: name, seconds: content / 1000, appSeconds: app / 1000 }
      }),
    )
  return seen
}
