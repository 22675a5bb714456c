import { type Fields, fillControl, listControls, readControl } from '#lib/form-fields.ts'
import { getSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { toast } from '#ui/feedback/toast.tsx'
import { getHistoryEntry } from './history.ts'

type SavedForm = {
  path: string
  /** Empty for a visitor. */
  account: string
  at: number
  scroll: number
  fields: Fields
}

/** Key in session storage, which ends with the browser tab. */
const storageKey = 'keptPage'
const maxAge = 30 * 60_000
/** How long to wait for the form, which may need a server response or a tap to appear. */
const restoreTimeout = 5 * 60_000

/**
 * Saves the form values on the page for this account, because the session is over and the user is about to sign in
 * again.
 */
export const saveForm = () => readForm()()

/**
 * Reads the form values on the page at this path; returns a function that saves them. Never includes passwords, codes
 * or other fields that browsers must not fill in.
 */
export function readForm(path = getHistoryEntry().path) {
  const fields = Object.fromEntries(
    listControls(document).flatMap(([key, control]) => {
      const value = readControl(control)
      return value === '' || value === false ? [] : [[key, value]]
    }),
  )
  const account = getSession()?.accountId ?? ''
  const form: SavedForm = { path, account, at: Date.now(), scroll: scrollY, fields }
  return () => {
    try {
      sessionStorage.setItem(storageKey, JSON.stringify(form))
    } catch {
      // Storage is unavailable: the user has to fill the form in again.
    }
  }
}

/** Restores the form values once the page shows for the same account; values typed before that are kept. */
export function restoreForm() {
  const form = readSavedForm()
  if (!form) return
  const changes = new MutationObserver(restoreFields)
  const timer = setTimeout(stop, restoreTimeout)
  let scrolled = false
  changes.observe(document.body, { childList: true, subtree: true })
  restoreFields()

  function restoreFields() {
    if (!form) return
    const account = getSession()?.accountId ?? ''
    if (account && account !== form.account) return stop()
    if (account !== form.account || getHistoryEntry().path !== form.path) return
    let filled = 0
    for (const [key, control] of listControls(document)) {
      const value = form.fields[key]
      if (value === undefined) continue
      delete form.fields[key]
      if (fillControl(control, value)) filled += 1
    }
    if (filled > 0) toast(m.shell_form_kept())
    if (!scrolled && document.documentElement.scrollHeight >= form.scroll + innerHeight) {
      scrolled = true
      scrollTo(0, form.scroll)
    }
    if (Object.keys(form.fields).length === 0 && scrolled) stop()
  }
  function stop() {
    changes.disconnect()
    clearTimeout(timer)
    try {
      sessionStorage.removeItem(storageKey)
    } catch {
      // The entry expires anyway.
    }
  }
}

function readSavedForm(): SavedForm | undefined {
  try {
    const form: SavedForm = JSON.parse(sessionStorage.getItem(storageKey) ?? '{}')
    return Date.now() - form.at < maxAge ? form : undefined
  } catch {
    return undefined
  }
}
