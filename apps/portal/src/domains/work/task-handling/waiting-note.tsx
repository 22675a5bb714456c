import './task-handling.css'
import { m } from '#paraglide/messages.js'
import { useOutbox } from '#shell/outbox.ts'
import { OutboxLine } from '#shell/page/outbox-line.tsx'

/** Actions done offline that are not sent yet, or were refused; of one task, if given. */
export function WaitingNotes({ task }: { task?: string }) {
  const waiting = useOutbox().filter(({ about, late, refusal }) =>
    task ? about === `task ${task}` : late || refusal,
  )
  if (waiting.length === 0) return null
  return (
    <ul className="waiting-notes" aria-label={m.tasks_waiting_list()}>
      {waiting.map((one) => (
        <li
          key={one.key}
          className={one.refusal ? 'waiting-note waiting-note-refused' : 'waiting-note'}
        >
          <OutboxLine entry={one} titled={!task} />
        </li>
      ))}
    </ul>
  )
}
