import type { EventDetail, Participant } from '@atrium/contract/work/schedule'
import { answerName } from '#domains/work/schedule/answer-name.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Card } from '#ui/card.tsx'
import { Pill } from '#ui/pill.tsx'

const tones = { none: 'blue', yes: 'green', maybe: 'amber', no: 'orange' } as const
const order = ['yes', 'maybe', 'none', 'no'] as const

/** The participants and their answers. */
export function ParticipantsCard({ event: { participants } }: { event: EventDetail }) {
  const counts = order
    .map((answer) => ({
      answer,
      count: participants.filter((one) => one.answer === answer).length,
    }))
    .filter(({ count }) => count > 0)
    .map(({ answer, count }) => m.appointments_answer_count({ answer: answerName(answer), count }))
  return (
    <Card title={m.appointments_participants()} aside={counts.join(' · ')}>
      <ul aria-label={m.appointments_participants()}>
        {participants.map((one) => (
          <li key={one.accountName || one.email} className="appointment-person">
            <span className="appointment-name">
              <span>{nameOf(one)}</span>
              {one.comment ? (
                <span className="muted">{m.appointments_word({ comment: one.comment })}</span>
              ) : null}
            </span>
            <Pill tone={tones[one.answer]}>{answerName(one.answer)}</Pill>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const nameOf = ({ name, nameEn, email }: Participant) => inLanguage(name, nameEn) || email
