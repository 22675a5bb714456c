import { remindersText } from '#domains/work/calendars/reminder-text.ts'
import { useEvent } from '#domains/work/schedule/schedule-queries.ts'
import { useClock } from '#domains/work/schedule/use-clock.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { LinkRow } from '#shell/navigation/link-row.tsx'
import { navigate } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { RowList } from '#ui/list-row.tsx'
import { addToDeviceCalendar } from './add-to-device-calendar.ts'
import { AnswerCard } from './answer-card.tsx'
import { DeleteEvent } from './delete-event.tsx'
import { EventFacts } from './event-facts.tsx'
import { ParticipantsCard } from './participants-card.tsx'

/** One event: time, repetition, place and participants. */
export default function EventPage() {
  const { id, startsAt } = useSearch('/pages/shedul/shedulDetail')
  const event = useEvent(id, startsAt)
  const { timeZone } = useSystem()
  const { zone = timeZone } = useClock()
  return (
    <Page onRefresh={() => event.refetch()}>
      <div className="column stack">
        <QueryView query={event} skeleton={<Skeleton height={360} label={m.shell_loading()} />}>
          {(data) => (
            <>
              {data.answer === null || data.own ? null : <AnswerCard key={data.id} event={data} />}
              <EventFacts event={data} zone={zone}>
                {data.editable ? (
                  <Button
                    wide
                    onClick={() =>
                      navigate('/pages/shedul/creatShedul', {
                        id: data.id,
                        startsAt: data.startsAt,
                      })
                    }
                  >
                    {m.appointments_edit()}
                  </Button>
                ) : null}
                <Button kind="plain" wide onClick={() => void addToDeviceCalendar(data)}>
                  {m.schedule_keep()}
                </Button>
              </EventFacts>
              {data.participants.length > 0 ? <ParticipantsCard event={data} /> : null}
              <RowList>
                {data.kind === 'event' && (data.editable || data.answer !== null) ? (
                  <LinkRow
                    to="/pages/shedul/checkIn"
                    search={{ id: data.id, startsAt: data.startsAt }}
                    icon="scan"
                  >
                    {m.appointments_check_in_title()}
                  </LinkRow>
                ) : null}
                <LinkRow
                  to="/pages/shedul/notice"
                  search={{ id: data.id }}
                  icon="bell"
                  value={remindersText(data.reminders, data.allDay)}
                >
                  {m.appointments_reminders()}
                </LinkRow>
                <LinkRow
                  to="/msgCenter/pages/task/addtodo"
                  search={{ event: data.id, startsAt: data.startsAt }}
                  icon="check"
                >
                  {m.schedule_to_todos()}
                </LinkRow>
              </RowList>
              {data.editable ? <DeleteEvent event={data} /> : null}
            </>
          )}
        </QueryView>
      </div>
    </Page>
  )
}
