import { identity } from '@atrium/contract/identity/identity'
import { ApiError, call } from '#lib/api.ts'
import { recordEvent, recordFailedSignIn } from '#lib/events.ts'
import { parseToken, setSession } from '#lib/session.ts'
import { leaveFor } from '#shell/navigation/page-exit.ts'
import { joinSearch } from '#shell/navigation/search.ts'
import type { Credential } from './start-address.ts'

/** Who an address wants to sign in, as the server says. */
export type Newcomer = {
  token: string
  account: string
  name: string
  username: string
  /** By a ticket of the central login, rather than a token in the address. */
  byTicket: boolean
}

/** The session first: what is recorded is recorded in its name. */
export function enter({ token, byTicket }: Newcomer) {
  setSession(token)
  recordEvent(byTicket ? 'h5Login' : 'tokenLogin')
}

/** Whose the credential is; undefined where the server does not take it. */
export const verify = (credential: Credential): Promise<Newcomer | undefined> =>
  ask(credential).catch((failure) => {
    recordFailedSignIn(credential.kind === 'ticket' ? 'h5Login' : 'tokenLogin', failure)
    return undefined
  })

async function ask({ kind, value, service }: Credential): Promise<Newcomer | undefined> {
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

/** What went wrong with the login of an outside server has its own page; with our own, the return page says so. */
function problemOf(error: unknown) {
  if (error instanceof ApiError && error.code.startsWith('federation.'))
    return { problem: error.code }
  throw error
}

/** A sign-in that is not through by its ticket alone goes on where one signs in: this start ends here. */
function finishElsewhere(
  service: string,
  fields: { nonce: string } | { problem: string } | { state: string },
): Promise<never> {
  const page = 'state' in fields ? '/pages/login/login' : '/pages/login/bindAccount'
  const returnTarget = new URL(service).searchParams.get('returnTarget') ?? ''
  leaveFor(`${page}${joinSearch({ returnTarget })}#${new URLSearchParams(fields)}`)
  return new Promise(() => {})
}
