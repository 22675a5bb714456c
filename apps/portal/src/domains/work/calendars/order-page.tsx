import '#domains/work/schedule/event-row.css'
import './calendars.css'
import { type Calendar, calendars } from '@atrium/contract/work/calendars'
import { useState } from 'react'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { OrderList } from '#ui/order-list.tsx'
import { useCalendars } from './calendar-queries.ts'

/** The order of the calendars in all lists: by dragging or by buttons. */
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
  const save = useAction(calendars.arrange, {
    invalidates: [calendars.list, calendars.own],
    queue: 'calendar-order',
    failed() {
      setOrder(undefined)
      return false
    },
  })
  const ids = order ?? list.map(({ id }) => id)
  const shown = ids.flatMap((id) => list.find((calendar) => calendar.id === id) ?? [])
  return (
    <>
      <p className="muted">{m.calendars_order_text()}</p>
      <OrderList
        label={m.calendars_order_title()}
        entries={shown.map(({ id, name, nameEn, color, owner }) => ({
          id,
          name: inLanguage(name, nameEn),
          mark: (
            <span className={`calendar-order-swatch event-${color}`}>
              <span className="calendar-swatch" />
            </span>
          ),
          content: owner ? (
            <>
              {inLanguage(name, nameEn)}
              <span className="muted"> · {owner}</span>
            </>
          ) : undefined,
        }))}
        onOrder={(ids) => {
          setOrder(ids)
          save.mutate({ body: { ids } })
        }}
      />
    </>
  )
}
