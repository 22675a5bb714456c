import './messages.css'
import type { MessageApp } from '@atrium/contract/work/messages'
import type { UseQueryResult } from '@tanstack/react-query'
import { ago } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Badge } from '#ui/badge.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { IconTile } from '#ui/media/icon-tile.tsx'
import { useAppGroups } from './messages-queries.ts'

/** Who writes to the member: one line for each application, with its last message. */
export function MessageApps({ apps }: { apps: UseQueryResult<MessageApp[]> }) {
  return (
    <div className="message-panel">
      <QueryView
        query={apps}
        skeleton={<Skeleton rows={6} height={68} label={m.shell_loading()} />}
        isEmpty={(list) => list.length === 0}
        empty={
          <Empty icon="message" title={m.messages_empty()}>
            {m.messages_empty_text()}
          </Empty>
        }
      >
        {(list) => (
          <>
            <Grouped apps={list} />
            <Link className="message-groups-entry" to="/msgCenter/pages/news/applicationGroup">
              {m.messages_arrange_groups()}
            </Link>
          </>
        )}
      </QueryView>
    </div>
  )
}

/** By the member's groups, in their order; who made none has one list. */
function Grouped({ apps }: { apps: readonly MessageApp[] }) {
  const { data } = useAppGroups()
  const groups = (data?.groups ?? []).map(({ name, appIds }) => ({
    key: `group ${name}`,
    name,
    list: apps.filter(({ appId }) => appIds.includes(appId)),
  }))
  const grouped = new Set(groups.flatMap(({ list }) => list))
  const rest = apps.filter((app) => !grouped.has(app))
  if (grouped.size === 0) return <Lines apps={apps} />
  return [...groups, { key: 'rest', name: m.messages_ungrouped(), list: rest }]
    .filter(({ list }) => list.length > 0)
    .map(({ key, name, list }) => (
      <section className="message-group" key={key}>
        <h2 className="message-group-name">{name}</h2>
        <Lines apps={list} />
      </section>
    ))
}

const Lines = ({ apps }: { apps: readonly MessageApp[] }) => (
  <ul className="message-lines">
    {apps.map((app) => (
      <li key={app.appId}>
        <AppLine app={app} />
      </li>
    ))}
  </ul>
)

function AppLine({ app }: { app: MessageApp }) {
  const { appId, icon, lastMessage, unreadCount, disturbed } = app
  return (
    <Link to="/pagesA/message/entry" search={{ appId }} className="message-line">
      <IconTile {...icon} />
      <span className="message-line-text">
        <span className="message-line-head">
          <span className="message-line-name">
            {inLanguage(app.name, app.nameEn)}
            {disturbed ? <Icon name="mute" label={m.messages_muted()} /> : null}
          </span>
          {lastMessage ? (
            <span className="message-line-time num">{ago('messages', lastMessage.sentAt)}</span>
          ) : null}
        </span>
        <span className={`message-line-foot ${disturbed ? 'message-line-muted' : ''}`}>
          <span className="message-line-last one-line">
            {lastMessage?.title ?? m.messages_none_yet()}
          </span>
          {unreadCount > 0 ? (
            <Badge count={unreadCount} label={m.shell_unread({ count: unreadCount })} />
          ) : null}
        </span>
      </span>
    </Link>
  )
}
