import { figures } from '@atrium/rules/figures'
import { useState } from 'react'
import { m } from '#paraglide/messages.js'
import { Button } from './button.tsx'
import { useSecondsTo } from './seconds-to.ts'

type CodeButtonProps = {
  /**
   * Requests the message. Returns the milliseconds to wait before the next one, if the server says so, or `unsent` if
   * other input is missing. If it throws, the caller has shown the error, and the button is enabled again.
   */
  onSend: () => Promise<number | undefined | 'unsent'>
  disabled?: boolean
  /** Earliest time at which it may be pressed, in ms, for a page that was left and reopened. */
  until?: number
}

/** Requests a code by message, then is disabled for a minute. */
export function CodeButton({ onSend, disabled, until: from = 0 }: CodeButtonProps) {
  const [sending, setSending] = useState(false)
  const [until, setUntil] = useState(from > Date.now() ? from : undefined)
  const secondsLeft = useSecondsTo(until)
  const send = async () => {
    setSending(true)
    try {
      const wait = await onSend()
      setUntil(wait === 'unsent' ? undefined : Date.now() + (wait ?? figures.codeCountdown))
    } catch {
      setUntil(undefined)
    } finally {
      setSending(false)
    }
  }
  return (
    <Button
      kind="plain"
      small
      busy={sending}
      disabled={disabled}
      onClick={secondsLeft > 0 ? undefined : send}
      // While it counts down not `disabled`, which would take the focus from it.
      {...(secondsLeft > 0 && { 'aria-disabled': true })}
    >
      <span className="num">
        {secondsLeft > 0
          ? m.ui_code_wait({ seconds: secondsLeft })
          : until === undefined
            ? m.ui_code_get()
            : m.ui_code_again()}
      </span>
    </Button>
  )
}
