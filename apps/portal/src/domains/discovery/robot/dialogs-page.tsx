import './robot.css'
import { type Dialog, robot } from '@atrium/contract/discovery/robot'
import { useInfiniteQuery } from '@tanstack/react-query'
import { formatRelativeTime } from '#lib/format.ts'
import { pages } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { useAction } from '#shell/page/action.ts'
import { ListEnd } from '#shell/page/list-end.tsx'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { RowContent } from '#ui/list-row.tsx'
import { Icon } from '#ui/media/icon.tsx'

/** The member's earlier dialogs. */
export default function DialogsPage() {
  const dialogs = useInfiniteQuery(pages(robot.dialogs))
  return (
    <Page onRefresh={dialogs.refetch}>
      <div className="column stack">
        <QueryView
          query={dialogs}
          skeleton={<Skeleton rows={6} height={56} label={m.shell_loading()} />}
          isEmpty={({ pages: [first] }) => first?.list.length === 0}
          empty={
            <Card>
              <Empty
                icon="chat"
                title={m.robot_dialogs_empty()}
                action={
                  <Link className="button button-plain" to="/pages/robot/robot">
                    {m.robot_ask()}
                  </Link>
                }
              />
            </Card>
          }
        >
          {({ pages: all }) => (
            <>
              <ul className="row-list" aria-label={m.robot_dialogs_title()}>
                {all.flatMap(({ list }) =>
                  list.map((dialog) => <DialogRow key={dialog.id} dialog={dialog} />),
                )}
              </ul>
              <ListEnd query={dialogs} />
            </>
          )}
        </QueryView>
      </div>
    </Page>
  )
}

function DialogRow({ dialog: { id, title, state, lastAt } }: { dialog: Dialog }) {
  const { mutate, isPending } = useAction(robot.removeDialog, { invalidates: [robot.dialogs] })
  const atDesk = state === 'waiting' || state === 'agent'
  return (
    <li className="chat-dialog">
      <Link className="list-row" to="/pages/robot/robot" search={{ dialogId: id }}>
        <RowContent
          icon="chat"
          value={
            <span className="num">
              {atDesk ? m.robot_at_desk() : formatRelativeTime('robot', lastAt)}
            </span>
          }
        >
          {title}
        </RowContent>
      </Link>
      {atDesk ? null : (
        <IconButton
          label={m.robot_delete({ title })}
          aria-busy={isPending || undefined}
          onClick={() => mutate({ query: { dialogId: id } })}
        >
          <Icon name="trash" />
        </IconButton>
      )}
    </li>
  )
}
