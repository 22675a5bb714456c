import { join } from 'node:path'
import { slowRequests, tabRequests, visitorRequests } from './early/tab-requests.ts'

const page = (path: string) => join(import.meta.dirname, 'src/domains', path)
/** The pages of the tabs except home, which is bundled with the app. */
const tabs = {
  services: page('services/services/services-page.tsx'),
  messages: page('work/messages/messages-page.tsx'),
  schedule: page('work/schedule/schedule-page.tsx'),
  personal: page('member/personal/me-page.tsx'),
}
/** Their addresses, as in src/routes/first.ts. */
const addresses = {
  services: '/pages/tab/service/index',
  messages: '/pages/msgCenterTab/newtask/newtask',
  schedule: '/pages/tab/schedule/schedule',
  personal: '/pages/tab/my/my',
} as const

type Module = { importedIds: readonly string[]; code: string | null }
type Graph = { getModuleInfo: (id: string) => Module | null }

/** The tabs that need each module before they are shown; recomputed for every graph, since watch mode changes it. */
let tabsByModule = new Map<string, string[]>()
/** The tabs that use each text. */
const tabsByText = new Map<string, Set<string>>()
let walkedModule: object | null = null

function walk(graph: Graph) {
  tabsByModule = new Map()
  tabsByText.clear()
  for (const [tab, start] of Object.entries(tabs)) {
    const seen = new Set<string>()
    const queue = [start]
    for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
      if (seen.has(id)) continue
      seen.add(id)
      // The index of all texts; the texts really used are found in the code.
      if (id.includes('/paraglide/')) continue
      tabsByModule.set(id, [...(tabsByModule.get(id) ?? []), tab])
      const { importedIds = [], code } = graph.getModuleInfo(id) ?? {}
      queue.push(...importedIds)
      for (const [, name = ''] of (code ?? '').matchAll(/\bm\.(\w+)/g))
        tabsByText.set(name, (tabsByText.get(name) ?? new Set()).add(tab))
    }
  }
}

/**
 * The chunk of a module needed by tabs: the tab's own, or a shared one. Texts have separate chunks, since the route map
 * needs some of them for its titles.
 */
export function tabChunk(id: string, graph: Graph): string | null {
  const start = graph.getModuleInfo(tabs.services)
  if (start !== walkedModule || tabsByModule.size === 0) {
    walkedModule = start
    walk(graph)
  }
  const [, text] = /\/paraglide\/messages\/(\w+)\.js$/.exec(id) ?? []
  if (text) {
    const [tab, secondTab] = tabsByText.get(text) ?? []
    return tab ? (secondTab ? 'tab-texts' : `texts-${tab}`) : null
  }
  const moduleTabs = tabsByModule.get(id)
  if (!moduleTabs) return null
  return moduleTabs.length > 1 ? 'tabs' : `tab-${moduleTabs[0]}`
}

type Chunk = { name?: string; file: string; css?: string[]; imports?: string[]; isEntry?: boolean }
/** Vite's manifest. */
type Manifest = Record<string, Chunk>

/** What a start on each tab fetches besides the app, files and answers; early/early.ts requests it immediately. */
export const tabStarts = (manifest: Manifest) =>
  (Object.keys(tabs) as (keyof typeof tabs)[]).map((tab) => ({
    address: addresses[tab],
    fetches: [
      ...chunkFiles(manifest, `tab-${tab}`).map((file) => `/${file}`),
      ...tabRequests[addresses[tab]],
      ...(slowRequests[addresses[tab]] ?? []),
    ],
  }))

/** The requests of a visitor's start on a tab, by the tab's address. */
export const visitorStarts = Object.fromEntries(
  Object.entries(visitorRequests).map(([address, requests]) => [address, requests.join(' ')]),
)

/** The file of a chunk, and of everything it imports. */
export function chunkFiles(manifest: Manifest, name: string): string[] {
  const start = Object.keys(manifest).find((key) => manifest[key]?.name === name)
  if (!start) throw new Error(`the build has no ${name}`)
  const files = new Set<string>()
  const queue = [start]
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    const chunk = manifest[key]
    if (!chunk || chunk.isEntry || files.has(chunk.file)) continue
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file)
    queue.push(...(chunk.imports ?? []))
  }
  return [...files]
}
