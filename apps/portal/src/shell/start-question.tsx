import './start-question.css'
import { m } from '#paraglide/messages.js'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import type { Newcomer } from './start.ts'

/** Somebody else's session came in the address: whoever holds the device decides, before anything of either shows. */
export function StartQuestion({
  present,
  newcomer,
  onAnswer,
}: {
  present: string
  newcomer: Newcomer
  onAnswer: (change: boolean) => void
}) {
  return (
    <main className="start-question column">
      <Icon name="me" />
      <h1>{m.shell_other_member()}</h1>
      <p>{m.shell_other_member_text({ present, newcomer: newcomer.name || newcomer.username })}</p>
      <Button kind="primary" wide onClick={() => onAnswer(false)}>
        {m.shell_other_member_stay({ name: present })}
      </Button>
      <Button kind="plain" wide onClick={() => onAnswer(true)}>
        {m.shell_other_member_change({ name: newcomer.name || newcomer.username })}
      </Button>
    </main>
  )
}
