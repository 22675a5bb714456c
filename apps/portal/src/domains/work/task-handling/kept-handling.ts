import { getSession } from '#lib/session.ts'

/** The chosen action and its input, for one task or several. */
export type Written = {
  action: string
  key: string
  comment: string
  form: Record<string, string>
  files: Record<string, string[]>
  /** if several */
  ids: string[]
}
type Kept = Written & { of: string; account: string; at: number }

/** In session storage: signing in may reload the page, and the entry ends with the tab. */
const stored = 'keptHandling'
const keptFor = 10 * 60_000

/** Stores the input while the member confirms their identity. @param of the id of a task, or `batch` */
export function keepHandling(of: string, written: Written) {
  const account = getSession()?.accountId ?? ''
  const kept: Kept = { ...written, of, account, at: Date.now() }
  try {
    sessionStorage.setItem(stored, JSON.stringify(kept))
  } catch {
    // Storage is unavailable: it has to be written again.
  }
}

/** Returns the stored input once, and only to its author. */
export function takeHandling(of: string): Written | undefined {
  try {
    const text = sessionStorage.getItem(stored)
    if (!text) return undefined
    const kept: Kept = JSON.parse(text)
    if (kept.of !== of || !getSession()) return undefined
    sessionStorage.removeItem(stored)
    const fits = kept.account === getSession()?.accountId && Date.now() - kept.at < keptFor
    return fits ? kept : undefined
  } catch {
    return undefined
  }
}
