import { services } from '@atrium/contract/services/services'
import { commonHeaders } from '#lib/api.ts'
import { getSession } from '#lib/session.ts'
import { getPlace, onPlace } from '#shell/navigation/history.ts'

/** The limit of the call, in seconds. */
const longest = 86_400

type Use = {
  serviceId: string
  /** The depth of the page it was opened from: back there, the use is over. */
  depth: number
  entered: boolean
  /** When it was last looked at; undefined while the page is hidden. */
  since: number | undefined
  milliseconds: number
}
let use: Use | undefined

/** Measures how long the service that opens next can be seen, and tells the server when the member has left it. */
export function measureUse(serviceId: string) {
  end()
  if (!getSession()) return
  use = { serviceId, depth: getPlace().depth, entered: false, since: undefined, milliseconds: 0 }
}

onPlace(() => {
  if (!use) return
  const isDeeper = getPlace().depth > use.depth
  if (isDeeper) enter(use)
  else if (use.entered) end()
  // A tab, or another page in the place of this one: nothing to come back from.
  else use = undefined
})
document.addEventListener('visibilitychange', () => {
  if (!use?.entered) return
  if (document.visibilityState === 'hidden') pause(use)
  else use.since ??= Date.now()
})
addEventListener('pagehide', end)

function enter(now: Use) {
  if (now.entered) return
  now.entered = true
  now.since = Date.now()
}

function pause(now: Use) {
  if (now.since !== undefined) now.milliseconds += Date.now() - now.since
  now.since = undefined
}

function end() {
  if (!use) return
  pause(use)
  const { serviceId, milliseconds } = use
  use = undefined
  const seconds = Math.min(Math.round(milliseconds / 1000), longest)
  const session = getSession()
  if (seconds < 1 || !session) return
  const { method, path } = services.saveUseTime
  // It outlives the page; without a network nobody misses it.
  fetch(path, {
    method,
    headers: commonHeaders(session, true),
    body: JSON.stringify({ serviceId, seconds }),
    keepalive: true,
  }).catch(() => {})
}
