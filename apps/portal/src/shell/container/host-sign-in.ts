import { identity } from '@atrium/contract/identity/identity'
import { call } from '#lib/api.ts'
import { recordEvent, recordFailedSignIn } from '#lib/events.ts'
import { setSession } from '#lib/session.ts'
import { ask } from './container.ts'
import { ContainerError } from './events.ts'

let taken = ''

/** Signs in with the host app's ID token after our server has verified it. Rejects if there is none. */
export async function signInByHost() {
  const { idToken } = await ask('sysGetUserToken')
  // This token was accepted and its session has already ended; trying it again would loop forever.
  if (idToken === taken) throw new ContainerError('refused', 'the same token again')
  try {
    await call(identity.verify, { body: { token: idToken } })
  } catch (failure) {
    recordFailedSignIn('hostAppLogin', failure)
    throw failure
  }
  taken = idToken
  setSession(idToken)
  recordEvent('hostAppLogin')
}
