import './draft-form.css'
import {
  type FormHTMLAttributes,
  type HTMLAttributes,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import {
  type DraftEvent,
  dropDraft,
  hasDraft,
  onDraft,
  readDraft,
  writeDraft,
} from '#lib/drafts.ts'
import { controlsIn, type Fields, fill, stateOf } from '#lib/form-fields.ts'
import { getSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'

/** After the last key, in ms. */
const savedAfter = 400

type Draft = {
  /** Names it among all drafts, with the id of what is changed where something is. `dropDraft` of it says that it was sent. */
  draft: string
  /** Without words about it: a line to type in shows what it holds. */
  quiet?: boolean
}

/** A form whose fields are kept on the device while they are filled in, and are there again when one comes back. */
export function DraftForm({
  draft,
  quiet,
  children,
  ...form
}: FormHTMLAttributes<HTMLFormElement> & Draft) {
  const { root, kept, discard } = useDraftFields<HTMLFormElement>(draft)
  return (
    <form ref={root} {...form}>
      {children}
      {kept && !quiet ? <DraftNote onDiscard={discard} /> : null}
    </form>
  )
}

/** The same for fields that are no form of their own: those of a dialog, say. */
export function DraftFields({ draft, children, ...div }: HTMLAttributes<HTMLDivElement> & Draft) {
  const { root, kept, discard } = useDraftFields<HTMLDivElement>(draft)
  return (
    <div ref={root} {...div}>
      {children}
      {kept ? <DraftNote onDiscard={discard} /> : null}
    </div>
  )
}

/** Says that what is filled in is kept, and takes it back. */
export const DraftNote = ({ onDiscard }: { onDiscard: () => void }) => (
  <p className="draft-note muted" role="status">
    {m.ui_draft_kept()}
    <button type="button" className="draft-discard" onClick={onDiscard}>
      {m.ui_draft_discard()}
    </button>
  </p>
)

/** What stands in the controls differs from what they began with: that much is the draft. */
function useDraftFields<E extends HTMLElement>(name: string) {
  const root = useRef<E>(null)
  /** Of which draft, and what stood there before anything was filled in. */
  const begun = useRef<{ of?: string; fields: Fields }>({ fields: {} })
  const flush = useRef(() => {})
  const [kept, setKept] = useState(false)
  useEffect(() => {
    const element = root.current
    if (!element) return
    const account = getSession()?.accountId
    let timer: ReturnType<typeof setTimeout> | undefined
    // A tab that was asleep goes on with what it had.
    if (begun.current.of !== name) begun.current = { of: name, fields: fieldsOf(element) }
    const waiting = { ...(readDraft(name) as Fields | undefined) }
    const restore = () => {
      for (const [key, control] of controlsIn(element)) {
        const value = waiting[key]
        if (value === undefined) continue
        delete waiting[key]
        begun.current.fields[key] ??= typeof value === 'boolean' ? false : ''
        fill(control, value)
      }
    }
    setKept(hasDraft(name))
    const save = () => {
      clearTimeout(timer)
      timer = undefined
      // Whoever signs out takes what they wrote along.
      if (getSession()?.accountId !== account) return
      const changed = Object.entries(fieldsOf(element)).filter(
        ([key, value]) => value !== (begun.current.fields[key] ?? (value === false ? false : '')),
      )
      // What waits for a control that is not on the screen yet goes on waiting.
      const fields = { ...waiting, ...Object.fromEntries(changed) }
      const some = Object.keys(fields).length > 0
      if (some || hasDraft(name)) writeDraft(name, fields)
      if (!some) setKept(false)
    }
    const later = () => {
      clearTimeout(timer)
      timer = setTimeout(save, savedAfter)
    }
    const leave = () => {
      if (timer) save()
    }
    flush.current = leave
    const hear = (event: DraftEvent) => {
      if (event === 'kept') return setKept(true)
      clearTimeout(timer)
      timer = undefined
      for (const key of Object.keys(waiting)) delete waiting[key]
      setKept(false)
      // What stands there once it is drawn is what the server has.
      setTimeout(() => {
        begun.current.fields = fieldsOf(element)
      })
    }
    restore()
    // A part of the form may come later, when something is chosen.
    const parts = new MutationObserver(restore)
    if (Object.keys(waiting).length > 0) parts.observe(element, { childList: true, subtree: true })
    const stopListening = onDraft(name, hear)
    element.addEventListener('input', later)
    element.addEventListener('change', later)
    addEventListener('pagehide', leave)
    return () => {
      clearTimeout(timer)
      parts.disconnect()
      stopListening()
      element.removeEventListener('input', later)
      element.removeEventListener('change', later)
      removeEventListener('pagehide', leave)
    }
  }, [name])
  // While the controls are still there to be read.
  useLayoutEffect(() => () => flush.current(), [])
  const discard = () => {
    const element = root.current
    if (!element) return
    for (const [key, control] of controlsIn(element)) {
      const before = begun.current.fields[key]
      if (before !== undefined) fill(control, before)
    }
    dropDraft(name, 'discarded')
  }
  return { root, kept, discard }
}

const fieldsOf = (root: HTMLElement): Fields =>
  Object.fromEntries(controlsIn(root).map(([key, control]) => [key, stateOf(control)]))
