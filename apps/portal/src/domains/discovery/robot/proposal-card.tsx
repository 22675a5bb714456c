import { letters } from '@atrium/contract/content/mailbox'
import { type Proposal, robot } from '@atrium/contract/discovery/robot'
import { appointments } from '@atrium/contract/work/appointments'
import { schedule } from '@atrium/contract/work/schedule'
import { todos } from '@atrium/contract/work/todos'
import { useState } from 'react'
import { useOpenService } from '#domains/services/service-opening/open-service.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { openAddress } from '#shell/navigation/navigation.ts'
import { useAction } from '#shell/page/action.ts'
import { Button } from '#ui/form/button.tsx'

type ProposalCardProps = {
  proposal: Proposal
  dialogId: string
  lineId: string
  /** index among the proposals of the line */
  index: number
}

/**
 * An action proposed by the assistant, shown in full. The member confirms it, and it uses the same call as its own
 * screen.
 */
export function ProposalCard({ proposal, dialogId, lineId, index }: ProposalCardProps) {
  const { kind, title, text, startsLocal, minutes, location, dueLocal, timeZone } = proposal
  const [done, setDone] = useState(proposal.done)
  const { mutate: note } = useAction(robot.confirmed, {
    invalidates: [robot.dialog],
    // The action itself succeeded.
    failed: () => true,
  })
  const wasDone = () => {
    setDone(true)
    note({ body: { dialogId, lineId, index } })
  }
  const event = useAction(appointments.create, { invalidates: [schedule.events], done: wasDone })
  const todo = useAction(todos.create, { invalidates: [todos.list], done: wasDone })
  const letter = useAction(letters.send, { invalidates: [letters.own], done: wasDone })
  // Idempotency key: if the confirmation is lost, a repeated action creates nothing twice.
  const name = `assistant-line-${lineId}-${index}`
  const service = useOpenService()
  const when = (local: string) => local.replace('T', ' ')
  const facts = [
    startsLocal ? m.robot_starts({ time: when(startsLocal), count: minutes }) : '',
    location,
    dueLocal ? m.robot_due({ time: when(dueLocal) }) : '',
    proposal.mailboxName
      ? m.robot_to_mailbox({ name: inLanguage(proposal.mailboxName, proposal.mailboxNameEn) })
      : '',
    text,
  ].filter(Boolean)
  const confirm = () => {
    if (kind === 'event')
      event.mutate({ body: { uid: name, title, startsLocal, minutes, location, timeZone } })
    if (kind === 'todo')
      todo.mutate({
        body: {
          key: name,
          title,
          note: '',
          dueLocal,
          timeZone,
          allDay: false,
          repeat: 'none',
          tags: [],
          reminders: dueLocal ? [0] : [],
          steps: [],
          executors: [],
        },
      })
    if (kind === 'letter' && proposal.mailboxId)
      letter.mutate({
        body: { mailboxId: proposal.mailboxId, title, content: text, mayPublish: false, key: name },
      })
    if (kind === 'service') {
      if (proposal.to) openAddress(proposal.to)
      else if (proposal.serviceId) service.open(proposal.serviceId)
    }
  }
  const labels = {
    event: m.robot_make_event,
    todo: m.robot_make_todo,
    letter: m.robot_send_letter,
    service: m.robot_open_service,
  }
  return (
    <section className="chat-bubble chat-proposal" aria-label={labels[kind]()}>
      <h2>{title}</h2>
      {facts.map((fact) => (
        <p key={fact} className="muted">
          {fact}
        </p>
      ))}
      {done ? (
        <p role="status">{m.robot_was_done()}</p>
      ) : (
        <Button
          small
          busy={event.isPending || todo.isPending || letter.isPending}
          onClick={confirm}
        >
          {labels[kind]()}
        </Button>
      )}
    </section>
  )
}
