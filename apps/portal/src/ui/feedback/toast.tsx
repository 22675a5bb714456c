import './toast.css'
import { figures } from '@atrium/rules/figures'
import { useSyncExternalStore } from 'react'

let message = ''
let timer: ReturnType<typeof setTimeout>
const listeners = new Set<() => void>()

function show(text: string) {
  message = text
  for (const listener of listeners) listener()
}

/** Says something in passing. The next one takes its place. */
export function toast(text: string) {
  clearTimeout(timer)
  show(text)
  timer = setTimeout(() => show(''), figures.toastDuration)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Where toasts appear; always there, so that screen readers hear what comes. */
export function Toasts() {
  const text = useSyncExternalStore(subscribe, () => message)
  return (
    <div className="toasts" role="status">
      {text ? <p className="toast">{text}</p> : null}
    </div>
  )
}
