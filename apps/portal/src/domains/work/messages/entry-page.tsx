import './messages.css'
import type { MessageLine } from '@atrium/contract/work/messages'
import { ago } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { redirect } from '#shell/navigation/navigation.ts'
import { ListEnd } from '#shell/page/list-end.tsx'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { MarkAllRead } from './mark-all-read.tsx'
import { useMessageApps, useMessageList } from './messages-queries.ts'

const path = '/pagesA/message/entry'

/** The messages of one application, or all of them. */
export default function EntryPage() {
  const { appId, unread } = useSearch(path)
  const { apps, unreadWithMuted } = useMessageApps()
  const list = useMessageList({ appId, unread })
  const app = apps.data?.find((one) => one.appId === appId)
  // In the address, so that coming back from a message finds the same list.
  const show = (shown: 'all' | 'unread') =>
    redirect(path, { ...(appId !== undefined && { appId }), unread: shown === 'unread' })
  const waiting = appId === undefined ? unreadWithMuted : (app?.unreadCount ?? 0)
  const title = app ? inLanguage(app.name, app.nameEn) : m.messages_title()
  return (
    <Page
      title={title}
      actions={waiting > 0 ? <MarkAllRead count={waiting} appId={appId} /> : null}
      onRefresh={() => list.refetch()}
    >
      <div className="column">
        <Tabs
          look="segment"
          label={m.messages_filter()}
          items={[
            { value: 'all', label: m.messages_filter_all() },
            { value: 'unread', label: m.messages_filter_unread() },
          ]}
          value={unread ? 'unread' : 'all'}
          onChange={show}
        >
          <div className="message-panel">
            <QueryView
              query={list}
              skeleton={<Skeleton rows={6} height={84} label={m.shell_loading()} />}
              isEmpty={({ pages }) => pages.every((page) => page.list.length === 0)}
              empty={
                unread ? (
                  <Empty
                    icon="check"
                    title={m.messages_no_unread()}
                    action={
                      <Button kind="plain" small onClick={() => show('all')}>
                        {m.messages_show_all()}
                      </Button>
                    }
                  />
                ) : (
                  <Empty icon="message" title={m.messages_empty()}>
                    {m.messages_empty_text()}
                  </Empty>
                )
              }
            >
              {({ pages }) => (
                <>
                  <ul className="message-lines" aria-label={title}>
                    {pages
                      .flatMap((page) => page.list)
                      .map((line) => (
                        <li key={line.id}>
                          <Line line={line} named={appId === undefined} />
                        </li>
                      ))}
                  </ul>
                  <ListEnd query={list} />
                </>
              )}
            </QueryView>
          </div>
        </Tabs>
      </div>
    </Page>
  )
}

function Line({ line, named }: { line: MessageLine; named: boolean }) {
  return (
    <Link
      to="/pagesA/message/detail"
      search={{ id: line.id }}
      className={line.read ? 'message-line' : 'message-line message-unread'}
    >
      <span className={line.read ? 'message-dot message-dot-read' : 'message-dot'}>
        {line.read ? null : <span className="unseen">{m.messages_filter_unread()}</span>}
      </span>
      <span className="message-line-text">
        <span className="message-line-name two-lines">{line.title}</span>
        <span className="message-line-last two-lines">{line.summary}</span>
        <span className="message-line-time num">
          {named ? `${inLanguage(line.appName, line.appNameEn)} · ` : ''}
          {ago('messages', line.sentAt)}
        </span>
      </span>
    </Link>
  )
}
