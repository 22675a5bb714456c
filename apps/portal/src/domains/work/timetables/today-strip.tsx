import './timetables.css'
import type { Occurrence } from '@atrium/contract/work/schedule'
import { formatTime } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { Card } from '#ui/card.tsx'
import { UserText } from '#ui/user-text.tsx'
import { ChangesList } from './changes-list.tsx'
import { useChanges } from './timetables-queries.ts'
import { WalkLine } from './walk-line.tsx'

type TodayStripProps = { today: readonly Occurrence[]; zone: string; now: Date }

/** Shown above the schedule: today's next event with its place and walking time, and changes since yesterday. */
export function TodayStrip({ today, zone, now }: TodayStripProps) {
  const changes = useChanges().data ?? []
  const next = today.find(
    ({ struck, allDay, startsAt }) => !struck && !allDay && Date.parse(startsAt) > now.getTime(),
  )
  const changed = changes.some(
    ({ endsAt, nowEndsAt }) => Date.parse(nowEndsAt ?? endsAt ?? '') > now.getTime(),
  )
  if (!next && !changed) return null
  return (
    <Card>
      {next ? (
        <Link
          className="timetable-next"
          to="/pages/shedul/shedulDetail"
          search={{ id: next.id, startsAt: next.startsAt }}
        >
          <span className="muted">{m.timetables_next()}</span>
          <b>
            <Bilingual zh={next.title} en={next.titleEn} />
          </b>
          <span className="num">
            {formatTime(next.startsAt, zone)}
            {next.location ? (
              <>
                {' · '}
                <UserText>{inLanguage(next.location, next.locationEn)}</UserText>
              </>
            ) : null}
          </span>
          <WalkLine next={next} list={today} />
        </Link>
      ) : null}
      <ChangesList changes={changes} zone={zone} now={now.getTime()} />
    </Card>
  )
}
