import type { EventDetail } from '@atrium/contract/work/schedule'
import { dayIn } from '@atrium/rules/day-in'
import { fullDayName, spanName } from '#domains/work/schedule/day-labels.ts'
import { daysBetween } from '#domains/work/schedule/days.ts'
import { offsetOf, zoneName } from '#domains/work/time-zone/zones.ts'
import { formatTime } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'

/** The time in the member's zone, and also in the event's zone if it differs. */
export function EventTime({ event, zone }: { event: EventDetail; zone: string }) {
  const starts = new Date(event.startsAt)
  const last = new Date(Math.max(Date.parse(event.endsAt) - 1, Date.parse(event.startsAt)))
  if (event.allDay) {
    const from = dayIn(starts, event.timeZone)
    const to = dayIn(last, event.timeZone)
    if (from === to) return `${fullDayName(from)} · ${m.schedule_all_day()}`
    return `${spanName(from, to)} · ${m.schedule_days({ count: daysBetween(from, to) + 1 })}`
  }
  const elsewhere = offsetOf(zone, starts) !== offsetOf(event.timeZone, starts)
  return (
    <>
      <span className="num">{timesIn(event, zone)}</span>
      {elsewhere ? (
        <span className="num muted">
          {'\n'}
          {m.schedule_there({
            times: timesIn(event, event.timeZone),
            zone: `${zoneName(event.timeZone, starts)} (${offsetOf(event.timeZone, starts)})`,
          })}
        </span>
      ) : null}
    </>
  )
}

function timesIn({ startsAt, endsAt }: EventDetail, zone: string) {
  const from = dayIn(new Date(startsAt), zone)
  const to = dayIn(new Date(Math.max(Date.parse(endsAt) - 1, Date.parse(startsAt))), zone)
  const begins = `${fullDayName(from)} ${formatTime(startsAt, zone)}`
  return m.schedule_span({
    from: begins,
    to: from === to ? formatTime(endsAt, zone) : `${fullDayName(to)} ${formatTime(endsAt, zone)}`,
  })
}
