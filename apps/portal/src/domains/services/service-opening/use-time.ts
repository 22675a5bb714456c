import { services } from '@atrium/contract/services/services'
import { commonHeaders } from '#lib/api.ts'
import { getSession } from '#lib/session.ts'
import { getHistoryEntry, onHistoryChange } from '#shell/navigation/history.ts'

/** Maximum accepted by the endpoint, in seconds. */
const maxSeconds = 86_400

type ServiceUse = {
  serviceId: string
  /** Depth of the page it was opened from; returning there ends the use. */
  depth: number
  entered: boolean
  /** Start of the current visible period; undefined while the page is hidden. */
  since: number | undefined
  milliseconds: number
}
let currentUse: ServiceUse | undefined

/** Measures how long the service opened next is visible, and reports it when the member has left. */
export function measureUse(serviceId: string) {
  endUse()
  if (!getSession()) return
  currentUse = {
    serviceId,
    depth: getHistoryEntry().depth,
    entered: false,
    since: undefined,
    milliseconds: 0,
  }
}

onHistoryChange(() => {
  if (!currentUse) return
  const isDeeper = getHistoryEntry().depth > currentUse.depth
  if (isDeeper) resumeUse(currentUse)
  else if (currentUse.entered) endUse()
  // A tab, or a replaced page: there is no return to detect.
  else currentUse = undefined
})
document.addEventListener('visibilitychange', () => {
  if (!currentUse?.entered) return
  if (document.visibilityState === 'hidden') pauseUse(currentUse)
  else currentUse.since ??= Date.now()
})
addEventListener('pagehide', endUse)

function resumeUse(now: ServiceUse) {
  if (now.entered) return
  now.entered = true
  now.since = Date.now()
}

function pauseUse(now: ServiceUse) {
  if (now.since !== undefined) now.milliseconds += Date.now() - now.since
  now.since = undefined
}

function endUse() {
  if (!currentUse) return
  pauseUse(currentUse)
  const { serviceId, milliseconds } = currentUse
  currentUse = undefined
  const seconds = Math.min(Math.round(milliseconds / 1000), maxSeconds)
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
