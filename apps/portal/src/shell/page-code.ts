import { figures } from '@atrium/rules/figures'
import type { ComponentType } from 'react'
import { findScreen } from './screens.ts'

/** The code of a page did not come: `missing` once a new version has taken its place, `timeout` after 60 s, else `error`. */
export class ChunkLoadError extends Error {
  readonly type: 'missing' | 'error' | 'timeout'
  constructor(type: 'missing' | 'error' | 'timeout') {
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

/** The same ahead of time, on a guess: nobody waits for it. */
export function guessPage(path: string) {
  if (!pages.has(path)) void fetchPage(path).catch(() => {})
}

async function load(path: string) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChunkLoadError('timeout')), figures.pageTimeout)
  })
  try {
    const code = await Promise.race([findScreen(path).then((screen) => screen?.page()), late])
    if (code) pages.set(path, code.default as ComponentType)
  } catch (error) {
    if (error instanceof ChunkLoadError) throw error
    throw new ChunkLoadError((await serverAnswers()) ? 'missing' : 'error')
  } finally {
    clearTimeout(timer)
  }
}

const serverAnswers = () =>
  fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    (response) => response.ok,
    () => false,
  )
