import './schedule.css'
import { dayIn } from '@atrium/rules/day-in'
import { parseZonedTime } from '@atrium/rules/parse-zoned-time'
import { type TouchEvent, useMemo, useRef, useState } from 'react'
import { ZoneNote } from '#domains/work/time-zone/zone-note.tsx'
import { useChanges } from '#domains/work/timetables/timetables-queries.ts'
import { TodayStrip } from '#domains/work/timetables/today-strip.tsx'
import { DueCard } from '#domains/work/todos/due-card.tsx'
import { useSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { useSettings, useSystem } from '#shell/config.ts'
import { Link } from '#shell/navigation/link.tsx'
import { navigate } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { SignInPrompt } from '#shell/sign-in/sign-in-prompt.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { Steps } from '#ui/steps.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { Agenda } from './agenda.tsx'
import { CalendarGrid, CalendarKey } from './calendar-grid.tsx'
import { dayName, monthName, weekName } from './day-labels.ts'
import { DayList } from './day-list.tsx'
import { addDays, addMonths, type Day, gridOf, type Month, monthOf, weekOf } from './days.ts'
import { eventsByDay } from './events-by-day.ts'
import { InvitationsCard } from './invitations-card.tsx'
import { useMonth } from './schedule-queries.ts'
import { TimeTable } from './time-table.tsx'
import { useNow } from './use-now.ts'

const views = ['month', 'week', 'day', 'list'] as const
type View = (typeof views)[number]

export default function SchedulePage() {
  return useSession() ? <MemberPage /> : <VisitorPage />
}

function VisitorPage() {
  return (
    <Page>
      <SignInPrompt icon="calendar" title={m.schedule_visitor_title()}>
        {m.schedule_visitor_text()}
      </SignInPrompt>
    </Page>
  )
}

function MemberPage() {
  const now = useNow()
  const { timeZone } = useSystem()
  const { ENV_SCHEDULES_VIEW: firstView } = useSettings()
  const [chosenView, setView] = useState<View>()
  const [chosenDay, setDay] = useState<Day>()
  const view = chosenView ?? views.find((one) => one === firstView) ?? 'month'

  // The member's zone comes with the events; until then the institution's determines the day.
  const [knownZone, setKnownZone] = useState<string>()
  const zone = knownZone ?? timeZone
  const today = dayIn(now, zone)
  const day = chosenDay ?? today
  const month = monthOf(day)
  const events = useMonth(month)
  const { data } = events
  if (data && data.timeZone !== knownZone) setKnownZone(data.timeZone)
  const contentOf = useMemo(() => eventsByDay(data), [data])
  // Content above the days would push them down under a finger: on the first view, render all of it together.
  const changes = useChanges()
  const [isReady, setIsReady] = useState(false)
  if (!isReady && !events.isLoading && !changes.isLoading) setIsReady(true)

  const startOf = (one: Day) => new Date(parseZonedTime(`${one}T00:00`, zone))
  const step = (count: number) => setDay(moved(view, day, count, today))
  const swipe = useSwipe(step)
  const period = view === 'week' ? weekName(day) : view === 'day' ? dayName(day) : monthName(month)
  const shared = { today, term: data?.term ?? null, zone, now }
  return (
    <Page
      title={period}
      onRefresh={() => events.refetch()}
      actions={
        <>
          <button type="button" className="schedule-today" onClick={() => setDay(undefined)}>
            {m.schedule_today()}
          </button>
          <IconButton
            label={m.schedule_calendars()}
            onClick={() => navigate('/pages/shedul/calendList')}
          >
            <Icon name="filter" />
          </IconButton>
        </>
      }
    >
      <div className="column schedule-column">
        <div className="schedule-frame">
          <Steps {...stepNames(view)} period={period} onStep={step} />
          <Tabs
            variant="segment"
            label={m.schedule_views()}
            items={views.map((value) => ({ value, label: viewName(value) }))}
            value={view}
            onChange={setView}
          >
            <div className="schedule-invitations">
              {data && isReady ? (
                <InvitationsCard events={data.list} zone={zone} now={now} />
              ) : null}
              {data && isReady && day === today && view !== 'week' ? (
                <TodayStrip today={contentOf(today).events} zone={zone} now={now} />
              ) : null}
            </div>
            {/* Not while unknown: it might disappear again under a finger. */}
            {knownZone ? <ZoneNote zone={knownZone} now={now} /> : null}
            {view === 'list' || !isReady ? null : (
              <div className={view === 'week' ? 'schedule-week' : ''} {...swipe}>
                <CalendarGrid
                  label={view === 'month' ? monthName(month) : weekName(day)}
                  days={view === 'month' ? weeksOf(month) : weekOf(day)}
                  chosen={day}
                  today={today}
                  contentOf={contentOf}
                  onChoose={setDay}
                />
                {view === 'day' ? null : <CalendarKey />}
              </div>
            )}
            {isReady ? (
              <div className="schedule-content stack">
                <QueryView
                  query={events}
                  skeleton={<Skeleton rows={3} height={72} label={m.shell_loading()} />}
                >
                  {() => {
                    switch (view) {
                      case 'month':
                        return (
                          <>
                            <DayList day={day} content={contentOf(day)} {...shared} />
                            <DueCard
                              from={startOf(day)}
                              until={startOf(addDays(day, 1))}
                              zone={zone}
                            />
                          </>
                        )
                      case 'week':
                        return (
                          <TimeTable
                            title={weekName(day)}
                            days={weekOf(day)}
                            contentOf={contentOf}
                            {...shared}
                          />
                        )
                      case 'day':
                        return (
                          <>
                            <TimeTable
                              title={dayName(day)}
                              days={[day]}
                              contentOf={contentOf}
                              {...shared}
                            />
                            {contentOf(day).events.length === 0 ? (
                              <p className="schedule-none">{m.schedule_none()}</p>
                            ) : null}
                            <DueCard
                              from={startOf(day)}
                              until={startOf(addDays(day, 1))}
                              zone={zone}
                            />
                          </>
                        )
                      case 'list':
                        return <Agenda month={month} contentOf={contentOf} {...shared} />
                    }
                  }}
                </QueryView>
              </div>
            ) : (
              <Skeleton rows={5} height={72} label={m.shell_loading()} />
            )}
          </Tabs>
        </div>
        <div className="schedule-new">
          <Link to="/pages/shedul/creatShedul" search={{ day }} aria-label={m.schedule_new()}>
            <Icon name="plus" />
          </Link>
        </div>
      </div>
    </Page>
  )
}

/** The weeks of the grid that contain a day of the month. */
const weeksOf = (month: Month) =>
  gridOf(month).filter((_, at, days) => monthOf(days[at - (at % 7)] ?? '') <= month)

/** One step in a view; in the month view to the first day, or today if the month contains it. */
function moved(view: View, day: Day, count: number, today: Day): Day {
  if (view === 'day') return addDays(day, count)
  if (view === 'week') return addDays(day, 7 * count)
  const month = addMonths(monthOf(day), count)
  return monthOf(today) === month ? today : `${month}-01`
}

function viewName(view: View) {
  switch (view) {
    case 'month':
      return m.schedule_view_month()
    case 'week':
      return m.schedule_view_week()
    case 'day':
      return m.schedule_view_day()
    case 'list':
      return m.schedule_view_list()
  }
}

function stepNames(view: View) {
  if (view === 'day') return { earlier: m.schedule_previous_day(), later: m.schedule_next_day() }
  if (view === 'week') return { earlier: m.schedule_previous_week(), later: m.schedule_next_week() }
  return { earlier: m.schedule_previous_month(), later: m.schedule_next_month() }
}

const swipeDistance = 56

/** Swiping left goes forward, swiping right goes back. */
function useSwipe(step: (count: number) => void) {
  const start = useRef<{ x: number; y: number } | undefined>(undefined)
  return {
    onTouchStart: ({ touches }: TouchEvent) => {
      const touch = touches.length === 1 ? touches[0] : undefined
      start.current = touch && { x: touch.clientX, y: touch.clientY }
    },
    onTouchEnd: ({ changedTouches }: TouchEvent) => {
      const touch = changedTouches[0]
      if (!start.current || !touch) return
      const x = touch.clientX - start.current.x
      const y = touch.clientY - start.current.y
      start.current = undefined
      if (Math.abs(x) > swipeDistance && Math.abs(x) > 1.5 * Math.abs(y)) step(x < 0 ? 1 : -1)
    },
  }
}
