import './stale-note.css'
import { m } from '#paraglide/messages.js'
import { Icon } from '../media/icon.tsx'

/** What is shown is not fresh: the time it is from, and a way to try again. */
export function StaleNote({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <div className="stale-note" role="status">
      <Icon name="history" />
      <span>{text}</span>
      <button type="button" onClick={onRetry}>
        {m.shell_retry()}
      </button>
    </div>
  )
}
