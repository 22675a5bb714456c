import type { Message } from '@atrium/contract/work/messages'
import { formatDayAndTime } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Button } from '#ui/form/button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { useAnswer, useConfirm } from './messages-queries.ts'

/** What a message asks of its reader: a confirmation, or one of several answers. */
export function MessageRequest({ message }: { message: Message }) {
  const { asksConfirmation, choices, confirmUntil } = message
  if (!asksConfirmation && choices.length === 0) return null
  const closed = confirmUntil !== null && Date.parse(confirmUntil) < Date.now()
  return (
    <section className="message-asked" aria-label={m.messages_asked()}>
      {asksConfirmation ? <Confirmation message={message} closed={closed} /> : null}
      {choices.length > 0 ? <Choices message={message} closed={closed} /> : null}
      {confirmUntil && message.waiting ? (
        <p className="muted num">
          {closed
            ? m.messages_asked_closed({ time: formatDayAndTime(confirmUntil) })
            : choices.length > 0
              ? m.messages_asked_until({ time: formatDayAndTime(confirmUntil) })
              : m.messages_confirm_until({ time: formatDayAndTime(confirmUntil) })}
        </p>
      ) : null}
    </section>
  )
}

type PartProps = { message: Message; closed: boolean }

function Confirmation({ message: { id, confirmedAt }, closed }: PartProps) {
  const { mutate, isPending } = useConfirm()
  if (confirmedAt)
    return (
      <p className="message-done">
        <Icon name="check" />
        <span className="num">
          {m.messages_confirmed_at({ time: formatDayAndTime(confirmedAt) })}
        </span>
      </p>
    )
  return (
    <Button wide disabled={closed} busy={isPending} onClick={() => mutate({ body: { id } })}>
      {m.messages_confirm()}
    </Button>
  )
}

function Choices({ message: { id, choices, answer }, closed }: PartProps) {
  const { mutate, isPending } = useAnswer()
  const chosen = choices.find(({ value }) => value === answer)
  if (chosen)
    return (
      <p className="message-done">
        <Icon name="check" />
        {m.messages_answer_given({ answer: inLanguage(chosen.text, chosen.textEn) })}
      </p>
    )
  return (
    <div className="message-choices">
      {choices.map(({ value, text, textEn }) => (
        <Button
          key={value}
          kind="plain"
          disabled={closed}
          busy={isPending}
          onClick={() => mutate({ body: { id, value } })}
        >
          {inLanguage(text, textEn)}
        </Button>
      ))}
    </div>
  )
}
