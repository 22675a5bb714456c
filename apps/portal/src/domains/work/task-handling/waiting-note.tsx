import './task-handling.css'
import { m } from '#paraglide/messages.js'
import { Button } from '#ui/form/button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { actionName } from './action-name.ts'
import { takeBack, useWaitingActions, type WaitingAction } from './waiting-actions.ts'

/** What was done without a network and is not sent yet, or was refused when it was; of one task alone where one is named. */
export function WaitingNotes({ task }: { task?: string }) {
  const waiting = useWaitingActions().filter((one) => !task || one.task === task)
  if (waiting.length === 0) return null
  return (
    <ul className="waiting-notes" aria-label={m.tasks_waiting_list()}>
      {waiting.map((one) => (
        <WaitingNote key={one.key} one={one} titled={!task} />
      ))}
    </ul>
  )
}

function WaitingNote({ one, titled }: { one: WaitingAction; titled: boolean }) {
  const { key, title, action, refusal } = one
  const name = actionName(action)
  return (
    <li className={refusal ? 'waiting-note waiting-note-refused' : 'waiting-note'}>
      <Icon name={refusal ? 'warning' : 'clock'} />
      <p>
        {titled ? <b>{title}</b> : null}
        <span>
          {refusal
            ? m.tasks_waiting_refused({ action: name, reason: refusal })
            : m.tasks_waiting_note({ action: name })}
        </span>
      </p>
      <Button small kind="plain" onClick={() => void takeBack(key)}>
        {refusal ? m.tasks_waiting_dismiss() : m.tasks_waiting_take_back()}
      </Button>
    </li>
  )
}
