import './state.css'
import { m } from '#paraglide/messages.js'
import { Button } from '../form/button.tsx'
import { Icon } from '../media/icon.tsx'

type FailedProps = {
  /** The error message to show to the user. */
  text: string
  /** The code that support asks for; empty if there is none. */
  code?: string
  busy?: boolean
  onRetry: () => void
  /** The server was not reached because of the network. */
  offline?: boolean
}

type RefusedProps = {
  text: string
  /** It exists, but this user may not see it. */
  forbidden?: boolean
  onBack: () => void
}

/** Shown if the item does not exist or is not accessible; a retry would not help. */
export const Refused = ({ text, forbidden, onBack }: RefusedProps) => (
  <div className="state" role="alert">
    <Icon name={forbidden ? 'lock' : 'info'} />
    <p className="state-title">{forbidden ? m.shell_forbidden() : m.shell_refused()}</p>
    <p>{text}</p>
    <Button kind="plain" small onClick={onBack}>
      {m.shell_back()}
    </Button>
  </div>
)

/** Shown if loading failed. */
export function Failed({ text, code, busy, onRetry, offline }: FailedProps) {
  return (
    <div className="state" role="alert">
      <Icon name={offline ? 'offline' : 'warning'} />
      <p className="state-title">{m.shell_failed()}</p>
      <p>{text}</p>
      <Button kind="plain" small onClick={onRetry} busy={busy}>
        {m.shell_retry()}
      </Button>
      {code ? <p className="muted num">{m.shell_support_code({ code })}</p> : null}
    </div>
  )
}
