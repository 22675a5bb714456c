import './outbox-line.css'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { type OutboxEntry, withdrawFromOutbox } from '#shell/outbox.ts'
import { Button } from '#ui/form/button.tsx'
import { Icon } from '#ui/media/icon.tsx'

/** An action not yet sent, with an undo button, or the reason why it was refused. */
export function OutboxLine({ entry, titled }: { entry: OutboxEntry; titled?: boolean }) {
  const { key, title, action, away, late, refusal } = entry
  const name = inLanguage(action.text, action.textEn)
  const button = refusal ? m.shell_outbox_dismiss() : m.shell_outbox_undo()
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
        >
          {button}
        </Button>
      )}
    </div>
  )
}
