import { ourCentralLogin } from '#domains/identity/login/arrival.ts'
import { m } from '#paraglide/messages.js'
import { getHistoryEntry } from '#shell/navigation/history.ts'

/** The data an external login passed in the address's hash. It stays there, so that a reload continues. */
export type Arrival = { nonce: string; problem: string; provider: string; onwards: string }

export function readArrival(): Arrival {
  const fields = new URLSearchParams(location.hash.slice(1))
  const nonce = fields.get('nonce') ?? ''
  return {
    nonce,
    problem: fields.get('problem') ?? (nonce ? '' : 'federation.expired'),
    provider: fields.get('provider') ?? '',
    onwards: ourCentralLogin(fields.get('onwards') ?? ''),
  }
}

let completedVisit = ''
/** Marks this visit as completed: the page is rebuilt for the signed-in member and must not sign in again. */
export const markCompleted = () => {
  completedVisit = getHistoryEntry().key
}
export const isCompleted = () => completedVisit === getHistoryEntry().key

/** The error message for a failed external login. */
export function problemText(code: string): string {
  switch (code) {
    case 'federation.unavailable':
      return m.federation_unavailable()
    case 'federation.refused':
      return m.federation_refused()
    case 'federation.no_account':
      return m.federation_no_account()
    case 'login.way_off':
      return m.federation_way_off()
    default:
      return m.federation_expired()
  }
}
