import './toast.css'
import { figures } from '@atrium/rules/figures'
import { useSyncExternalStore } from 'react'

type ToastAction = { label: string; run: () => void }
type Shown = { text: string; action?: ToastAction | undefined }

const nothing: Shown = { text: '' }
let shown = nothing
let timer: ReturnType<typeof setTimeout>
const listeners = new Set<() => void>()

function show(next: Shown) {
  shown = next
  for (const listener of listeners) listener()
}

/** With something to press it stays long enough to be reached, by keyboard too. */
const actionDuration = 8000

/** Says something in passing, perhaps with a way to undo it. The next one takes its place. */
export function toast(text: string, action?: ToastAction) {
  clearTimeout(timer)
  show({ text, action })
  timer = setTimeout(() => show(nothing), action ? actionDuration : figures.toastDuration)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/**
 * Where toasts appear; always there, so that screen readers hear what comes. A dialog hides everything beside it from them but
 * what has `aria-live`: a status by its role alone would say nothing while one is open.
 */
export function Toasts() {
  const { text, action } = useSyncExternalStore(subscribe, () => shown)
  return (
    <div className="toasts" role="status" aria-live="polite">
      {text ? (
        <p className={action ? 'toast toast-with-action' : 'toast'}>
          <span>{text}</span>
          {action ? (
            <button
              type="button"
              className="toast-action"
              onClick={() => {
                clearTimeout(timer)
                show(nothing)
                action.run()
              }}
            >
              {action.label}
            </button>
          ) : null}
        </p>
      ) : null}
    </div>
  )
}
