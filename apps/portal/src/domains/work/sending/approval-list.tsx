import { m } from '#paraglide/messages.js'
import { ListEnd } from '#shell/page/list-end.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { RowList } from '#ui/list-row.tsx'
import { useApprovals } from './sending-queries.ts'
import { SendingRow } from './sent-list.tsx'

/** Messages waiting for this user's approval, oldest first. */
export function ApprovalList() {
  const query = useApprovals()
  return (
    <QueryView
      query={query}
      skeleton={<Skeleton rows={3} height={72} label={m.shell_loading()} />}
      isEmpty={({ pages: [first] }) => first?.list.length === 0}
      empty={
        <Card>
          <Empty icon="check" title={m.sending_to_approve_none()} />
        </Card>
      }
    >
      {({ pages }) => (
        <>
          <RowList label={m.sending_approvals()} values="beside">
            {pages.flatMap(({ list }) =>
              list.map((one) => <SendingRow key={one.sendId} sending={one} by={one.author} />),
            )}
          </RowList>
          <ListEnd query={query} />
        </>
      )}
    </QueryView>
  )
}
