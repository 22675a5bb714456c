import { identity } from '@atrium/contract/identity/identity'
import { call } from '#lib/api.ts'
import { recordEvent, recordFailedSignIn } from '#lib/events.ts'
import { setSession } from '#lib/session.ts'
import { ask } from './container.ts'
import { ContainerError } from './events.ts'

let taken = ''

/** Signs in with the id token of the host app, once our server has said that it is good. Rejects where there is none. */
export async function signInByHost() {
  const { idToken } = await ask('sysGetUserToken')
  // It was good and did not last: asking on would go round for ever.
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
