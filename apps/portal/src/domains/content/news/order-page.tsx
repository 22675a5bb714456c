import '#ui/order-list.css'
import { news, type OwnColumn } from '@atrium/contract/content/news'
import { lazy, Suspense, useRef, useState } from 'react'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import type { RowProps } from '#ui/draggable-rows.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { topColumns } from './columns.ts'
import { useOwnColumns } from './news-queries.ts'

/** Dragging is fetched when the list stands: the buttons work without it. */
const DraggableRows = lazy(() => import('#ui/draggable-rows.tsx'))

/** The order of the columns in the news tab: dragged, or moved by buttons. */
export default function OrderPage() {
  const columns = useOwnColumns()
  return (
    <Page>
      <div className="column stack">
        <QueryView
          query={columns}
          skeleton={<Skeleton rows={6} height={60} label={m.shell_loading()} />}
          isEmpty={(list) => list.length === 0}
          empty={
            <Empty icon="news" title={m.news_columns_none()}>
              {m.news_columns_none_text()}
            </Empty>
          }
        >
          {(list) => <Order columns={topColumns(list)} />}
        </QueryView>
      </div>
    </Page>
  )
}

function Order({ columns }: { columns: readonly OwnColumn[] }) {
  const [order, setOrder] = useState<readonly string[]>()
  const [said, setSaid] = useState('')
  const list = useRef<HTMLUListElement>(null)
  const save = useAction(news.arrangeColumns, {
    refresh: [news.ownColumns],
    failed() {
      setOrder(undefined)
      return false
    },
  })
  const ids = order ?? columns.map(({ id }) => id)
  const shown = ids.flatMap((id) => columns.find((column) => column.id === id) ?? [])
  const move = (from: number, to: number) => {
    const column = shown[from]
    if (!column || to < 0 || to >= shown.length || from === to) return
    const next = [...shown]
    next.splice(from, 1)
    next.splice(to, 0, column)
    setOrder(next.map(({ id }) => id))
    setSaid(m.news_order_moved({ name: inLanguage(column.name, column.nameEn), place: to + 1 }))
    save.mutate({ body: { columns: next.map(({ id, subscribed }) => ({ id, subscribed })) } })
  }
  const row: RowProps['row'] = ({ id }, index, handle) => {
    const column = columns.find((one) => one.id === id)
    const name = column ? inLanguage(column.name, column.nameEn) : ''
    return (
      <>
        <span className="order-handle" ref={handle} aria-hidden="true">
          ⠿
        </span>
        <span className="order-name">
          {name}
          {column?.subscribed ? null : (
            <span className="muted"> · {m.news_order_unsubscribed()}</span>
          )}
        </span>
        <span className="order-ways">
          {(['up', 'down'] as const).map((way) => (
            <button
              key={way}
              type="button"
              className={`icon-button order-${way}`}
              aria-label={way === 'up' ? m.news_order_up({ name }) : m.news_order_down({ name })}
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
      <p className="muted">{m.news_order_text()}</p>
      <ul className="order-list" ref={list} aria-label={m.news_order_title()}>
        <Suspense
          fallback={shown.map((column, index) => (
            <li key={column.id}>{row(column, index, undefined)}</li>
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
