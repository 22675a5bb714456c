import { figures } from '@atrium/rules/figures'
import type { ComponentType } from 'react'
import { findScreen } from './screens.ts'

/**
 * Why the code of a page could not be loaded. `missing`: a newer version replaced it; `failed`: the server responds
 * with an error; `timeout`: not within 60 s; `error`: the server was not reached.
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

/** The page component at this path, if its code is loaded. */
export const pageAt = (path: string) => pages.get(path)

/**
 * Loads the code of a page once, and the route map if the path is not in it yet. A failure is not cached: the next call
 * tries again.
 */
export function fetchPage(path: string): Promise<void> {
  const under = fetching.get(path)
  if (under) return under
  const started = load(path).finally(() => fetching.delete(path))
  fetching.set(path, started)
  return started
}

/** True while a page loads. Its caller handles a failure; other chunks fail on their own. */
export const isFetchingPage = () => fetching.size > 0

/** Preloads a page on a guess; failures are ignored. */
export function guessPage(path: string) {
  if (!pages.has(path)) void fetchPage(path).catch(() => {})
}

const scripts = new Map<string, Promise<void>>()

/**
 * Stops waiting after `pageTimeout`, but a script that arrives later is still used, and the next attempt waits for it.
 */
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

/** Whether the server responds with success; undefined if it was not reached. */
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

/** If true, code that fails to load is gone: a newer version has replaced it. */
export const serverAnswers = async () => (await askServer()) === true
