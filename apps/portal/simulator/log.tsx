import { m } from '#paraglide/messages.js'

/** A request of one side, and the other's answer. */
export type Entry = {
  id: number
  from: 'portal' | 'container'
  name: string
  data: unknown
  answer?: unknown
  error?: string
}

/** All messages, newest first. */
export function Log({ entries }: { entries: Entry[] }) {
  return (
    <section className="simulator-log" aria-label={m.simulator_log()}>
      <h2>{m.simulator_log()}</h2>
      {entries.length === 0 ? <p className="muted">{m.simulator_log_empty()}</p> : null}
      <ol>
        {entries.map(({ id, from, name, data, answer, error }) => (
          <li key={id} className={`simulator-entry simulator-from-${from}`}>
            <p>
              <strong>{name}</strong>{' '}
              <span className="muted">
                {from === 'portal' ? m.simulator_from_portal() : m.simulator_from_container()}
              </span>
            </p>
            <code>{print(data)}</code>
            {answer === undefined ? null : <code>→ {print(answer)}</code>}
            {error === undefined ? null : <code className="simulator-error">✕ {error}</code>}
          </li>
        ))}
      </ol>
    </section>
  )
}

/** As JSON, with shortened tokens, since screens are shared and photographed. */
const print = (value: unknown) =>
  (JSON.stringify(value) ?? '').replace(/eyJ[\w.-]{20,}/g, (token) => `${token.slice(0, 8)}…`)
