import './toast.css'
import { figures } from '@atrium/rules/figures'
import { useRef, useSyncExternalStore } from 'react'

type ToastAction = { label: string; run: () => void }
type ToastState = { id: number; text: string; action?: ToastAction | undefined }

const noToast: ToastState = { id: 0, text: '' }
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
  setToast({ id: current.id + 1, text, action })
  startTimer()
}

function startTimer() {
  clearTimeout(timer)
  const duration = current.action ? actionDuration : figures.toastDuration
  timer = setTimeout(hide, duration)
}
const stopTimer = () => clearTimeout(timer)

function hide() {
  clearTimeout(timer)
  setToast({ ...noToast, id: current.id })
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/**
 * The region for toasts; always rendered, so that screen readers announce new ones. An open dialog hides everything
 * outside it from them except `aria-live` regions: `role="status"` alone would be silent then. A toast stays while its
 * action has the focus or the pointer is on it.
 */
export function Toasts() {
  const { id, text, action } = useSyncExternalStore(subscribe, () => current)
  const before = useRef<Element | null>(null)
  const act = ({ run }: ToastAction) => {
    hide()
    run()
    // Back to where the person was; the pressed button is gone.
    if (before.current?.isConnected) (before.current as HTMLElement).focus()
  }
  return (
    <div className="toasts" role="status" aria-live="polite">
      {text ? (
        // The key, so that the same text is announced again.
        <p
          key={id}
          className={action ? 'toast toast-with-action' : 'toast'}
          onPointerEnter={stopTimer}
          onPointerLeave={startTimer}
          onFocus={(event) => {
            stopTimer()
            before.current = event.relatedTarget
          }}
          onBlur={startTimer}
        >
          <span>{text}</span>
          {action ? (
            <button type="button" className="toast-action" onClick={() => act(action)}>
              {action.label}
            </button>
          ) : null}
        </p>
      ) : null}
    </div>
  )
}
