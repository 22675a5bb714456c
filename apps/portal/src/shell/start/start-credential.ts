import { identity } from '@atrium/contract/identity/identity'
import { ApiError, call } from '#lib/api.ts'
import { recordEvent, recordFailedSignIn } from '#lib/events.ts'
import { parseToken, setSession } from '#lib/session.ts'
import { leaveTo } from '#shell/navigation/page-exit.ts'
import { joinSearch } from '#shell/navigation/search.ts'
import type { Credential } from './start-address.ts'

/** The member that the credential in the address belongs to, as verified by the server. */
export type VerifiedMember = {
  token: string
  account: string
  name: string
  username: string
  /** By a ticket of the central login, rather than a token in the address. */
  byTicket: boolean
}

/** Sets the session first, so that the event is recorded in its name. */
export function startSession({ token, byTicket }: VerifiedMember) {
  setSession(token)
  recordEvent(byTicket ? 'h5Login' : 'tokenLogin')
}

/** Verifies the credential; undefined if the server rejects it. */
export const verifyCredential = (credential: Credential): Promise<VerifiedMember | undefined> =>
  resolveMember(credential).catch((failure) => {
    recordFailedSignIn(credential.kind === 'ticket' ? 'h5Login' : 'tokenLogin', failure)
    return undefined
  })

async function resolveMember({
  kind,
  value,
  service,
}: Credential): Promise<VerifiedMember | undefined> {
  if (kind === 'token') {
    const { accountId, name, username } = await call(identity.verify, { body: { token: value } })
    return { token: value, account: accountId, name, username, byTicket: false }
  }
  const answer = await call(identity.redeemTicket, { body: { ticket: value, service } }).catch(
    (error) => finishElsewhere(service, problemOf(error)),
  )
  if ('nonce' in answer) return finishElsewhere(service, { nonce: answer.nonce })
  if ('due' in answer) return finishElsewhere(service, { state: answer.state })
  const { idToken } = answer
  const session = parseToken(idToken)
  if (!session) return undefined
  const { accountId, name, username } = session
  return { token: idToken, account: accountId, name, username, byTicket: true }
}

/** Errors with an external login have their own page; errors with our own are shown on the return page. */
function problemOf(error: unknown) {
  if (error instanceof ApiError && error.code.startsWith('federation.'))
    return { problem: error.code }
  throw error
}

/** A sign-in that needs more than its ticket continues on a login page; this start ends here. */
function finishElsewhere(
  service: string,
  fields: { nonce: string } | { problem: string } | { state: string },
): Promise<never> {
  const page = 'state' in fields ? '/pages/login/login' : '/pages/login/bindAccount'
  const returnTarget = new URL(service).searchParams.get('returnTarget') ?? ''
  leaveTo(`${page}${joinSearch({ returnTarget })}#${new URLSearchParams(fields)}`)
  return new Promise(() => {})
}
