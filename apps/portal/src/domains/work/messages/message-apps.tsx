import './messages.css'
import type { appGroups } from '@atrium/contract/content/app-groups'
import type { Reply } from '@atrium/contract/define'
import type { MessageApp } from '@atrium/contract/work/messages'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { formatRelativeTime } from '#lib/format.ts'
import { inLanguage, userTextLang } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { navigate } from '#shell/navigation/navigation.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Badge } from '#ui/badge.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { ActionSheet } from '#ui/feedback/action-sheet.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { useLongPress } from '#ui/long-press.ts'
import { Icon } from '#ui/media/icon.tsx'
import { IconTile } from '#ui/media/icon-tile.tsx'
import { SwipeRow } from '#ui/swipe-row.tsx'
import { useAppActions } from './app-actions.ts'
import { useAppGroups } from './messages-queries.ts'

/** The message applications, each with its last message. */
export function MessageApps({ apps }: { apps: UseQueryResult<MessageApp[]> }) {
  // Kept here and not in the rows, which move when they are sorted into groups.
  const [chosen, setChosen] = useState<string>()
  const groups = useAppGroups()
  const skeleton = <Skeleton rows={6} height={68} label={m.shell_loading()} />
  const app = apps.data?.find(({ appId }) => appId === chosen)
  return (
    <div className="message-panel">
      <QueryView
        query={apps}
        skeleton={skeleton}
        isEmpty={(list) => list.length === 0}
        empty={
          <Empty icon="message" title={m.messages_empty()}>
            {m.messages_empty_text()}
          </Empty>
        }
      >
        {(list) =>
          // Wait for the groups, since rows would otherwise move under a finger.
          groups.isLoading ? (
            skeleton
          ) : (
            <>
              <Grouped apps={list} groups={groups.data?.groups ?? []} onMenu={setChosen} />
              <Link className="message-groups-entry" to="/msgCenter/pages/news/applicationGroup">
                {m.messages_arrange_groups()}
              </Link>
            </>
          )
        }
      </QueryView>
      {app ? <AppMenu app={app} onClose={() => setChosen(undefined)} /> : null}
    </div>
  )
}

type Group = Reply<typeof appGroups.read>['groups'][number]
type AppRowsProps = { apps: readonly MessageApp[]; onMenu: (appId: string) => void }

/** By the member's groups in their order; a single list if there are none. */
function Grouped({
  apps,
  groups: memberGroups,
  onMenu,
}: AppRowsProps & { groups: readonly Group[] }) {
  const groups = memberGroups.map(({ name, appIds }) => ({
    key: `group ${name}`,
    name,
    list: apps.filter(({ appId }) => appIds.includes(appId)),
  }))
  const grouped = new Set(groups.flatMap(({ list }) => list))
  const rest = apps.filter((app) => !grouped.has(app))
  if (grouped.size === 0) return <AppRows apps={apps} onMenu={onMenu} />
  return [...groups, { key: 'rest', name: m.messages_ungrouped(), list: rest }]
    .filter(({ list }) => list.length > 0)
    .map(({ key, name, list }) => (
      <section className="message-group" key={key}>
        <h2 className="message-group-name" lang={userTextLang(name)}>
          {name}
        </h2>
        <AppRows apps={list} onMenu={onMenu} />
      </section>
    ))
}

function AppRows({ apps, onMenu }: AppRowsProps) {
  return (
    <ul className="message-lines">
      {apps.map((app) => (
        <AppRow key={app.appId} app={app} onMenu={onMenu} />
      ))}
    </ul>
  )
}

function AppRow({ app, onMenu }: { app: MessageApp; onMenu: (appId: string) => void }) {
  const { appId, icon, lastMessage, unreadCount, disturbed, topped } = app
  const open = () => onMenu(appId)
  const press = useLongPress(open)
  const actions = useAppActions(app)
  const name = inLanguage(app.name, app.nameEn)
  return (
    <li {...press}>
      <SwipeRow actions={actions.slice(0, 2)}>
        <div className={topped ? 'message-row message-row-topped' : 'message-row'}>
          <Link to="/pagesA/message/entry" search={{ appId }} className="message-line">
            <IconTile {...icon} />
            <span className="message-line-text">
              <span className="message-line-head">
                <span className="message-line-name">
                  {name}
                  {topped ? <Icon name="pin" label={m.messages_topped()} /> : null}
                  {disturbed ? <Icon name="mute" label={m.messages_muted()} /> : null}
                </span>
                {lastMessage ? (
                  <span className="message-line-time num">
                    {formatRelativeTime('messages', lastMessage.sentAt)}
                  </span>
                ) : null}
              </span>
              <span className={`message-line-foot ${disturbed ? 'message-line-muted' : ''}`}>
                <span className="message-line-last one-line">
                  {lastMessage ? (
                    <Bilingual zh={lastMessage.title} en={lastMessage.titleEn} />
                  ) : (
                    m.messages_none_yet()
                  )}
                </span>
                {unreadCount > 0 ? (
                  <Badge count={unreadCount} label={m.shell_unread({ count: unreadCount })} />
                ) : null}
              </span>
            </span>
          </Link>
          <IconButton label={m.messages_more_of({ name })} onClick={open}>
            <Icon name="more" />
          </IconButton>
        </div>
      </SwipeRow>
    </li>
  )
}

function AppMenu({ app, onClose }: { app: MessageApp; onClose: () => void }) {
  const actions = useAppActions(app)
  return (
    <ActionSheet
      open
      onClose={onClose}
      title={inLanguage(app.name, app.nameEn)}
      actions={[
        ...actions,
        {
          icon: 'grid',
          label: m.messages_arrange_groups(),
          onSelect: () => navigate('/msgCenter/pages/news/applicationGroup'),
        },
      ]}
    />
  )
}
