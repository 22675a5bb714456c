import type { OwnColumn } from '@atrium/contract/content/news'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { OrderList } from '#ui/order-list.tsx'
import { topColumns } from './columns.ts'
import { useArrangeColumns, useOwnColumns } from './news-queries.ts'

/** The order of the columns in the news tab: by dragging or by buttons. */
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
  const arrange = useArrangeColumns()
  return (
    <>
      <p className="muted">{m.ui_order_text()}</p>
      <OrderList
        label={m.news_order_title()}
        entries={columns.map(({ id, name, nameEn, subscribed }) => ({
          id,
          name: inLanguage(name, nameEn),
          content: subscribed ? undefined : (
            <>
              {inLanguage(name, nameEn)}
              <span className="muted"> · {m.news_order_unsubscribed()}</span>
            </>
          ),
        }))}
        onOrder={(ids) => {
          const ordered = ids.flatMap((id) => columns.find((column) => column.id === id) ?? [])
          arrange.mutate({
            body: { columns: ordered.map(({ id, subscribed }) => ({ id, subscribed })) },
          })
        }}
      />
    </>
  )
}
