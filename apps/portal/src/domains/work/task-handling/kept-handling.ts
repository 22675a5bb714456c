import { getSession } from '#lib/session.ts'

/** What was chosen and written, of one task or of several. */
export type Written = {
  action: string
  key: string
  comment: string
  form: Record<string, string>
  files: Record<string, string[]>
  /** of several */
  ids: string[]
}
type Kept = Written & { of: string; account: string; at: number }

/** In session storage: a sign-in may load the page anew, and it is gone with the tab. */
const stored = 'keptHandling'
const keptFor = 10 * 60_000

/** Keeps what was written while the member shows who they are. @param of the id of a task, or `batch` */
export function keepHandling(of: string, written: Written) {
  const account = getSession()?.accountId ?? ''
  const kept: Kept = { ...written, of, account, at: Date.now() }
  try {
    sessionStorage.setItem(stored, JSON.stringify(kept))
  } catch {
    // Then it has to be written again.
  }
}

/** What was written, once, and to whoever wrote it. */
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
