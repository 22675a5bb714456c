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
  deleteDraft,
  hasDraft,
  onDraft,
  readDraft,
  writeDraft,
} from '#lib/drafts.ts'
import { type Fields, fillControl, listControls, readControl } from '#lib/form-fields.ts'
import { getSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'

/** Milliseconds after the last input. */
const savedAfter = 400

type Draft = {
  /** Name of the draft, including the id of the edited item, if any. Call `deleteDraft` with it after sending. */
  draft: string
  /** Hides the note about the draft, for a single input that shows its content anyway. */
  quiet?: boolean
}

/** A form whose fields are stored on the device while being filled in, and restored when the user returns. */
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

/** The same for fields outside a form, such as those of a dialog. */
export function DraftFields({ draft, children, ...div }: HTMLAttributes<HTMLDivElement> & Draft) {
  const { root, kept, discard } = useDraftFields<HTMLDivElement>(draft)
  return (
    <div ref={root} {...div}>
      {children}
      {kept ? <DraftNote onDiscard={discard} /> : null}
    </div>
  )
}

/** Says that the input is stored, with a button to discard it. */
export const DraftNote = ({ onDiscard }: { onDiscard: () => void }) => (
  <p className="draft-note muted" role="status">
    {m.ui_draft_kept()}
    <button type="button" className="draft-discard" onClick={onDiscard}>
      {m.ui_draft_discard()}
    </button>
  </p>
)

/** The draft consists of the controls whose values differ from their initial ones. */
function useDraftFields<E extends HTMLElement>(name: string) {
  const root = useRef<E>(null)
  /** The name of the draft and the initial values of the controls. */
  const begun = useRef<{ of?: string; fields: Fields }>({ fields: {} })
  const flush = useRef(() => {})
  const [kept, setKept] = useState(false)
  useEffect(() => {
    const element = root.current
    if (!element) return
    const account = getSession()?.accountId
    let timer: ReturnType<typeof setTimeout> | undefined
    // A tab that was hidden keeps its initial values.
    if (begun.current.of !== name) begun.current = { of: name, fields: fieldsOf(element) }
    const waiting = { ...(readDraft(name) as Fields | undefined) }
    const restore = () => {
      for (const [key, control] of listControls(element)) {
        const value = waiting[key]
        if (value === undefined) continue
        delete waiting[key]
        begun.current.fields[key] ??= typeof value === 'boolean' ? false : ''
        fillControl(control, value)
      }
    }
    setKept(hasDraft(name))
    const save = () => {
      clearTimeout(timer)
      timer = undefined
      // A draft must not be stored after its author has signed out.
      if (getSession()?.accountId !== account) return
      const changed = Object.entries(fieldsOf(element)).filter(
        ([key, value]) => value !== (begun.current.fields[key] ?? (value === false ? false : '')),
      )
      // Keep stored values of controls that are not rendered yet.
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
      // After the redraw, the controls hold the server's values.
      setTimeout(() => {
        begun.current.fields = fieldsOf(element)
      })
    }
    restore()
    // Parts of the form may be rendered later, when something is chosen.
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
  // A layout effect, because the controls must still be in the document to be read.
  useLayoutEffect(() => () => flush.current(), [])
  const discard = () => {
    const element = root.current
    if (!element) return
    for (const [key, control] of listControls(element)) {
      const before = begun.current.fields[key]
      if (before !== undefined) fillControl(control, before)
    }
    deleteDraft(name, 'discarded')
  }
  return { root, kept, discard }
}

const fieldsOf = (root: HTMLElement): Fields =>
  Object.fromEntries(listControls(root).map(([key, control]) => [key, readControl(control)]))
