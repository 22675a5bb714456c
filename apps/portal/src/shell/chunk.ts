import { figures } from '@atrium/rules/figures'
import type { ComponentType } from 'react'

/** The code of a page did not come: `missing` once a new version has taken its place, `timeout` after 60 s, else `error`. */
export class ChunkLoadError extends Error {
  readonly type: 'missing' | 'error' | 'timeout'
  constructor(type: 'missing' | 'error' | 'timeout') {
    super(`page code: ${type}`)
    this.type = type
  }
}

type Page = { default: ComponentType }

/** Fetches the code of a page, or says in which of three ways it failed. */
export async function loadPage(page: () => Promise<{ default: unknown }>): Promise<Page> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChunkLoadError('timeout')), figures.pageTimeout)
  })
  try {
    return (await Promise.race([page(), late])) as Page
  } catch (error) {
    if (error instanceof ChunkLoadError) throw error
    const type = (await serverAnswers()) ? 'missing' : 'error'
    if (type === 'missing' && mayReload()) {
      location.reload()
      return new Promise<never>(() => {})
    }
    throw new ChunkLoadError(type)
  } finally {
    clearTimeout(timer)
  }
}

const serverAnswers = () =>
  fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    (response) => response.ok,
    () => false,
  )

/** A new version is fetched by reloading, once a minute at most: a broken one must not reload for ever. */
function mayReload() {
  try {
    const last = Number(sessionStorage.getItem('reloadedAt'))
    sessionStorage.setItem('reloadedAt', String(Date.now()))
    return Date.now() - last > 60_000
  } catch {
    return false
  }
}
