import './timetables.css'
import type { OccurrenceChange } from '@atrium/contract/work/schedule'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Pill } from '#ui/pill.tsx'
import { changeName, changeSentence } from './change-labels.ts'

const maxShown = 2

type ChangesListProps = { changes: readonly OccurrenceChange[]; zone: string; now: number }

/** Timetable changes since yesterday that affect future events. Renders nothing if there are none. */
export function ChangesList({ changes, zone, now }: ChangesListProps) {
  const open = changes.filter(
    ({ endsAt, nowEndsAt }) => Date.parse(nowEndsAt ?? endsAt ?? '') > now,
  )
  if (open.length === 0) return null
  return (
    <section className="timetable-changes" aria-label={m.timetables_since_yesterday()}>
      <h3>{m.timetables_since_yesterday()}</h3>
      <ul>
        {open.slice(0, maxShown).map((change) => (
          <li key={`${change.title} ${change.startsAt} ${change.nowStartsAt}`}>
            <span className="timetable-change-name">
              <Pill tone={change.kind === 'cancelled' ? 'orange' : 'amber'}>
                {changeName(change.kind)}
              </Pill>
              <b>{inLanguage(change.title, change.titleEn)}</b>
            </span>
            <span className="muted num">{changeSentence(change, zone)}</span>
          </li>
        ))}
      </ul>
      {open.length > maxShown ? (
        <p className="muted">{m.timetables_more({ count: open.length - maxShown })}</p>
      ) : null}
    </section>
  )
}
