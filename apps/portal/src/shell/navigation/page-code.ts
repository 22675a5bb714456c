import { figures } from '@atrium/rules/figures'
import type { ComponentType } from 'react'
import { findScreen } from './screens.ts'

/**
 * Why the code of a page did not come. `missing`: a new version has taken its place; `failed`: the server is there and does not
 * give it; `timeout`: not within 60 s; `error`: the server was not reached.
 */
type Reason = 'missing' | 'failed' | 'timeout' | 'error'
export class ChunkLoadError extends Error {
  readonly type: Reason
  constructor(type: Reason) {
    super(`page code: ${type}`)
    this.type = type
  }
}

const pages = new Map<string, ComponentType>()
const fetching = new Map<string, Promise<void>>()

/** The page at this path, once its code is here. */
export const pageAt = (path: string) => pages.get(path)

/** Fetches the code of a page, and of the route map where its line is not here yet, once. A failure is forgotten, so that the next try begins anew. */
export function fetchPage(path: string): Promise<void> {
  const under = fetching.get(path)
  if (under) return under
  const started = load(path).finally(() => fetching.delete(path))
  fetching.set(path, started)
  return started
}

/** Whoever asked for a page is told what became of it; other parts of the app fail by themselves. */
export const isFetchingPage = () => fetching.size > 0

/** The same ahead of time, on a guess: nobody waits for it. */
export function guessPage(path: string) {
  if (!pages.has(path)) void fetchPage(path).catch(() => {})
}

const scripts = new Map<string, Promise<void>>()

/** A page waits so long for its code; a script that takes longer is still taken when it comes, and the next try waits for it. */
async function load(path: string) {
  const script =
    scripts.get(path) ??
    within(figures.chunkTimeout, loadScript(path)).finally(() => scripts.delete(path))
  scripts.set(path, script)
  try {
    await within(figures.pageTimeout, script)
  } catch (error) {
    if (error instanceof ChunkLoadError) throw error
    throw new ChunkLoadError(await findReason())
  }
}

async function loadScript(path: string) {
  const code = await (await findScreen(path))?.page()
  if (code) pages.set(path, code.default as ComponentType)
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChunkLoadError('timeout')), milliseconds)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** Whether the server answers well; undefined where it was not reached. */
const askServer = () =>
  fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    (response) => response.ok,
    () => undefined,
  )

async function findReason(): Promise<Reason> {
  const answer = await askServer()
  if (answer === undefined) return 'error'
  return answer ? 'missing' : 'failed'
}

/** Then code that does not come is gone: a new version has taken its place. */
export const serverAnswers = async () => (await askServer()) === true
