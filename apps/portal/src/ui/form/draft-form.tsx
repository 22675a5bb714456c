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
const saveDelay = 400

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
  const { root, isStored, discard } = useDraftFields<HTMLFormElement>(draft)
  return (
    <form ref={root} {...form}>
      {children}
      {isStored && !quiet ? <DraftNote onDiscard={discard} /> : null}
    </form>
  )
}

/** The same for fields outside a form, such as those of a dialog. */
export function DraftFields({ draft, children, ...div }: HTMLAttributes<HTMLDivElement> & Draft) {
  const { root, isStored, discard } = useDraftFields<HTMLDivElement>(draft)
  return (
    <div ref={root} {...div}>
      {children}
      {isStored ? <DraftNote onDiscard={discard} /> : null}
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
  const initial = useRef<{ of?: string; fields: Fields }>({ fields: {} })
  const flush = useRef(() => {})
  const [isStored, setIsStored] = useState(false)
  useEffect(() => {
    const element = root.current
    if (!element) return
    const account = getSession()?.accountId
    let timer: ReturnType<typeof setTimeout> | undefined
    // A tab that was hidden keeps its initial values.
    if (initial.current.of !== name) initial.current = { of: name, fields: fieldsOf(element) }
    const unrestored = { ...(readDraft(name) as Fields | undefined) }
    const restore = () => {
      for (const [key, control] of listControls(element)) {
        const value = unrestored[key]
        if (value === undefined) continue
        delete unrestored[key]
        initial.current.fields[key] ??= typeof value === 'boolean' ? false : ''
        fillControl(control, value)
      }
    }
    setIsStored(hasDraft(name))
    const save = () => {
      clearTimeout(timer)
      timer = undefined
      // A draft must not be stored after its author has signed out.
      if (getSession()?.accountId !== account) return
      const changed = Object.entries(fieldsOf(element)).filter(
        ([key, value]) => value !== (initial.current.fields[key] ?? (value === false ? false : '')),
      )
      // Keep stored values of controls that are not rendered yet.
      const fields = { ...unrestored, ...Object.fromEntries(changed) }
      const hasChanges = Object.keys(fields).length > 0
      if (hasChanges || hasDraft(name)) writeDraft(name, fields)
      if (!hasChanges) setIsStored(false)
    }
    const scheduleSave = () => {
      clearTimeout(timer)
      timer = setTimeout(save, saveDelay)
    }
    const saveNow = () => {
      if (timer) save()
    }
    flush.current = saveNow
    const onEvent = (event: DraftEvent) => {
      if (event === 'stored') return setIsStored(true)
      clearTimeout(timer)
      timer = undefined
      for (const key of Object.keys(unrestored)) delete unrestored[key]
      setIsStored(false)
      // After the redraw, the controls hold the server's values.
      setTimeout(() => {
        initial.current.fields = fieldsOf(element)
      })
    }
    restore()
    // Parts of the form may be rendered later, when something is chosen.
    const parts = new MutationObserver(restore)
    if (Object.keys(unrestored).length > 0)
      parts.observe(element, { childList: true, subtree: true })
    const stopListening = onDraft(name, onEvent)
    element.addEventListener('input', scheduleSave)
    element.addEventListener('change', scheduleSave)
    addEventListener('pagehide', saveNow)
    return () => {
      clearTimeout(timer)
      parts.disconnect()
      stopListening()
      element.removeEventListener('input', scheduleSave)
      element.removeEventListener('change', scheduleSave)
      removeEventListener('pagehide', saveNow)
    }
  }, [name])
  // A layout effect, because the controls must still be in the document to be read.
  useLayoutEffect(() => () => flush.current(), [])
  const discard = () => {
    const element = root.current
    if (!element) return
    for (const [key, control] of listControls(element)) {
      const initialValue = initial.current.fields[key]
      if (initialValue !== undefined) fillControl(control, initialValue)
    }
    deleteDraft(name, 'discarded')
  }
  return { root, isStored, discard }
}

const fieldsOf = (root: HTMLElement): Fields =>
  Object.fromEntries(listControls(root).map(([key, control]) => [key, readControl(control)]))
