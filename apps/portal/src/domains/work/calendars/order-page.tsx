import '#domains/work/schedule/event-row.css'
import '#ui/order-list.css'
import './calendars.css'
import { type Calendar, calendars } from '@atrium/contract/work/calendars'
import { lazy, Suspense, useState } from 'react'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import type { RowProps } from '#ui/draggable-rows.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { useCalendars } from './calendar-queries.ts'

/** Dragging is fetched when the list stands: the buttons work without it. */
const DraggableRows = lazy(() => import('#ui/draggable-rows.tsx'))

/** The order of the calendars, wherever they are listed: dragged, or moved by buttons. */
export default function OrderPage() {
  const query = useCalendars()
  return (
    <Page>
      <div className="column stack">
        <QueryView
          query={query}
          skeleton={<Skeleton rows={6} height={60} label={m.shell_loading()} />}
          isEmpty={(list) => list.length === 0}
          empty={
            <Empty icon="calendar" title={m.schedule_no_calendars()}>
              {m.schedule_no_calendars_text()}
            </Empty>
          }
        >
          {(list) => <Order list={list.filter(({ subscribed }) => subscribed)} />}
        </QueryView>
      </div>
    </Page>
  )
}

function Order({ list }: { list: readonly Calendar[] }) {
  const [order, setOrder] = useState<readonly string[]>()
  const [said, setSaid] = useState('')
  const save = useAction(calendars.arrange, {
    refresh: [calendars.list, calendars.own],
    queue: 'calendar-order',
    failed() {
      setOrder(undefined)
      return false
    },
  })
  const ids = order ?? list.map(({ id }) => id)
  const shown = ids.flatMap((id) => list.find((calendar) => calendar.id === id) ?? [])
  const move = (from: number, to: number) => {
    const calendar = shown[from]
    if (!calendar || to < 0 || to >= shown.length || from === to) return
    const next = shown.filter((_, at) => at !== from)
    next.splice(to, 0, calendar)
    const moved = next.map(({ id }) => id)
    setOrder(moved)
    const name = inLanguage(calendar.name, calendar.nameEn)
    setSaid(m.calendars_order_moved({ name, place: to + 1 }))
    save.mutate({ body: { ids: moved } })
  }
  const row: RowProps['row'] = ({ id }, index, handle) => {
    const calendar = shown.find((one) => one.id === id)
    const name = calendar ? inLanguage(calendar.name, calendar.nameEn) : ''
    return (
      <>
        <span className="order-handle" ref={handle} aria-hidden="true">
          ⠿
        </span>
        <span className={`calendar-order-swatch event-${calendar?.color ?? 'blue'}`}>
          <span className="calendar-swatch" />
        </span>
        <span className="order-name">
          {name}
          {calendar?.owner ? <span className="muted"> · {calendar.owner}</span> : null}
        </span>
        <span className="order-ways">
          {(['up', 'down'] as const).map((way) => (
            <button
              key={way}
              type="button"
              className={`icon-button order-${way}`}
              aria-label={
                way === 'up' ? m.calendars_order_up({ name }) : m.calendars_order_down({ name })
              }
              aria-disabled={way === 'up' ? index === 0 : index === shown.length - 1}
              onClick={() => move(index, way === 'up' ? index - 1 : index + 1)}
            >
              <Icon name="back" />
            </button>
          ))}
        </span>
      </>
    )
  }
  return (
    <>
      <p className="muted">{m.calendars_order_text()}</p>
      <ul className="order-list" aria-label={m.calendars_order_title()}>
        <Suspense
          fallback={shown.map((calendar, index) => (
            <li key={calendar.id}>{row(calendar, index, undefined)}</li>
          ))}
        >
          <DraggableRows items={shown} row={row} onMove={move} />
        </Suspense>
      </ul>
      <p className="unseen" role="status">
        {said}
      </p>
    </>
  )
}
