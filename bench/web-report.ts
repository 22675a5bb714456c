import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { config } from '@atrium/contract/shell/config'
import { fixed, median, type Table, type Target } from './report.ts'

const root = path.dirname(import.meta.dirname)

export type Fetched = {
  url: string
  kind: string
  bytes: number
  encoding: string
  beforeContent: boolean
  /** Requested before the page was idle, that is, before the first half second without pending requests. */
  beforeIdle: boolean
}

export type Paint = {
  fcp: number
  lcp: number
  /** largest contentful paint on a second visit in the same browser */
  warm: number
  blocking: number
  /** Lighthouse's index of the machine's speed during the run; the blocking time depends on it */
  benchmarkIndex: number
  cls: number
  score: number
  accessibility: number
  bestPractices: number
  /** the largest painted elements and those that moved: where to look if a target is missed */
  largest: string[]
  moved: string[]
}

export type SlowTab = { tab: string; seconds: number; appSeconds: number }

const code = ['Document', 'Script', 'Stylesheet']
const apiCalls = ['XHR', 'Fetch']
const configuration: string[] = [config.detail, config.system, config.modules].map(
  (endpoint) => endpoint.path,
)

/** Transfers of the first screen, by kind. */
export function reportFetched(
  visitor: string,
  fetched: Fetched[],
  tables: Table[],
  targets: Target[],
) {
  const kinds = [...new Set(fetched.map((entry) => entry.kind))]
  const sum = (entries: Fetched[]) =>
    entries.reduce((total, entry) => total + entry.bytes, 0) / 1024
  // Icons are prefetched, and are a static file.
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
  // Transfers after the content (the app's frame, recording, the service worker) delay nobody.
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
      what: `${visitor}: API requests before the content, in total`,
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
  )
}

/** Speed and quality of the first screen. */
export function reportPaints(visitor: string, paints: Paint[], tables: Table[], targets: Target[]) {
  const medianOf = (of: (paint: Paint) => number) => median(paints.map(of))
  const [fcp, lcp, warm, blocking, index, cls] = [
    medianOf((paint) => paint.fcp),
    medianOf((paint) => paint.lcp),
    medianOf((paint) => paint.warm),
    medianOf((paint) => paint.blocking),
    medianOf((paint) => paint.benchmarkIndex),
    medianOf((paint) => paint.cls),
  ]
  tables.push({
    title: `Lighthouse, mobile, simulated, ${visitor}`,
    head: ['', 'median', 'runs'],
    rows: [
      ['first contentful paint, s', fixed(fcp, 2), runs((paint) => fixed(paint.fcp, 2))],
      ['largest contentful paint, s', fixed(lcp, 2), runs((paint) => fixed(paint.lcp, 2))],
      ['the same, warm, s', fixed(warm, 2), runs((paint) => fixed(paint.warm, 2))],
      ['blocking, ms', fixed(blocking, 0), runs((paint) => fixed(paint.blocking, 0))],
      ['index of the machine', fixed(index, 0), runs((paint) => fixed(paint.benchmarkIndex, 0))],
      ['layout shift', fixed(cls, 3), runs((paint) => fixed(paint.cls, 3))],
      ['score', medianOf((paint) => paint.score), runs((paint) => paint.score)],
      [
        'accessibility',
        medianOf((paint) => paint.accessibility),
        runs((paint) => paint.accessibility),
      ],
      [
        'best practices',
        medianOf((paint) => paint.bestPractices),
        runs((paint) => paint.bestPractices),
      ],
    ],
  })
  function runs(of: (paint: Paint) => string | number) {
    return paints.map(of).join(' · ')
  }
  targets.push(
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

export function reportSwitch(frames: number[], tables: Table[], targets: Target[]) {
  const max = Math.max(...frames)
  tables.push({
    title: 'Switching to a previously opened tab',
    head: ['', 'median', 'maximum'],
    rows: [['frames until it shows', median(frames), max]],
    note: `${frames.length} switches between home and services.`,
  })
  targets.push({
    what: 'a previously opened tab shows in the next frame',
    wanted: '1',
    measured: String(median(frames)),
    ok: median(frames) === 1,
  })
}

export function reportSlowTabs(seen: readonly SlowTab[], tables: Table[], targets: Target[]) {
  tables.push({
    title: 'The other tabs on a slow connection, cold',
    head: ['', 'content after, s', 'app after, s'],
    rows: seen.map(({ tab, seconds, appSeconds }) => [
      tab,
      fixed(seconds, 1),
      fixed(appSeconds, 1),
    ]),
    note: 'A signed-in student if not named otherwise; 50 KB/s, 400 ms, CPU four times as slow. Until the app is there, taps wait for it.',
  })
  const slowest = Math.max(...seen.map(({ seconds }) => seconds))
  targets.push({
    what: 'services (also of a visitor), messages, schedule, me on a slow connection, the slowest',
    wanted: '≤ 4 s',
    measured: `${fixed(slowest, 1)} s`,
    ok: slowest <= 4,
  })
}

type Chunk = { file: string; css?: string[]; imports?: string[]; isEntry?: boolean }

/** Additional transfer of each later screen: its own script and styles, and chunks shared with others. */
export function reportScreens(tables: Table[], targets: Target[]) {
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
    title: `What each further screen adds, ${screens.length} page files`,
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
    what: 'a further screen, on average',
    wanted: '≤ 10 KB',
    measured: `${fixed(average, 1)} KB`,
    ok: average <= 10,
  })
}
