import { departmentEvents } from '@atrium/contract/work/department-calendars.operator'
import { DeleteEvent } from '#domains/work/event-detail/delete-event.tsx'
import { EventFacts } from '#domains/work/event-detail/event-facts.tsx'
import { ParticipantsCard } from '#domains/work/event-detail/participants-card.tsx'
import { useClock } from '#domains/work/schedule/use-clock.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { LinkRow } from '#shell/navigation/link-row.tsx'
import { navigate } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { RowList } from '#ui/list-row.tsx'
import { useDepartmentEvent } from './calendar-queries.ts'

/** An event as seen by its department: details and participants. */
export default function EventPage() {
  const { id, startsAt } = useSearch('/pages/secondWork/schedule/shedulDetail')
  const event = useDepartmentEvent(id, startsAt)
  const { timeZone } = useSystem()
  const { zone = timeZone } = useClock()
  return (
    <Page onRefresh={() => event.refetch()}>
      <div className="column stack">
        <QueryView query={event} skeleton={<Skeleton height={360} label={m.shell_loading()} />}>
          {(data) => (
            <>
              <EventFacts event={data} zone={zone}>
                <Button
                  wide
                  onClick={() =>
                    navigate('/pages/secondWork/schedule/editSchedul', {
                      id: data.id,
                      startsAt: data.startsAt,
                    })
                  }
                >
                  {m.appointments_edit()}
                </Button>
              </EventFacts>
              {data.participants.length > 0 ? (
                <ParticipantsCard event={data} />
              ) : (
                <Card title={m.department_calendars_people()}>
                  <p className="muted">{m.department_calendars_people_none()}</p>
                </Card>
              )}
              {data.writtenBy ? (
                <p className="muted">
                  {m.department_calendars_written_by({ name: data.writtenBy })}
                </p>
              ) : null}
              <RowList>
                <LinkRow
                  to="/pages/shedul/shedulDetail"
                  search={{ id: data.id, startsAt: data.startsAt }}
                  icon="eye"
                >
                  {m.department_calendars_as_member()}
                </LinkRow>
              </RowList>
              <DeleteEvent event={data} endpoint={departmentEvents.remove} />
            </>
          )}
        </QueryView>
      </div>
    </Page>
  )
}
