import { services } from '@atrium/contract/services/services'
import { commonHeaders } from '#lib/api.ts'
import { getSession } from '#lib/session.ts'
import { getHistoryEntry, onHistoryChange } from '#shell/navigation/history.ts'

/** Maximum accepted by the endpoint, in seconds. */
const longest = 86_400

type Use = {
  serviceId: string
  /** Depth of the page it was opened from; returning there ends the use. */
  depth: number
  entered: boolean
  /** Start of the current visible period; undefined while the page is hidden. */
  since: number | undefined
  milliseconds: number
}
let use: Use | undefined

/** Measures how long the service opened next is visible, and reports it when the member has left. */
export function measureUse(serviceId: string) {
  end()
  if (!getSession()) return
  use = {
    serviceId,
    depth: getHistoryEntry().depth,
    entered: false,
    since: undefined,
    milliseconds: 0,
  }
}

onHistoryChange(() => {
  if (!use) return
  const isDeeper = getHistoryEntry().depth > use.depth
  if (isDeeper) enter(use)
  else if (use.entered) end()
  // A tab, or a replaced page: there is no return to detect.
  else use = undefined
})
document.addEventListener('visibilitychange', () => {
  if (!use?.entered) return
  if (document.visibilityState === 'hidden') pauseUse(use)
  else use.since ??= Date.now()
})
addEventListener('pagehide', end)

function enter(now: Use) {
  if (now.entered) return
  now.entered = true
  now.since = Date.now()
}

function pauseUse(now: Use) {
  if (now.since !== undefined) now.milliseconds += Date.now() - now.since
  now.since = undefined
}

function end() {
  if (!use) return
  pauseUse(use)
  const { serviceId, milliseconds } = use
  use = undefined
  const seconds = Math.min(Math.round(milliseconds / 1000), longest)
  const session = getSession()
  if (seconds < 1 || !session) return
  const { method, path } = services.saveUseTime
  // keepalive, so that it outlasts the page; a failure does not matter.
  fetch(path, {
    method,
    headers: commonHeaders(session, true),
    body: JSON.stringify({ serviceId, seconds }),
    keepalive: true,
  }).catch(() => {})
}
