import './state.css'
import { m } from '#paraglide/messages.js'
import { Button } from '../form/button.tsx'
import { Icon } from '../media/icon.tsx'

type FailedProps = {
  /** What happened, for a person. */
  text: string
  /** What support asks for; empty when there is none. */
  code?: string
  busy?: boolean
  onRetry: () => void
  /** The server was not reached: it is the network's doing. */
  offline?: boolean
}

type RefusedProps = {
  text: string
  /** It is there, and not for this person. */
  forbidden?: boolean
  onBack: () => void
}

/** What was asked for is not there, or not for this person: another try would not help. */
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

/** What was asked for did not come. */
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
