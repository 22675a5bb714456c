import { getHistoryEntry } from '#shell/navigation/history.ts'
import { back, depth, performNavigation } from '#shell/navigation/navigation.ts'
import { leaveTo } from '#shell/navigation/page-exit.ts'
import { pathOf } from '#shell/navigation/page-stack.ts'
import { isTab } from '#shell/navigation/screens.ts'
import { safeTarget } from '#shell/sign-in/sign-in.ts'

/** Data from the central login: the state of a pending sign-in, and where to continue afterwards. */
export type Arrival = { state: string; onwards: string }

/** By visit, so that a user who looks at another page and returns still has it. */
const arrivals = new Map<string, Arrival>()

/** The arrival data of this visit, also after the page is rebuilt for the signed-in member. */
export function readArrival(): Arrival {
  const visit = getHistoryEntry().key
  const stored = arrivals.get(visit)
  if (stored && !location.hash) return stored
  const fields = new URLSearchParams(location.hash.slice(1))
  const arrival = {
    state: fields.get('state') ?? '',
    onwards: ourCentralLogin(fields.get('onwards') ?? ''),
  }
  arrivals.set(visit, arrival)
  return arrival
}

/** The address of another login page that continues to the same place. */
export const withArrival = (href: string, { onwards }: Arrival) =>
  onwards ? `${href}#${new URLSearchParams({ onwards })}` : href

/** Removes the data from the address; the state is queried only once. */
export function clearArrival() {
  const visit = getHistoryEntry().key
  const stored = arrivals.get(visit)
  if (stored) arrivals.set(visit, { ...stored, state: '' })
  history.replaceState(history.state, '', location.pathname + location.search)
}

/** The address, if it is the central login of this origin; otherwise empty. */
export function ourCentralLogin(address: string) {
  if (!address || !URL.canParse(address, location.origin)) return ''
  const { origin, pathname, search } = new URL(address, location.origin)
  return origin === location.origin && pathname === '/cas/login' ? pathname + search : ''
}

/** Replaces this page with the wanted one, or goes back to where the user came from. */
export function leaveLogin(returnTarget: string | undefined, onwards: string) {
  const service = new URLSearchParams(onwards.split('?')[1]).get('service') ?? ''
  const portal = new URL(service || '/', location.origin)
  // Our own portal already has its session and needs no ticket.
  if (onwards && !(portal.origin === location.origin && portal.pathname === '/page/index/index'))
    return leaveTo(onwards)
  const requested = onwards ? (portal.searchParams.get('returnTarget') ?? '') : returnTarget
  if (requested === undefined && depth() > 0) return back()
  const target = safeTarget(requested)
  performNavigation(isTab(pathOf(target)) ? 'switchTab' : 'redirect', target)
}
