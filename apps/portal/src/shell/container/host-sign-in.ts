import { identity } from '@atrium/contract/identity/identity'
import { call } from '#lib/api.ts'
import { recordEvent, recordFailedSignIn } from '#lib/events.ts'
import { setSession } from '#lib/session.ts'
import { callContainer } from './container.ts'
import { ContainerError } from './events.ts'

let acceptedToken = ''

/** Signs in with the host app's ID token after our server has verified it. Rejects if there is none. */
export async function signInByHost() {
  const { idToken } = await callContainer('sysGetUserToken')
  // This token was accepted and its session has already ended; trying it again would loop forever.
  if (idToken === acceptedToken) throw new ContainerError('refused', 'the same token again')
  try {
    await call(identity.verify, { body: { token: idToken } })
  } catch (failure) {
    recordFailedSignIn('hostAppLogin', failure)
    throw failure
  }
  acceptedToken = idToken
  setSession(idToken)
  recordEvent('hostAppLogin')
}
