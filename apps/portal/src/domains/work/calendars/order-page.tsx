import '#domains/work/schedule/event-row.css'
import './calendars.css'
import { type Calendar, calendars } from '@atrium/contract/work/calendars'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useOptimisticAction } from '#shell/page/action.ts'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { OrderList } from '#ui/order-list.tsx'
import { groupCalendars } from './calendar-groups.ts'
import { useCalendars } from './calendar-queries.ts'

/** The order of the calendars within their groups in all lists: by dragging or by buttons. */
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
  const save = useOptimisticAction(calendars.arrange, {
    query: q(calendars.list),
    update: (all, { body: { ids } }) => [
      ...ids.flatMap((id) => all.find((calendar) => calendar.id === id) ?? []),
      ...all.filter(({ id }) => !ids.includes(id)),
    ],
    invalidates: [calendars.own],
    queue: 'calendar-order',
  })
  const groups = groupCalendars(list)
  return (
    <>
      <p className="muted">{m.ui_order_text()}</p>
      {groups.map((group) => (
        <Card key={group.name} title={group.name} flush>
          <OrderList
            label={group.name}
            entries={group.calendars.map(({ id, name, nameEn, color, owner }) => ({
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
            onOrder={(ordered) =>
              save.mutate({
                body: {
                  ids: groups.flatMap((one) =>
                    one === group ? ordered : one.calendars.map(({ id }) => id),
                  ),
                },
              })
            }
          />
        </Card>
      ))}
    </>
  )
}
