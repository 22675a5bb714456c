import { appointments } from '@atrium/contract/work/appointments'
import type { EventDetail } from '@atrium/contract/work/schedule'
import { useState } from 'react'
import { changedEvents } from '#domains/work/appointments/appointment-queries.ts'
import { answerName } from '#domains/work/schedule/answer-name.ts'
import { getSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { Card } from '#ui/card.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Field } from '#ui/form/field.tsx'

const choices = ['yes', 'maybe', 'no'] as const

/** Answers an invitation, with an optional comment. */
export function AnswerCard({ event }: { event: EventDetail }) {
  const { id, participants, answer } = event
  const username = getSession()?.username
  const ownParticipation = participants.find(({ accountName }) => accountName === username)
  const [comment, setComment] = useState(ownParticipation?.comment ?? '')
  const { mutate, isPending, variables } = useAction(appointments.respond, {
    invalidates: changedEvents,
    done: () => toast(m.appointments_answered()),
  })
  const chosen = isPending ? variables.body.answer : answer
  return (
    <Card title={answer === 'none' ? m.appointments_answer_ask() : m.appointments_answer()}>
      <div className="appointment-fields">
        <fieldset className="appointment-answers">
          <legend className="unseen">{m.appointments_answer()}</legend>
          {choices.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={chosen === one}
              aria-disabled={isPending || undefined}
              onClick={() => {
                if (!isPending)
                  mutate({ params: { id }, body: { answer: one, comment: comment.trim() } })
              }}
            >
              {answerName(one)}
            </button>
          ))}
        </fieldset>
        <Field
          label={m.appointments_answer_word()}
          value={comment}
          onValue={setComment}
          maxLength={200}
          hint={m.appointments_answer_hint()}
        />
        {event.rrule ? <p className="muted">{m.appointments_answer_series()}</p> : null}
      </div>
    </Card>
  )
}
