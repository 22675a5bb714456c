import { type Fields, fillControl, listControls, readControl } from '#lib/form-fields.ts'
import { getSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { toast } from '#ui/feedback/toast.tsx'
import { getHistoryEntry } from './history.ts'

type Kept = {
  path: string
  /** Empty for a visitor. */
  account: string
  at: number
  scroll: number
  fields: Fields
}

/** Key in session storage, which ends with the browser tab. */
const stored = 'keptPage'
const keptFor = 30 * 60_000
/** How long to wait for the form, which may need a server response or a tap to appear. */
const waitedFor = 5 * 60_000

/**
 * Saves the form values on the page for this account, because the session is over and the user is about to sign in
 * again.
 */
export const keepPage = () => readPage()()

/**
 * Reads the form values on the page at this path; returns a function that saves them. Never includes passwords, codes
 * or other fields that browsers must not fill in.
 */
export function readPage(path = getHistoryEntry().path) {
  const fields = Object.fromEntries(
    listControls(document).flatMap(([key, control]) => {
      const value = readControl(control)
      return value === '' || value === false ? [] : [[key, value]]
    }),
  )
  const account = getSession()?.accountId ?? ''
  const kept: Kept = { path, account, at: Date.now(), scroll: scrollY, fields }
  return () => {
    try {
      sessionStorage.setItem(stored, JSON.stringify(kept))
    } catch {
      // Storage is unavailable: the user has to fill the form in again.
    }
  }
}

/** Restores the form values once the page shows for the same account; values typed before that are kept. */
export function restorePage() {
  const kept = readKept()
  if (!kept) return
  const changes = new MutationObserver(look)
  const timer = setTimeout(end, waitedFor)
  let scrolled = false
  changes.observe(document.body, { childList: true, subtree: true })
  look()

  function look() {
    if (!kept) return
    const account = getSession()?.accountId ?? ''
    if (account && account !== kept.account) return end()
    if (account !== kept.account || getHistoryEntry().path !== kept.path) return
    let filled = 0
    for (const [key, control] of listControls(document)) {
      const value = kept.fields[key]
      if (value === undefined) continue
      delete kept.fields[key]
      if (fillControl(control, value)) filled += 1
    }
    if (filled > 0) toast(m.shell_form_kept())
    if (!scrolled && document.documentElement.scrollHeight >= kept.scroll + innerHeight) {
      scrolled = true
      scrollTo(0, kept.scroll)
    }
    if (Object.keys(kept.fields).length === 0 && scrolled) end()
  }
  function end() {
    changes.disconnect()
    clearTimeout(timer)
    try {
      sessionStorage.removeItem(stored)
    } catch {
      // The entry expires anyway.
    }
  }
}

function readKept(): Kept | undefined {
  try {
    const kept: Kept = JSON.parse(sessionStorage.getItem(stored) ?? '{}')
    return Date.now() - kept.at < keptFor ? kept : undefined
  } catch {
    return undefined
  }
}
