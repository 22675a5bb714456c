import { m } from '#paraglide/messages.js'

/** Progress in per cent. */
export const Progress = ({ value }: { value: number }) => (
  <span className="study-progress">
    <span className="study-progress-bar" aria-hidden="true">
      <span style={{ width: `${value}%` }} />
    </span>
    <span className="muted num">{m.study_progress({ value })}</span>
  </span>
)
