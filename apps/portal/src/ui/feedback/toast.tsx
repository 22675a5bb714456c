import './toast.css'
import { figures } from '@atrium/rules/figures'
import { type KeyboardEvent, useRef, useSyncExternalStore } from 'react'
import { isPointing } from '../last-input.ts'

type ToastAction = {
  label: string
  run: () => void
  /** Stops the time of what `run` takes back, while the toast is held. @returns lets it run again */
  hold?: () => () => void
}
type ToastState = { id: number; text: string; action?: ToastAction | undefined }

const noToast: ToastState = { id: 0, text: '' }
let current = noToast
let timer: ReturnType<typeof setTimeout>
/** Of the action, while the toast is held. */
let release: (() => void) | undefined
const listeners = new Set<() => void>()

function setToast(next: ToastState) {
  releaseAction()
  current = next
  for (const listener of listeners) listener()
}

/** Toasts with an action stay long enough to reach the action. */
const actionDuration = 8000
/** By keyboard it is many stops away, so there is ten times as much time (WCAG 2.2.1). */
const keyboardDuration = 10 * actionDuration

/** Shows a short message, optionally with an action such as undo. Replaces the previous one. */
export function toast(text: string, action?: ToastAction) {
  setToast({ id: current.id + 1, text, action })
  startTimer()
}

/** Shows a short message, unless one with an action is shown, which must not be taken away. */
export function toastQuietly(text: string) {
  if (!current.action) toast(text)
}

function startTimer() {
  clearTimeout(timer)
  releaseAction()
  if (!current.action) {
    timer = setTimeout(hide, figures.toastDuration)
  } else if (isPointing()) {
    timer = setTimeout(hide, actionDuration)
  } else {
    holdToast()
    timer = setTimeout(hide, keyboardDuration)
  }
}
function holdToast() {
  clearTimeout(timer)
  release ??= current.action?.hold?.()
}
function releaseAction() {
  release?.()
  release = undefined
}

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
  // Back to where the person was; the focused button is gone.
  const goBack = () => {
    if (before.current?.isConnected) (before.current as HTMLElement).focus()
  }
  const act = ({ run }: ToastAction) => {
    hide()
    run()
    goBack()
  }
  const dismiss = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    hide()
    goBack()
  }
  return (
    <div className="toasts" role="status" aria-live="polite">
      {text ? (
        // The key, so that the same text is announced again.
        <p
          key={id}
          className={action ? 'toast toast-with-action' : 'toast'}
          onPointerEnter={holdToast}
          onPointerLeave={({ currentTarget }) => {
            if (!currentTarget.contains(document.activeElement)) startTimer()
          }}
          onFocus={(event) => {
            holdToast()
            before.current = event.relatedTarget
          }}
          onBlur={({ currentTarget }) => {
            if (!currentTarget.matches(':hover')) startTimer()
          }}
        >
          <span>{text}</span>
          {action ? (
            <button
              type="button"
              className="toast-action"
              onClick={() => act(action)}
              onKeyDown={dismiss}
            >
              {action.label}
            </button>
          ) : null}
        </p>
      ) : null}
    </div>
  )
}
