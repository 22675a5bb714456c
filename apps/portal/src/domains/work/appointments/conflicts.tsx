import { momentOf } from '@atrium/rules/zoned-time'
import { addDays } from '#domains/work/schedule/days.ts'
import { clock } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Icon } from '#ui/media/icon.tsx'
import type { Content } from './appointment-draft.ts'
import { useEventsBetween } from './appointment-queries.ts'
import { isTimed } from './when-fields.tsx'

/** As many as one takes in; the schedule shows the rest. */
const maxSaid = 3

/** What of one's own is on at the same time, said before the event is saved. */
export function Conflicts({ content, id }: { content: Content; id: string }) {
  const { allDay, busy, firstDay, lastDay, starts, ends, timeZone } = content
  const wanted = !allDay && busy && isTimed(content)
  const answer = useEventsBetween(wanted ? firstDay : '', wanted ? lastDay : '', timeZone).data
  if (!wanted || !answer) return null
  const from = momentOf(`${firstDay}T${starts}`, timeZone)
  const until = momentOf(`${lastDay}T${ends}`, timeZone)
  const meeting = answer.list.filter(
    (event) =>
      event.id !== id &&
      event.busy &&
      !event.allDay &&
      event.answer !== 'no' &&
      Date.parse(event.startsAt) < until &&
      Date.parse(event.endsAt) > from,
  )
  if (meeting.length === 0) return null
  return (
    <div className="appointment-note" role="status">
      <Icon name="warning" />
      <div>
        <p>{m.appointments_conflicts({ count: meeting.length })}</p>
        <ul>
          {meeting.slice(0, maxSaid).map((event) => (
            <li key={event.id + event.startsAt}>
              {m.appointments_conflict({
                title: inLanguage(event.title, event.titleEn),
                times: `${timeIn(event.startsAt, event.firstDay, firstDay, timeZone)}–${clock(event.endsAt, timeZone)}`,
              })}
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

const timeIn = (moment: string, first: string, day: string, zone: string) =>
  first < day && addDays(first, 1) <= day ? '…' : clock(moment, zone)
