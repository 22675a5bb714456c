import '#domains/work/schedule/schedule.css'
import '#domains/work/schedule/event-row.css'
import type { Calendar } from '@atrium/contract/work/calendars'
import { useCalendars } from '#domains/work/schedule/schedule-queries.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'

const kinds = ['course', 'personal', 'public'] as const

/** The calendars whose events the schedule shows, with their colours. */
export default function CalendarsPage() {
  const calendars = useCalendars()
  return (
    <Page onRefresh={() => calendars.refetch()}>
      <div className="column stack">
        <QueryView
          query={calendars}
          skeleton={<Skeleton rows={3} height={150} label={m.shell_loading()} />}
          isEmpty={(list) => list.length === 0}
          empty={
            <Empty icon="calendar" title={m.schedule_no_calendars()}>
              {m.schedule_no_calendars_text()}
            </Empty>
          }
        >
          {(list) =>
            kinds.map((kind) => (
              <Group
                key={kind}
                kind={kind}
                calendars={list.filter((calendar) => calendar.kind === kind)}
              />
            ))
          }
        </QueryView>
      </div>
    </Page>
  )
}

function Group({ kind, calendars }: { kind: Calendar['kind']; calendars: Calendar[] }) {
  if (calendars.length === 0) return null
  return (
    <Card title={kindName(kind)}>
      <ul>
        {calendars.map(({ id, name, nameEn, color }) => (
          <li key={id} className={`calendar-row event-${color}`}>
            <span className="calendar-swatch" />
            {inLanguage(name, nameEn)}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function kindName(kind: Calendar['kind']) {
  switch (kind) {
    case 'course':
      return m.schedule_kind_course()
    case 'personal':
      return m.schedule_kind_personal()
    case 'public':
      return m.schedule_kind_public()
  }
}
