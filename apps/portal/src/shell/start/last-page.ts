import { getSession } from '#lib/session.ts'
import { read, write } from '#lib/storage.ts'
import { onScreenChange } from '#shell/navigation/current-screen.ts'
import { getHistoryEntry } from '#shell/navigation/history.ts'
import { pathOf } from '#shell/navigation/page-stack.ts'
import { findLoadedScreen, findScreen } from '#shell/navigation/screens.ts'

/** Milliseconds; a later start begins on home, since a page from yesterday is not where a day starts. */
const maxAge = 30 * 60_000

/** Areas with transitional pages only. */
const transitionalAreas = ['shell', 'login', 'passwordless']

/** Stores the current page for a start with an empty page stack: a host may end the app's page at any time. */
export function trackLastPage() {
  /** The page shown last, and whose it is. */
  let shown: { key: string; account: string | undefined } | undefined
  const storePage = () => {
    const { path, href, key } = getHistoryEntry()
    const account = getSession()?.accountId
    if (shown?.key !== key || !shown.account) shown = { key, account }
    // A page whose member has signed out is not the next user's.
    if (shown.account !== account) return
    const screen = findLoadedScreen(path)
    if (!screen || transitionalAreas.includes(screen.area)) return
    write('lastPageRoute', href)
    write('lastPageAt', Date.now())
  }
  onScreenChange(storePage)
  addEventListener('pagehide', storePage)
}

/** The page left a short while ago, if the current user may open it. */
export async function findLastPage() {
  const href = read('lastPageRoute') ?? ''
  const isFresh = Date.now() - (read('lastPageAt') ?? 0) < maxAge
  if (!href || !isFresh) return undefined
  const screen = await findScreen(pathOf(href)).catch(() => undefined)
  if (!screen || (screen.access === 'member' && !getSession())) return undefined
  return href
}
