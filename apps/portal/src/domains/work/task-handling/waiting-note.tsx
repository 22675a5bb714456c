import './task-handling.css'
import { m } from '#paraglide/messages.js'
import { useAllOutgoing } from '#shell/outbox.ts'
import { OutgoingLine } from '#shell/page/outgoing-line.tsx'

/** What was done without a network and is not sent yet, or was refused when it was; of one task alone where one is named. */
export function WaitingNotes({ task }: { task?: string }) {
  const waiting = useAllOutgoing().filter(({ about, late, refusal }) =>
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
          <OutgoingLine one={one} titled={!task} />
        </li>
      ))}
    </ul>
  )
}
