import { getSession } from '#lib/session.ts'

/** The chosen action and its input, for one task or several. */
export type HandlingInput = {
  action: string
  key: string
  comment: string
  form: Record<string, string>
  files: Record<string, string[]>
  /** if several */
  ids: string[]
}
type StoredHandling = HandlingInput & { of: string; account: string; at: number }

/** In session storage: signing in may reload the page, and the entry ends with the tab. */
const storageKey = 'keptHandling'
const maxAge = 10 * 60_000

/** Stores the input while the member confirms their identity. @param subject the id of a task, or `batch` */
export function storeHandling(subject: string, input: HandlingInput) {
  const account = getSession()?.accountId ?? ''
  const stored: StoredHandling = { ...input, of: subject, account, at: Date.now() }
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(stored))
  } catch {
    // Storage is unavailable: it has to be written again.
  }
}

/** Returns the stored input once, and only to its author. */
export function takeStoredHandling(of: string): HandlingInput | undefined {
  try {
    const text = sessionStorage.getItem(storageKey)
    if (!text) return undefined
    const stored: StoredHandling = JSON.parse(text)
    if (stored.of !== of || !getSession()) return undefined
    sessionStorage.removeItem(storageKey)
    const isValid = stored.account === getSession()?.accountId && Date.now() - stored.at < maxAge
    return isValid ? stored : undefined
  } catch {
    return undefined
  }
}
