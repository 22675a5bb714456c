import type { FreeBusy } from '@atrium/contract/work/appointments'
import { dayIn } from '@atrium/rules/day-in'
import { parseZonedTime } from '@atrium/rules/parse-zoned-time'
import { useState } from 'react'
import { dayName } from '#domains/work/schedule/day-labels.ts'
import { formatTime } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Field } from '#ui/form/field.tsx'
import { changeDraft, type Draft, minutesOf } from './appointment-draft.ts'
import { useFreeBusy } from './appointment-queries.ts'

/** The hours shown in the bars. */
const [opens, closes] = [8, 20]

/** When each participant is busy on a day, and when all are free. */
export function CommonTime({ draft }: { draft: Draft }) {
  const { timeZone, participants, allDay, event } = draft
  const [day, setDay] = useState(draft.firstDay)
  const minutes = allDay ? 60 : minutesOf(draft) || 60
  const answer = useFreeBusy({
    people: participants.map(({ accountName }) => accountName).filter(Boolean),
    day,
    minutes,
    zone: timeZone,
    without: event?.id ?? '',
  })
  return (
    <Card title={m.appointments_common()}>
      <div className="appointment-fields">
        <Field type="date" label={m.schedule_add_day()} value={day} onValue={setDay} />
        {day ? (
          <QueryView query={answer} skeleton={<Skeleton height={140} label={m.shell_loading()} />}>
            {(found) => (
              <>
                <Bars freeBusy={found} day={day} draft={draft} />
                <Suggestions freeBusy={found} day={day} zone={timeZone} />
              </>
            )}
          </QueryView>
        ) : null}
      </div>
    </Card>
  )
}

type BarsProps = { freeBusy: FreeBusy; day: string; draft: Draft }

function Bars({ freeBusy, day, draft }: BarsProps) {
  const { timeZone, firstDay, starts, lastDay, ends, allDay } = draft
  const from = parseZonedTime(`${day}T${String(opens).padStart(2, '0')}:00`, timeZone)
  const length = (closes - opens) * 3_600_000
  const placeOf = (startsAt: number, endsAt: number) => {
    const [left, right] = [startsAt, endsAt].map((at) =>
      Math.min(Math.max((at - from) / length, 0), 1),
    ) as [number, number]
    return { left: `${left * 100}%`, width: `${(right - left) * 100}%` }
  }
  const own = allDay
    ? undefined
    : placeOf(
        parseZonedTime(`${firstDay}T${starts}`, timeZone),
        parseZonedTime(`${lastDay}T${ends}`, timeZone),
      )
  return (
    <div>
      <div className="appointment-hours num" aria-hidden="true">
        {[8, 12, 16, 20].map((hour) => (
          <span key={hour}>{hour}:00</span>
        ))}
      </div>
      <ul className="appointment-bars">
        {freeBusy.people.map(({ accountName, name, nameEn, known, busy }) => (
          <li key={accountName}>
            <span>{inLanguage(name, nameEn)}</span>
            {known ? (
              <div className="appointment-bar">
                <span className="unseen">{busyText(busy, timeZone)}</span>
                {busy.map(({ startsAt, endsAt }) => (
                  <i
                    key={startsAt + endsAt}
                    style={placeOf(Date.parse(startsAt), Date.parse(endsAt))}
                  />
                ))}
                {own ? <i className="appointment-bar-own" style={own} /> : null}
              </div>
            ) : (
              <span className="muted">{m.appointments_busy_unknown()}</span>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

const busyText = (busy: FreeBusy['people'][number]['busy'], zone: string) =>
  busy.length === 0
    ? m.appointments_free_all_day()
    : m.appointments_busy_at({
        times: busy
          .map(
            ({ startsAt, endsAt }) => `${formatTime(startsAt, zone)}–${formatTime(endsAt, zone)}`,
          )
          .join(m.schedule_and()),
      })

function Suggestions({ freeBusy, day, zone }: { freeBusy: FreeBusy; day: string; zone: string }) {
  if (freeBusy.suggestions.length === 0)
    return <p className="muted">{m.appointments_no_common({ day: dayName(day) })}</p>
  function applyTime(startsAt: string, endsAt: string) {
    const at = (moment: string) => dayIn(new Date(moment), zone)
    changeDraft({
      allDay: false,
      firstDay: at(startsAt),
      starts: formatTime(startsAt, zone),
      lastDay: at(endsAt),
      ends: formatTime(endsAt, zone),
    })
    toast(
      m.appointments_time_taken({ time: `${dayName(at(startsAt))} ${formatTime(startsAt, zone)}` }),
    )
  }
  return (
    <div>
      <p className="muted">{m.appointments_suggestions()}</p>
      <ul className="appointment-suggestions">
        {freeBusy.suggestions.map(({ startsAt, endsAt }) => (
          <li key={startsAt}>
            <button type="button" className="num" onClick={() => applyTime(startsAt, endsAt)}>
              {`${formatTime(startsAt, zone)}–${formatTime(endsAt, zone)}`}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
