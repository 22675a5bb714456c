import { getSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { toast } from '#ui/feedback/toast.tsx'
import { getPlace } from './history.ts'

type Kept = {
  path: string
  /** Empty for a visitor. */
  account: string
  at: number
  scroll: number
  fields: Record<string, string | boolean>
}

/** In session storage: gone with the tab. */
const stored = 'keptPage'
const keptFor = 30 * 60_000
/** A form may come with an answer of the server, or be opened by a tap. */
const waitedFor = 5 * 60_000

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** Remembers what is filled in on the page, for whoever is here alone: the session is over, and they are about to sign in again. */
export const keepPage = () => readPage()()

/**
 * Reads what is filled in on the page at this path, and answers how to remember it. Passwords, codes and whatever else is not to
 * be filled in by a browser are never kept.
 */
export function readPage(path = getPlace().path) {
  const fields = Object.fromEntries(
    controls().flatMap(([key, control]) => {
      const value = stateOf(control)
      return value === '' || value === false ? [] : [[key, value]]
    }),
  )
  const account = getSession()?.accountId ?? ''
  const kept: Kept = { path, account, at: Date.now(), scroll: scrollY, fields }
  return () => {
    try {
      sessionStorage.setItem(stored, JSON.stringify(kept))
    } catch {
      // Then it has to be filled in again.
    }
  }
}

/** Puts back what was filled in, once its page shows to the same person; what they have typed by then stays. */
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
    if (account !== kept.account || getPlace().path !== kept.path) return
    let filled = 0
    for (const [key, control] of controls()) {
      const value = kept.fields[key]
      if (value === undefined) continue
      delete kept.fields[key]
      if (fill(control, value)) filled += 1
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
      // It runs out by itself.
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

/** Whatever can be filled in, each under a name that it has again when the page is drawn anew. */
function controls(): [string, Control][] {
  const seen = new Map<string, number>()
  return Array.from(document.querySelectorAll<Control>('input, textarea, select'))
    .filter(mayBeKept)
    .map((control) => {
      const words = control.getAttribute('aria-label') ?? control.labels?.[0]?.textContent ?? ''
      const choice = control.type === 'radio' ? control.value : ''
      const name = [control.type, control.name, words.trim(), choice].join(' ')
      const nth = seen.get(name) ?? 0
      seen.set(name, nth + 1)
      return [`${name} ${nth}`, control]
    })
}

const neverKept = ['password', 'hidden', 'file', 'submit', 'button', 'image', 'reset']
const mayBeKept = ({ type, autocomplete, disabled }: Control) =>
  !neverKept.includes(type) && !disabled && !/off|one-time-code|password|cc-/.test(autocomplete)

const isTicked = (control: Control): control is HTMLInputElement =>
  control.type === 'checkbox' || control.type === 'radio'
const stateOf = (control: Control) => (isTicked(control) ? control.checked : control.value)

/** As if it was typed, so that whatever listens hears of it. */
function fill(control: Control, value: string | boolean) {
  if (stateOf(control) === value) return false
  if (isTicked(control)) {
    control.click()
    return true
  }
  // React watches the property on the element itself; the one below it is what a person changes.
  const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set
  setter?.call(control, value)
  control.dispatchEvent(new Event('input', { bubbles: true }))
  control.dispatchEvent(new Event('change', { bubbles: true }))
  return true
}
