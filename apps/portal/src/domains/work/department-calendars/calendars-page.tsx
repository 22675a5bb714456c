import '#domains/content/workbench/workbench-page.css'
import '#domains/work/calendars/calendars.css'
import '#domains/work/schedule/event-row.css'
import type { DepartmentCalendar } from '@atrium/contract/work/department-calendars.operator'
import { DepartmentPicker } from '#domains/content/workbench/department-picker.tsx'
import { Split } from '#domains/content/workbench/split.tsx'
import { formatNumber } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { LinkRow } from '#shell/navigation/link-row.tsx'
import { navigate, redirect } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { RowList } from '#ui/list-row.tsx'
import { Pill } from '#ui/pill.tsx'
import { CalendarForm } from './calendar-form.tsx'
import { useDepartmentCalendars } from './calendar-queries.ts'

const path = '/pages/secondWork/calendar/calendarSet'

/** The public calendars of a department. */
export default function CalendarsPage() {
  const { department, id } = useSearch(path)
  const calendars = useDepartmentCalendars(department)
  const chosen = calendars.data?.find((calendar) => calendar.id === id)
  return (
    <Page wide onRefresh={calendars.refetch}>
      <div className="column stack">
        <Split
          list={
            <>
              <div className="workbench-tools">
                <DepartmentPicker
                  department={department}
                  onChoose={(code) => redirect(path, { department: code })}
                />
                <Button wide onClick={() => navigate(path, { department, id: 'new' })}>
                  {m.department_calendars_new()}
                </Button>
              </div>
              <QueryView
                query={calendars}
                skeleton={<Skeleton rows={3} height={64} label={m.shell_loading()} />}
                isEmpty={(list) => list.length === 0}
                empty={
                  <Card>
                    <Empty icon="calendar" title={m.department_calendars_empty()}>
                      {m.department_calendars_empty_text()}
                    </Empty>
                  </Card>
                }
              >
                {(list) => (
                  <Card>
                    <ul className="workbench-set-rows">
                      {list.map((calendar) => (
                        <Row
                          key={calendar.id}
                          calendar={calendar}
                          department={department}
                          chosen={id}
                        />
                      ))}
                    </ul>
                  </Card>
                )}
              </QueryView>
              <RowList>
                <LinkRow
                  to="/pages/secondWork/calendar/schedule"
                  search={{ department }}
                  icon="clock"
                >
                  {m.department_calendars_schedule()}
                </LinkRow>
              </RowList>
            </>
          }
          detail={
            id === 'new' ? (
              <CalendarForm key="new" department={department} />
            ) : chosen ? (
              <CalendarForm
                key={`${chosen.id} ${chosen.revision}`}
                department={department}
                calendar={chosen}
              />
            ) : null
          }
        />
      </div>
    </Page>
  )
}

type RowProps = {
  calendar: DepartmentCalendar
  department: string | undefined
  chosen: string | undefined
}

function Row({ calendar, department, chosen }: RowProps) {
  const { id, color, events, subscribers, shownToAll } = calendar
  const name = inLanguage(calendar.name, calendar.nameEn)
  return (
    <li className={`workbench-set-row event-${color}`}>
      <span className="calendar-swatch" />
      <Link
        to={path}
        search={{ department, id }}
        verb={chosen ? 'redirect' : 'navigate'}
        aria-current={id === chosen ? 'page' : undefined}
      >
        <span>{name}</span>
        <span className="workbench-part-facts muted num">
          <span>{inLanguage(calendar.organizationName, calendar.organizationNameEn)}</span>
          <span>{m.department_calendars_events({ count: formatNumber(events) })}</span>
          {shownToAll ? (
            <Pill tone="green">{m.department_calendars_shown()}</Pill>
          ) : (
            <span>{m.department_calendars_subscribers({ count: formatNumber(subscribers) })}</span>
          )}
        </span>
      </Link>
    </li>
  )
}
