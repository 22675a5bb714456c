import '#domains/work/appointments/appointments.css'
import { useEffect } from 'react'
import { startDraft, useDraft } from '#domains/work/appointments/appointment-draft.ts'
import { AppointmentForm } from '#domains/work/appointments/appointment-form.tsx'
import { firstTimes } from '#domains/work/appointments/first-times.ts'
import { useClock } from '#domains/work/schedule/use-clock.ts'
import { m } from '#paraglide/messages.js'
import { navigate } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { useDepartmentCalendars } from './calendar-queries.ts'
import { type FormCalendar, formCalendars } from './form-calendars.ts'

const skeleton = () => <Skeleton height={520} label={m.shell_loading()} />

/** Creates an event in a department's calendar. */
export default function CreatePage() {
  const search = useSearch('/pages/secondWork/schedule/creatShedul')
  const { department, calendarId, day } = search
  const calendars = useDepartmentCalendars(department)
  const { zone } = useClock()
  return (
    <Page>
      <div className="column stack">
        <QueryView
          query={calendars}
          skeleton={skeleton()}
          isEmpty={(list) => list.length === 0}
          empty={
            <Card>
              <Empty
                icon="calendar"
                title={m.department_calendars_no_calendar()}
                action={
                  <Button
                    onClick={() =>
                      navigate('/pages/secondWork/calendar/calendarSet', { department, id: 'new' })
                    }
                  >
                    {m.department_calendars_new()}
                  </Button>
                }
              >
                {m.department_calendars_no_calendar_text()}
              </Empty>
            </Card>
          }
        >
          {(list) =>
            zone ? (
              <New
                zone={zone}
                day={day}
                calendars={formCalendars(list)}
                calendarId={list.find(({ id }) => id === calendarId)?.id ?? list[0]?.id ?? ''}
              />
            ) : (
              skeleton()
            )
          }
        </QueryView>
      </div>
    </Page>
  )
}

type NewProps = {
  zone: string
  day: string | undefined
  calendars: FormCalendar[]
  calendarId: string
}

function New({ zone, day, calendars, calendarId }: NewProps) {
  const source = `department ${calendarId} ${day ?? ''}`
  useEffect(
    () => startDraft(source, { titleEn: '', calendarId, timeZone: zone, ...firstTimes(zone, day) }),
    [source, calendarId, zone, day],
  )
  return useDraft().begun === source ? (
    <AppointmentForm zone={zone} department={{ calendars }} />
  ) : (
    skeleton()
  )
}
