import { ourCentralLogin } from '#domains/identity/login/arrival.ts'
import { m } from '#paraglide/messages.js'
import { getPlace } from '#shell/navigation/history.ts'

/** What an outside login sent along, behind the #. It stays there: a page that is loaded again goes on with it. */
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

let over = ''
/** The visit whose sign-in is through: the page is built anew for the member who signed in, and asks for nothing again. */
export const rememberOver = () => {
  over = getPlace().key
}
export const isOver = () => over === getPlace().key

/** What went wrong on the way here, in words. */
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
