import '#ui/row-buttons.css'
import type { MessageSummary } from '@atrium/contract/work/messages'
import { inLanguage } from '#lib/language.ts'
import { randomId } from '#lib/random-id.ts'
import { m } from '#paraglide/messages.js'
import { openAddress } from '#shell/navigation/navigation.ts'
import { addToOutbox, holdInOutbox, useOutboxEntry, withdrawFromOutbox } from '#shell/outbox.ts'
import { OutboxLine } from '#shell/page/outbox-line.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { answerOf, confirmationOf, type RequestAnswer } from './messages-queries.ts'

/** Answers a message's request in its row, with undo; or shows its link. */
export function MessageRequestRow({ message }: { message: MessageSummary }) {
  const { id, title, titleEn, asked, link } = message
  const about = `message ${id}`
  const outgoing = useOutboxEntry(about)
  const name = inLanguage(title, titleEn)
  const labelled = (action: string) => m.messages_do_named({ action, name })
  if (outgoing) return <OutboxLine entry={outgoing} />
  const answerRequest = ({ action, ...answer }: RequestAnswer) => {
    const key = randomId()
    const done = addToOutbox({ ...answer, action, key, about, title: name, undoable: true })
    const words = inLanguage(action.text, action.textEn)
    if (done)
      toast(m.shell_outbox_done({ action: words }), {
        label: m.shell_outbox_undo(),
        run: () => void withdrawFromOutbox(key),
        hold: () => holdInOutbox(key),
      })
  }
  if (asked)
    return (
      <div className="row-buttons">
        {asked.confirm ? (
          <Button
            small
            kind="soft"
            aria-label={labelled(m.messages_confirm())}
            onClick={() => answerRequest(confirmationOf(id))}
          >
            {m.messages_confirm()}
          </Button>
        ) : (
          asked.choices.map((choice) => (
            <Button
              key={choice.value}
              small
              kind="plain"
              aria-label={labelled(inLanguage(choice.text, choice.textEn))}
              onClick={() => answerRequest(answerOf(id, choice))}
            >
              {inLanguage(choice.text, choice.textEn)}
            </Button>
          ))
        )}
      </div>
    )
  if (!link) return null
  const words = inLanguage(link.text, link.textEn)
  return (
    <div className="row-buttons">
      <Button small kind="soft" aria-label={labelled(words)} onClick={() => openAddress(link.url)}>
        {words}
      </Button>
    </div>
  )
}
