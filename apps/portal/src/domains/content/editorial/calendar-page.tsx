import './calendar-page.css'
import '#domains/content/workbench/workbench-page.css'
import { articleReview } from '@atrium/contract/content/editorial-review.operator'
import { dayIn } from '@atrium/rules/day-in'
import { DragDropProvider, PointerSensor, useDraggable, useDroppable } from '@dnd-kit/react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { DepartmentPicker } from '#domains/content/workbench/department-picker.tsx'
import { inDepartment } from '#domains/content/workbench/workbench-queries.ts'
import { format, formatDayAndWeekday, formatTime, formatWeekday } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { Link } from '#shell/navigation/link.tsx'
import { redirect } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { dragPlugins } from '#ui/dragging.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { daysOfMonth, monthAfter } from './months.ts'
import { instantOf, localTime, PlanField, usePlan } from './plan-field.tsx'
import { StatePills } from './state-pills.tsx'
import type { ArticleLine } from './workbench-queries.ts'

const path = '/pages/secondWork/news/calendar'
/** Default time of publication if only a day is given. */
const usualTime = '08:00'

const calendarTimeOf = (line: ArticleLine) =>
  (line.showing === 'never' || line.showing === 'withdrawn' ? line.plannedAt : line.publishedAt) ??
  line.updatedAt

/** Calendar of planned and past publications; planned ones can be moved by dragging or from a menu. */
export default function CalendarPage() {
  const { department, month: requestedMonth } = useSearch(path)
  const { timeZone } = useSystem()
  const today = dayIn(Date.now(), timeZone)
  const month =
    requestedMonth && /^\d{4}-\d{2}$/.test(requestedMonth) ? requestedMonth : today.slice(0, 7)
  const [moving, setMoving] = useState<ArticleLine>()
  const days = daysOfMonth(month)
  const query = useQuery(
    q(articleReview.calendar, {
      query: {
        from: instantOf(`${month}-01T00:00`, timeZone),
        to: instantOf(`${monthAfter(month, 1)}-01T00:00`, timeZone),
        ...inDepartment(department),
      },
    }),
  )
  const plan = usePlan()
  const updateSearch = (search: { department?: string | undefined; month?: string }) =>
    redirect(path, { department, month, ...search })
  const move = (line: ArticleLine, day: string) => {
    const previous = localTime(calendarTimeOf(line), timeZone)
    if (previous.startsWith(day)) return
    const at = instantOf(`${day}T${previous.slice(11) || usualTime}`, timeZone)
    if (Date.parse(at) <= Date.now()) return toast(m.editorial_plan_past())
    plan.mutate({ params: { id: line.id }, body: { revision: line.revision, at } })
  }
  return (
    <Page wide onRefresh={query.refetch}>
      <div className="column stack">
        <DepartmentPicker
          department={department}
          onChoose={(code) => updateSearch({ department: code })}
        />
        <div className="plan-months">
          <IconButton
            label={m.editorial_month_before()}
            onClick={() => updateSearch({ month: monthAfter(month, -1) })}
          >
            <Icon name="back" />
          </IconButton>
          <h2 className="plan-month" aria-live="polite">
            {format(instantOf(`${month}-15T12:00`, timeZone), {
              year: 'numeric',
              month: 'long',
              timeZone,
            })}
          </h2>
          <IconButton
            label={m.editorial_month_after()}
            onClick={() => updateSearch({ month: monthAfter(month, 1) })}
          >
            <Icon name="chevron" />
          </IconButton>
        </div>
        <QueryView
          query={query}
          skeleton={<Skeleton height={480} label={m.shell_loading()} />}
          isEmpty={(list) => list.length === 0}
          empty={
            <Card>
              <Empty icon="calendar" title={m.editorial_calendar_empty()}>
                {m.editorial_calendar_empty_hint()}
              </Empty>
            </Card>
          }
        >
          {(lines) => {
            const byDay = grouped(lines, timeZone)
            return (
              <DragDropProvider
                plugins={dragPlugins}
                sensors={[PointerSensor]}
                onDragEnd={({ operation: { source, target }, canceled }) => {
                  const line = lines.find(({ id }) => id === source?.id)
                  if (!canceled && line && target) move(line, String(target.id))
                }}
              >
                <ol className="plan-days">
                  {days.map(({ day, column }) => (
                    <Day
                      key={day}
                      day={day}
                      column={column}
                      isToday={day === today}
                      isEmpty={!byDay.has(day)}
                      zone={timeZone}
                    >
                      {byDay.get(day)?.map((line) => (
                        <Planned key={line.id} article={line} zone={timeZone} onMove={setMoving} />
                      ))}
                    </Day>
                  ))}
                </ol>
              </DragDropProvider>
            )
          }}
        </QueryView>
      </div>
      <Dialog
        open={moving !== undefined}
        onClose={() => setMoving(undefined)}
        title={moving ? inLanguage(moving.title, moving.titleEn) : ''}
      >
        {moving ? (
          <PlanField key={moving.id} article={moving} onDone={() => setMoving(undefined)} />
        ) : null}
      </Dialog>
    </Page>
  )
}

function grouped(lines: readonly ArticleLine[], zone: string) {
  const byDay = new Map<string, ArticleLine[]>()
  for (const line of lines) {
    const day = dayIn(Date.parse(calendarTimeOf(line)), zone)
    byDay.set(day, [...(byDay.get(day) ?? []), line])
  }
  return byDay
}

type DayProps = {
  day: string
  /** day of the week from Monday (1); only for the first day of the month */
  column: number | undefined
  isToday: boolean
  isEmpty: boolean
  zone: string
  children: ReactNode
}

function Day({ day, column, isToday, isEmpty, zone, children }: DayProps) {
  const { ref, isDropTarget } = useDroppable({ id: day })
  const noon = instantOf(`${day}T12:00`, zone)
  const looks = ['plan-day', isEmpty && 'plan-day-empty', isDropTarget && 'plan-day-target']
  return (
    <li
      className={looks.filter(Boolean).join(' ')}
      data-column={column}
      aria-current={isToday ? 'date' : undefined}
      ref={ref}
    >
      <h3 className="plan-day-name num">
        <span className="plan-day-long">{formatDayAndWeekday(noon, zone)}</span>
        <span className="plan-day-short" aria-hidden="true">
          {Number(day.slice(8))} {formatWeekday(noon, zone)}
        </span>
      </h3>
      {isEmpty ? null : <ul className="plan-list">{children}</ul>}
    </li>
  )
}

type PlannedProps = { article: ArticleLine; zone: string; onMove: (line: ArticleLine) => void }

function Planned({ article, zone, onMove }: PlannedProps) {
  const fixed = article.showing === 'shown'
  const { ref, handleRef, isDragging } = useDraggable({ id: article.id, disabled: fixed })
  const title = inLanguage(article.title, article.titleEn)
  return (
    <li className={isDragging ? 'plan-item plan-item-dragged' : 'plan-item'} ref={ref}>
      <Link
        className="plan-link"
        to="/pages/secondWork/gonggao/gonggaoSet"
        search={{ id: article.id, kind: article.kind }}
      >
        <time className="num muted" dateTime={calendarTimeOf(article)}>
          {formatTime(calendarTimeOf(article), zone)}
        </time>
        <span className="plan-title">{title}</span>
        <span className="workbench-pills">
          <StatePills {...article} />
        </span>
      </Link>
      {fixed ? null : (
        <span className="plan-handle" ref={handleRef}>
          <IconButton label={m.editorial_move_this({ title })} onClick={() => onMove(article)}>
            <Icon name="swap" />
          </IconButton>
        </span>
      )}
    </li>
  )
}
