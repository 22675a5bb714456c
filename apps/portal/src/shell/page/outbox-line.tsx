import './outbox-line.css'
import { type PointerEvent, useEffect, useRef } from 'react'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { holdInOutbox, type OutboxEntry, withdrawFromOutbox } from '#shell/outbox.ts'
import { Button } from '#ui/form/button.tsx'
import { isPointing } from '#ui/last-input.ts'
import { Icon } from '#ui/media/icon.tsx'

/** An action not yet sent, with an undo button, or the reason why it was refused. */
export function OutboxLine({ entry, titled }: { entry: OutboxEntry; titled?: boolean }) {
  const { key, title, action, away, late, refusal } = entry
  const name = inLanguage(action.text, action.textEn)
  const button = refusal ? m.shell_outbox_dismiss() : m.shell_outbox_undo()
  const holding = useHold(key)
  return (
    <div className={refusal ? 'outgoing outgoing-refused' : 'outgoing'}>
      <Icon name={refusal ? 'warning' : late ? 'clock' : 'check'} />
      <p>
        {titled ? <b>{title}</b> : null}
        <span>
          {refusal
            ? m.shell_outbox_refused({ action: name, reason: refusal })
            : late
              ? m.shell_outbox_waits({ action: name })
              : m.shell_outbox_done({ action: name })}
        </span>
      </p>
      {away && !refusal ? null : (
        <Button
          small
          kind="plain"
          aria-label={m.shell_outbox_named({ button, name, title })}
          onClick={() => void withdrawFromOutbox(key)}
          {...holding}
        >
          {button}
        </Button>
      )}
    </div>
  )
}

/**
 * The time to undo stops while the undo has the focus of a keyboard or screen reader (WCAG 2.2.1), or a mouse on it.
 * After a tap it gets the focus as well, which must not keep the action from being sent.
 * @returns properties of the undo
 */
function useHold(key: string) {
  const release = useRef<() => void>(undefined)
  const hold = () => {
    release.current ??= holdInOutbox(key)
  }
  const end = () => {
    release.current?.()
    release.current = undefined
  }
  // React reports no blur of an element that it removes.
  useEffect(
    () => () => {
      release.current?.()
      release.current = undefined
    },
    [],
  )
  return {
    onFocus: () => {
      if (!isPointing()) hold()
    },
    onBlur: end,
    // Not on entering: the undo also appears below a mouse that is resting.
    onPointerMove: ({ pointerType }: PointerEvent) => {
      if (pointerType === 'mouse') hold()
    },
    onPointerLeave: ({ currentTarget }: PointerEvent) => {
      if (isPointing() || currentTarget !== document.activeElement) end()
    },
  }
}
