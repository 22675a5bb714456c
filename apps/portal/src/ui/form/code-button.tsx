import { figures } from '@atrium/rules/figures'
import { useState } from 'react'
import { m } from '#paraglide/messages.js'
import { Button } from './button.tsx'
import { useSecondsTo } from './seconds-to.ts'

type CodeButtonProps = {
  /**
   * Sends the message. Answers how many milliseconds the server wants the next one to wait, when it says so; `unsent` where
   * something has to be filled in first. When it throws, the caller has told why, and the button can be pressed again.
   */
  onSend: () => Promise<number | undefined | 'unsent'>
  disabled?: boolean
  /** When it may be pressed first, in milliseconds: the page was left and come back to meanwhile. */
  until?: number
}

/** Asks for a code by message, and then not again for a minute. */
export function CodeButton({ onSend, disabled, until: from = 0 }: CodeButtonProps) {
  const [sending, setSending] = useState(false)
  const [until, setUntil] = useState(from > Date.now() ? from : undefined)
  const left = useSecondsTo(until)
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
    <Button kind="plain" small busy={sending} disabled={disabled || left > 0} onClick={send}>
      <span className="num">
        {left > 0
          ? m.ui_code_wait({ seconds: left })
          : until === undefined
            ? m.ui_code_get()
            : m.ui_code_again()}
      </span>
    </Button>
  )
}
