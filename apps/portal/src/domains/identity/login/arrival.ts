import { getPlace } from '#shell/navigation/history.ts'
import { back, depth, go } from '#shell/navigation/navigation.ts'
import { leaveFor } from '#shell/navigation/page-exit.ts'
import { pathOf } from '#shell/navigation/page-stack.ts'
import { isTab } from '#shell/navigation/screens.ts'
import { safeTarget } from '#shell/sign-in/sign-in.ts'

/** What the central login sent along: a sign-in under way, and where it goes on afterwards. */
export type Arrival = { state: string; onwards: string }

/** By visit: whoever looks something up meanwhile comes back to what the visit came with. */
const arrivals = new Map<string, Arrival>()

/** What this visit came with, also once the page is built anew for the member who signed in. */
export function readArrival(): Arrival {
  const visit = getPlace().key
  const known = arrivals.get(visit)
  if (known && !location.hash) return known
  const fields = new URLSearchParams(location.hash.slice(1))
  const arrival = {
    state: fields.get('state') ?? '',
    onwards: ourCentralLogin(fields.get('onwards') ?? ''),
  }
  arrivals.set(visit, arrival)
  return arrival
}

/** Another page of the login, which goes on to the same place afterwards. */
export const carryOn = (href: string, { onwards }: Arrival) =>
  onwards ? `${href}#${new URLSearchParams({ onwards })}` : href

/** Takes it out of the address, and the state is asked about once. */
export function forgetArrival() {
  const visit = getPlace().key
  const known = arrivals.get(visit)
  if (known) arrivals.set(visit, { ...known, state: '' })
  history.replaceState(history.state, '', location.pathname + location.search)
}

/** The address, if it is the central login's of this very origin; nothing otherwise. */
export function ourCentralLogin(address: string) {
  if (!address || !URL.canParse(address, location.origin)) return ''
  const { origin, pathname, search } = new URL(address, location.origin)
  return origin === location.origin && pathname === '/cas/login' ? pathname + search : ''
}

/** On to where one wanted to go, in the place of this page; else back to where one came from. */
export function leave(returnTarget: string | undefined, onwards: string) {
  const service = new URLSearchParams(onwards.split('?')[1]).get('service') ?? ''
  const portal = new URL(service || '/', location.origin)
  // Our own portal has its session by now and needs no ticket.
  if (onwards && !(portal.origin === location.origin && portal.pathname === '/page/index/index'))
    return leaveFor(onwards)
  const wanted = onwards ? (portal.searchParams.get('returnTarget') ?? '') : returnTarget
  if (wanted === undefined && depth() > 0) return back()
  const target = safeTarget(wanted)
  go(isTab(pathOf(target)) ? 'switchTab' : 'redirect', target)
}
