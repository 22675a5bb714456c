import './stale-note.css'
import { m } from '#paraglide/messages.js'
import { Icon } from '../media/icon.tsx'

/** Says that the content is stale and from when, with a retry button. */
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
