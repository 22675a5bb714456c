import './settings-page.css'
import type { OwnColumn } from '@atrium/contract/content/news'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { LinkRow } from '#shell/navigation/link-row.tsx'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Switch } from '#ui/form/switch.tsx'
import { RowList } from '#ui/list-row.tsx'
import { topColumns } from './columns.ts'
import { useArrangeColumns, useOwnColumns } from './news-queries.ts'

/** The column subscriptions of the news tab, with links to its other settings. */
export default function SettingsPage() {
  const columns = useOwnColumns()
  return (
    <Page onRefresh={columns.refetch}>
      <div className="column stack">
        <RowList label={m.news_settings_title()}>
          <LinkRow icon="swap" to="/msgCenter/pages/news/adjustmentOrder">
            {m.news_order_title()}
          </LinkRow>
          <LinkRow icon="grid" to="/msgCenter/pages/news/applicationGroup">
            {m.news_groups_title()}
          </LinkRow>
        </RowList>
        <QueryView
          query={columns}
          skeleton={<Skeleton rows={6} height={52} label={m.shell_loading()} />}
          isEmpty={(list) => list.length === 0}
          empty={
            <Empty icon="news" title={m.news_columns_none()}>
              {m.news_columns_none_text()}
            </Empty>
          }
        >
          {(list) => <Subscriptions columns={topColumns(list)} />}
        </QueryView>
      </div>
    </Page>
  )
}

function Subscriptions({ columns }: { columns: readonly OwnColumn[] }) {
  const arrange = useArrangeColumns()
  return (
    <Card title={m.news_subscriptions()}>
      <p className="muted">{m.news_subscriptions_text()}</p>
      <ul className="news-subscriptions" aria-label={m.news_subscriptions()}>
        {columns.map(({ id, name, nameEn, subscribed }) => (
          <li key={id}>
            <Switch
              label={inLanguage(name, nameEn)}
              checked={subscribed}
              onChange={(next) =>
                arrange.mutate({
                  body: {
                    columns: columns.map((one) => ({
                      id: one.id,
                      subscribed: one.id === id ? next : one.subscribed,
                    })),
                  },
                })
              }
            />
          </li>
        ))}
      </ul>
    </Card>
  )
}
