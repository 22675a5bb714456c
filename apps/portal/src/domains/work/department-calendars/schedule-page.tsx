import './department-calendars.css'
import '#domains/work/schedule/schedule.css'
import { dayIn } from '@atrium/rules/day-in'
import { useMemo } from 'react'
import { DepartmentPicker } from '#domains/content/workbench/department-picker.tsx'
import { CalendarGrid } from '#domains/work/schedule/calendar-grid.tsx'
import { daysFrom, lastDayOf, monthName, weekName } from '#domains/work/schedule/day-labels.ts'
import {
  addDays,
  addMonths,
  type Day,
  gridOf,
  monthOf,
  weekOf,
} from '#domains/work/schedule/days.ts'
import { type DayContent, eventsByDay } from '#domains/work/schedule/events-by-day.ts'
import { useNow } from '#domains/work/schedule/use-now.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { navigate, redirect } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { SelectField } from '#ui/form/select.tsx'
import { Steps } from '#ui/steps.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { useDepartmentCalendars, useMonthOf } from './calendar-queries.ts'
import { DayCard } from './day-card.tsx'

const path = '/pages/secondWork/calendar/schedule'
type View = 'month' | 'week' | 'list'
type Search = ReturnType<typeof useSearch<typeof path>>

/** The events in a department's calendars: a month, a week, or a month as a list. */
export default function SchedulePage() {
  const search = useSearch(path)
  const { department, calendarId, view = 'month' } = search
  const now = useNow()
  const { timeZone } = useSystem()
  const calendars = useDepartmentCalendars(department)
  const first = isDay(search.day) ? search.day : dayIn(now, timeZone)
  const events = useMonthOf(monthOf(first), { department, calendarId })
  const zone = events.data?.timeZone ?? timeZone
  const today = dayIn(now, zone)
  const day = isDay(search.day) ? search.day : today
  const month = monthOf(day)
  const contentOf = useMemo(
    () => eventsByDay(events.data && { list: events.data.list, holidays: [] }),
    [events.data],
  )
  const updateSearch = (change: Partial<Search>) => redirect(path, { ...search, ...change })
  const step = (count: number) =>
    updateSearch({
      day: view === 'week' ? addDays(day, count * 7) : startOf(addMonths(month, count), today),
    })
  const period = view === 'week' ? weekName(day) : monthName(month)
  const shared = { today, zone, now }
  return (
    <Page
      wide
      title={period}
      onRefresh={events.refetch}
      actions={
        <button
          type="button"
          className="schedule-today"
          onClick={() => updateSearch({ day: undefined })}
        >
          {m.department_calendars_today()}
        </button>
      }
    >
      <div className="column stack">
        <div className="department-tools">
          <DepartmentPicker
            department={department}
            onChoose={(code) => updateSearch({ department: code, calendarId: undefined })}
          />
          {calendars.isPending || (calendars.data && calendars.data.length > 1) ? (
            <SelectField
              label={m.department_calendars_which()}
              value={calendarId ?? ''}
              onValue={(id) => updateSearch({ calendarId: id || undefined })}
            >
              <option value="">{m.department_calendars_all()}</option>
              {calendars.data?.map(({ id, name, nameEn }) => (
                <option key={id} value={id}>
                  {inLanguage(name, nameEn)}
                </option>
              ))}
            </SelectField>
          ) : null}
          <Button
            wide
            onClick={() =>
              navigate('/pages/secondWork/schedule/creatShedul', { department, calendarId, day })
            }
          >
            {m.department_calendars_create()}
          </Button>
        </div>
        <div className="schedule-frame">
          <Steps
            earlier={m.department_calendars_earlier()}
            later={m.department_calendars_later()}
            period={period}
            onStep={step}
          />
          <Tabs
            variant="segment"
            label={m.department_calendars_look()}
            items={views().map(([value, label]) => ({ value, label }))}
            value={view}
            onChange={(next) => updateSearch({ view: next })}
          >
            <QueryView
              query={events}
              skeleton={<Skeleton rows={4} height={80} label={m.shell_loading()} />}
            >
              {() => {
                if (view === 'week')
                  return (
                    <div className="department-week">
                      {weekOf(day).map((one) => (
                        <DayCard key={one} day={one} content={contentOf(one)} {...shared} />
                      ))}
                    </div>
                  )
                if (view === 'list')
                  return <MonthList month={month} contentOf={contentOf} {...shared} />
                return (
                  <div className="department-month">
                    <Card>
                      <CalendarGrid
                        label={monthName(month)}
                        days={gridOf(month)}
                        chosen={day}
                        today={today}
                        contentOf={contentOf}
                        onChoose={(next) => updateSearch({ day: next })}
                      />
                    </Card>
                    <DayCard day={day} content={contentOf(day)} {...shared} />
                  </div>
                )
              }}
            </QueryView>
          </Tabs>
        </div>
      </div>
    </Page>
  )
}

const isDay = (day: string | undefined): day is Day =>
  day !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day))
/** Today for the current month, the first day for others. */
const startOf = (month: string, today: Day) => (monthOf(today) === month ? today : `${month}-01`)

const views = (): [View, string][] => [
  ['month', m.department_calendars_month()],
  ['week', m.department_calendars_week()],
  ['list', m.department_calendars_list()],
]

type MonthListProps = {
  month: string
  contentOf: (day: Day) => DayContent
  today: Day
  zone: string
  now: Date
}

function MonthList({ month, contentOf, ...shared }: MonthListProps) {
  const days = daysFrom(`${month}-01`, lastDayOf(month)).filter(
    (day) => contentOf(day).events.length > 0,
  )
  if (days.length === 0)
    return (
      <Card>
        <Empty icon="calendar" title={m.department_calendars_none()}>
          {m.department_calendars_none_text()}
        </Empty>
      </Card>
    )
  return (
    <div className="workbench-parts">
      {days.map((day) => (
        <DayCard key={day} day={day} content={contentOf(day)} {...shared} />
      ))}
    </div>
  )
}
