import { identity } from '@atrium/contract/identity'
import { call, onUnauthorised } from '#lib/api.ts'
import { getLanguage } from '#lib/language.ts'
import { getSession, setSession } from '#lib/session.ts'
import { getPlace } from './history.ts'
import { pathOf } from './page-stack.ts'
import { homePath, screenAt } from './screens.ts'

/** The address the central login sends members back to. Redeeming the ticket takes exactly the same string. */
export const returnService = (target: string) =>
  `${location.origin}/page/index/index?returnTarget=${encodeURIComponent(target)}`

/** Leaves for the central login, which comes back to `target`, an address of the app. The page left is not gone back to. */
export function signIn(target = getPlace().href) {
  const search = new URLSearchParams({ service: returnService(target), lang: getLanguage() })
  location.replace(`/cas/login?${search}`)
}

/** Ends the session here and at the server, and the central one with it. */
export async function signOut() {
  let end = homePath()
  try {
    end = (await call(identity.logout)).logoutUrl || end
  } catch {
    // The server cannot be told; here the session ends all the same.
  }
  setSession(null)
  location.replace(end)
}

/** Where a member may be sent after signing in: one of our own screens, else home. */
export const safeTarget = (target: string | undefined) =>
  target && screenAt(pathOf(target)) ? target : homePath()

// The server no longer takes the token. What needs a member goes to the login; what guests may see too shows itself to a guest.
onUnauthorised((endpoint) => {
  if (getSession()) setSession(null)
  if (endpoint.access !== 'guest') signIn()
})
