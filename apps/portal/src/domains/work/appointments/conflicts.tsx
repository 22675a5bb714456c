import type { Occurrence } from '@atrium/contract/work/schedule'
import { parseZonedTime } from '@atrium/rules/parse-zoned-time'
import { addDays } from '#domains/work/schedule/days.ts'
import { formatTime } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Icon } from '#ui/media/icon.tsx'
import type { Content } from './appointment-draft.ts'
import { useEventsBetween } from './appointment-queries.ts'
import { isTimed } from './when-fields.tsx'

/** Maximum listed; the schedule shows the rest. */
const maxListed = 3

/** The member's own events at the same time. Its line is reserved while loading, so that nothing moves. */
export function Conflicts({ content, id }: { content: Content; id: string }) {
  const { allDay, busy, firstDay, lastDay, timeZone } = content
  const isEnabled = !allDay && busy && isTimed(content)
  const { data, isFetching } = useEventsBetween(
    isEnabled ? firstDay : '',
    isEnabled ? lastDay : '',
    timeZone,
  )
  if (!isEnabled) return null
  return (
    <div className="appointment-conflicts" role="status">
      {data ? (
        <Meeting list={data.list} content={content} id={id} />
      ) : (
        <p className="muted">
          {isFetching ? m.appointments_conflicts_asked() : m.appointments_conflicts_unknown()}
        </p>
      )}
    </div>
  )
}

type MeetingProps = { list: readonly Occurrence[]; content: Content; id: string }

function Meeting({ list, content, id }: MeetingProps) {
  const { firstDay, lastDay, starts, ends, timeZone } = content
  const from = parseZonedTime(`${firstDay}T${starts}`, timeZone)
  const until = parseZonedTime(`${lastDay}T${ends}`, timeZone)
  const meeting = list
    .filter(
      (event) =>
        event.id !== id &&
        event.busy &&
        !event.allDay &&
        event.answer !== 'no' &&
        Date.parse(event.startsAt) < until &&
        Date.parse(event.endsAt) > from,
    )
    .map((event) => ({
      key: event.id + event.startsAt,
      title: inLanguage(event.title, event.titleEn),
      times: `${timeIn(event.startsAt, event.firstDay, firstDay, timeZone)}–${formatTime(event.endsAt, timeZone)}`,
    }))
  const [first] = meeting
  if (!first) return <p className="muted">{m.appointments_conflicts_none()}</p>
  return (
    <details>
      <summary>
        <Icon name="warning" />
        <span>
          {meeting.length === 1
            ? m.appointments_conflicts_one(first)
            : m.appointments_conflicts_more({ title: first.title, count: meeting.length })}
        </span>
        <Icon name="chevron" />
      </summary>
      <ul>
        {meeting.slice(0, maxListed).map(({ key, ...conflict }) => (
          <li key={key}>{m.appointments_conflict(conflict)}</li>
        ))}
      </ul>
    </details>
  )
}

const timeIn = (moment: string, first: string, day: string, zone: string) =>
  first < day && addDays(first, 1) <= day ? '…' : formatTime(moment, zone)
