import { home } from '@atrium/contract/shell/home'
import { appointments } from '@atrium/contract/work/appointments'
import { type Occurrence, schedule } from '@atrium/contract/work/schedule'
import { formatTime } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { useAction } from '#shell/page/action.ts'
import { Card } from '#ui/card.tsx'
import { Facts } from '#ui/facts.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { answerName } from './answer-name.ts'
import { dayName } from './day-labels.ts'

/** As many as leave room for the schedule. */
const maxShown = 3
const choices = ['yes', 'maybe', 'no'] as const

type InvitationsCardProps = { events: readonly Occurrence[]; zone: string; now: Date }

/** Unanswered invitations, with the next occurrence of each. Renders nothing if there are none. */
export function InvitationsCard({ events, zone, now }: InvitationsCardProps) {
  const { mutate, isPending, variables } = useAction(appointments.respond, {
    invalidates: [schedule.events, schedule.today, schedule.read, home.read],
    done: ({ title, titleEn, answer }) =>
      toast(
        m.schedule_invitation_answered({
          title: inLanguage(title, titleEn),
          answer: answerName(answer ?? 'none'),
        }),
      ),
  })
  const waiting = events.filter(
    (event, at) =>
      event.answer === 'none' &&
      Date.parse(event.endsAt) > now.getTime() &&
      events.findIndex(
        (other) => other.id === event.id && Date.parse(other.endsAt) > now.getTime(),
      ) === at,
  )
  if (waiting.length === 0) return null
  return (
    <Card title={m.schedule_invitations()}>
      <ul>
        {waiting.slice(0, maxShown).map((event) => {
          const { id, title, titleEn, startsAt, firstDay, allDay, person } = event
          const name = inLanguage(title, titleEn)
          const time = allDay ? m.schedule_all_day() : formatTime(startsAt, zone)
          return (
            <li key={id} className="schedule-invitation">
              <Link to="/pages/shedul/shedulDetail" search={{ id, startsAt }}>
                <b>{name}</b>
                <span className="muted num">
                  <Facts of={[`${dayName(firstDay)} ${time}`, person]} />
                </span>
              </Link>
              <div className="schedule-answers">
                {choices.map((answer) => (
                  <Button
                    key={answer}
                    kind={answer === 'yes' ? 'primary' : 'plain'}
                    small
                    aria-label={`${answerName(answer)}${m.schedule_comma()}${name}`}
                    busy={
                      isPending && variables.params.id === id && variables.body.answer === answer
                    }
                    onClick={() => mutate({ params: { id }, body: { answer, comment: '' } })}
                  >
                    {answerName(answer)}
                  </Button>
                ))}
              </div>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
