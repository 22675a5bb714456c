import './toast.css'
import { figures } from '@atrium/rules/figures'
import { useSyncExternalStore } from 'react'

type ToastAction = { label: string; run: () => void }
type ToastState = { text: string; action?: ToastAction | undefined }

const noToast: ToastState = { text: '' }
let current = noToast
let timer: ReturnType<typeof setTimeout>
const listeners = new Set<() => void>()

function setToast(next: ToastState) {
  current = next
  for (const listener of listeners) listener()
}

/** Toasts with an action stay long enough to reach the action, by keyboard too. */
const actionDuration = 8000

/** Shows a short message, optionally with an action such as undo. Replaces the previous one. */
export function toast(text: string, action?: ToastAction) {
  clearTimeout(timer)
  setToast({ text, action })
  timer = setTimeout(() => setToast(noToast), action ? actionDuration : figures.toastDuration)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/**
 * The region for toasts; always rendered, so that screen readers announce new ones. An open dialog hides everything
 * outside it from them except `aria-live` regions: `role="status"` alone would be silent then.
 */
export function Toasts() {
  const { text, action } = useSyncExternalStore(subscribe, () => current)
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
                setToast(noToast)
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
