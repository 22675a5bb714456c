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
const loading = new Map<string, Promise<void>>()

/** The page component at this path, if its code is loaded. */
export const findLoadedPage = (path: string) => pages.get(path)

/**
 * Loads the code of a page once, and the route map if the path is not in it yet. A failure is not cached: the next call
 * tries again.
 */
export function loadPage(path: string): Promise<void> {
  const pending = loading.get(path)
  if (pending) return pending
  const request = load(path).finally(() => loading.delete(path))
  loading.set(path, request)
  return request
}

/** True while a page loads. Its caller handles a failure; other chunks fail on their own. */
export const isLoadingPage = () => loading.size > 0

/** Preloads a page on a guess; failures are ignored. */
export function preloadPage(path: string) {
  if (!pages.has(path)) void loadPage(path).catch(() => {})
}

const scripts = new Map<string, Promise<void>>()

/**
 * Stops waiting after `pageTimeout`, but a script that arrives later is still used, and the next attempt waits for it.
 */
async function load(path: string) {
  const script =
    scripts.get(path) ??
    withTimeout(figures.chunkTimeout, loadScript(path)).finally(() => scripts.delete(path))
  scripts.set(path, script)
  try {
    await withTimeout(figures.pageTimeout, script)
  } catch (error) {
    if (error instanceof ChunkLoadError) throw error
    throw new ChunkLoadError(await findReason())
  }
}

async function loadScript(path: string) {
  const code = await (await findScreen(path))?.page()
  if (code) pages.set(path, code.default as ComponentType)
}

async function withTimeout<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChunkLoadError('timeout')), milliseconds)
  })
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}

/** Whether the server responds with success; undefined if it was not reached. */
const pingServer = () =>
  fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    (response) => response.ok,
    () => undefined,
  )

async function findReason(): Promise<Reason> {
  const isOk = await pingServer()
  if (isOk === undefined) return 'error'
  return isOk ? 'missing' : 'failed'
}

/** If true, code that fails to load is gone: a newer version has replaced it. */
export const isServerReachable = async () => (await pingServer()) === true
