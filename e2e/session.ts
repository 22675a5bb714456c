import { account } from '@atrium/contract/identity/account'

/** The accounts of the demo institution. */
export type Username = 'student' | 'teacher' | 'staff' | 'admin' | 'editor' | 'reviewer'
export const password = 'Atrium-demo-2026'

/** Playwright's `storageState` for a device where this account has signed in, or nobody. */
export async function storedSession(
  url: string,
  username: string | undefined,
  settings: Record<string, string> = {},
) {
  const stored = { ...(username && { idToken: await idToken(url, username) }), ...settings }
  const localStorage = Object.entries(stored).map(([name, value]) => ({ name, value }))
  return { cookies: [], origins: [{ origin: url, localStorage }] }
}

/** A sign-in counts as proof for ten minutes; that of a long-running worker is older. */
export async function confirmPassword(url: string, username: string) {
  const { method, path } = account.confirm
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { 'x-id-token': await idToken(url, username), 'content-type': 'application/json' },
    body: JSON.stringify({ password }),
  })
  if (!answer.ok) throw new Error(`${username} cannot confirm: ${await answer.text()}`)
}

const tokens = new Map<string, Promise<string>>()

/** One sign-in per account and process: password checks are slow by design. */
export function idToken(url: string, username: string) {
  const key = `${url} ${username}`
  const token = tokens.get(key) ?? signIn(url, username)
  tokens.set(key, token)
  return token
}

async function signIn(url: string, username: string) {
  const answer = await fetch(`${url}/token/password/passwordLogin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  if (!answer.ok) throw new Error(`${username} cannot sign in: ${await answer.text()}`)
  const { data } = (await answer.json()) as { data: { idToken: string } }
  return data.idToken
}
