import './messages.css'
import type { MessageSummary } from '@atrium/contract/work/messages'
import { useState } from 'react'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { back, redirect } from '#shell/navigation/navigation.ts'
import { ListEnd } from '#shell/page/list-end.tsx'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { ActionSheet, type SheetAction } from '#ui/feedback/action-sheet.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { SearchForm } from '#ui/form/search-form.tsx'
import { Select } from '#ui/form/select.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { useAppActions } from './app-actions.ts'
import { MarkAllReadDialog } from './mark-all-read.tsx'
import { MessageMenu, MessageRow } from './message-row.tsx'
import { MessageSelection } from './message-selection.tsx'
import { useMessageApps, useMessageKinds, useMessageList } from './messages-queries.ts'

const path = '/pagesA/message/entry'
type MessageView = 'all' | 'unread' | 'starred'

/** The messages of one application, or all messages. */
export default function EntryPage() {
  const search = useSearch(path)
  const { appId, unread, starred, keyWords = '' } = search
  const { apps, unreadWithMuted } = useMessageApps()
  const list = useMessageList(search)
  const app = apps.data?.find((one) => one.appId === appId)
  const [searching, setSearching] = useState(keyWords !== '')
  const [menu, setMenu] = useState(false)
  const [chosen, setChosen] = useState<MessageSummary>()
  const [isConfirming, setIsConfirming] = useState(false)
  const [selected, setSelected] = useState<ReadonlySet<string>>()
  const appActions = useAppActions(app, back)
  // In the address, so that coming back from a message restores the list.
  const updateSearch = (change: Partial<typeof search>) => {
    setSelected(undefined)
    redirect(path, { ...search, ...change })
  }
  const view: MessageView = unread ? 'unread' : starred ? 'starred' : 'all'
  const readAll: SheetAction = {
    icon: 'check',
    label: m.messages_all_read(),
    onSelect: () => setIsConfirming(true),
  }
  const rows = list.data?.pages.flatMap((page) => page.list) ?? []
  const title = app ? inLanguage(app.name, app.nameEn) : m.messages_title()
  const toggle = (id: string) =>
    setSelected((now) => {
      const next = new Set(now)
      if (!next.delete(id)) next.add(id)
      return next
    })
  return (
    <Page
      title={title}
      actions={
        selected ? (
          <button type="button" className="nav-bar-action" onClick={() => setSelected(undefined)}>
            {m.messages_select_end()}
          </button>
        ) : (
          <>
            <IconButton
              label={m.messages_search()}
              aria-expanded={searching}
              onClick={() => {
                if (searching && keyWords) updateSearch({ keyWords: undefined })
                setSearching(!searching)
              }}
            >
              <Icon name="search" />
            </IconButton>
            <IconButton label={m.messages_more()} onClick={() => setMenu(true)}>
              <Icon name="more" />
            </IconButton>
          </>
        )
      }
      onRefresh={() => list.refetch()}
    >
      <div className="column">
        {searching ? (
          <div className="message-search">
            <SearchForm
              label={m.messages_search()}
              keyWords={keyWords}
              onSearch={(words) => updateSearch({ keyWords: words || undefined })}
            />
          </div>
        ) : null}
        <Tabs
          variant="segment"
          label={m.messages_filter()}
          items={[
            { value: 'all', label: m.messages_filter_all() },
            { value: 'unread', label: m.messages_filter_unread() },
            { value: 'starred', label: m.messages_filter_starred() },
          ]}
          value={view}
          onChange={(next) =>
            updateSearch({ unread: next === 'unread', starred: next === 'starred' })
          }
        >
          <div className="message-panel">
            <KindFilter
              appId={appId}
              value={search.typeCode}
              onChange={(typeCode) => updateSearch({ typeCode })}
            />
            <QueryView
              query={list}
              skeleton={<Skeleton rows={6} height={84} label={m.shell_loading()} />}
              isEmpty={({ pages }) => pages.every((page) => page.list.length === 0)}
              empty={
                <EmptyList view={view} keyWords={keyWords} onAll={() => updateSearch(everything)} />
              }
            >
              {() => (
                <>
                  <List
                    title={title}
                    rows={rows}
                    named={appId === undefined}
                    selected={selected}
                    onToggle={toggle}
                    onMenu={setChosen}
                  />
                  <ListEnd query={list} />
                </>
              )}
            </QueryView>
          </div>
        </Tabs>
      </div>
      {selected ? (
        <MessageSelection
          rows={rows}
          selected={selected}
          onSelect={setSelected}
          onDone={() => setSelected(undefined)}
        />
      ) : null}
      {chosen ? <MessageMenu message={chosen} onClose={() => setChosen(undefined)} /> : null}
      <MarkAllReadDialog
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        count={unreadWithMuted}
      />
      <ActionSheet
        open={menu}
        onClose={() => setMenu(false)}
        title={title}
        actions={[
          { icon: 'clipboard', label: m.messages_select(), onSelect: () => setSelected(new Set()) },
          ...(appId === undefined && unreadWithMuted > 0 ? [readAll] : []),
          ...appActions,
        ]}
      />
    </Page>
  )
}

const everything = {
  unread: false,
  starred: false,
  keyWords: undefined,
  typeCode: undefined,
} as const

/** Shown if an application sends more than one kind of message. */
function KindFilter({
  appId,
  value,
  onChange,
}: {
  appId: string | undefined
  value: string | undefined
  onChange: (typeCode: string | undefined) => void
}) {
  const kinds = useMessageKinds(appId).data ?? []
  if (appId === undefined || kinds.length < 2) return null
  return (
    <div className="message-kinds">
      <Select
        small
        aria-label={m.messages_kind()}
        value={value ?? ''}
        onValue={(next) => onChange(next || undefined)}
      >
        <option value="">{m.messages_kind_all()}</option>
        {kinds.map(({ typeCode, name, nameEn }) => (
          <option key={typeCode} value={typeCode}>
            {inLanguage(name, nameEn)}
          </option>
        ))}
      </Select>
    </div>
  )
}

function List({
  title,
  rows,
  named,
  selected,
  onToggle,
  onMenu,
}: {
  title: string
  rows: readonly MessageSummary[]
  named: boolean
  selected: ReadonlySet<string> | undefined
  onToggle: (id: string) => void
  onMenu: (message: MessageSummary) => void
}) {
  return (
    <ul className="message-lines" aria-label={title}>
      {rows.map((message) => (
        <MessageRow
          key={message.id}
          message={message}
          named={named}
          selected={selected?.has(message.id)}
          onToggle={onToggle}
          onMenu={onMenu}
        />
      ))}
    </ul>
  )
}

function EmptyList({
  view,
  keyWords,
  onAll,
}: {
  view: MessageView
  keyWords: string
  onAll: () => void
}) {
  const all = (
    <Button kind="plain" small onClick={onAll}>
      {m.messages_show_all()}
    </Button>
  )
  if (keyWords) return <Empty icon="search" title={m.messages_not_found()} action={all} />
  if (view === 'unread') return <Empty icon="check" title={m.messages_no_unread()} action={all} />
  if (view === 'starred')
    return (
      <Empty icon="star" title={m.messages_no_starred()} action={all}>
        {m.messages_no_starred_text()}
      </Empty>
    )
  return (
    <Empty icon="message" title={m.messages_empty()}>
      {m.messages_empty_text()}
    </Empty>
  )
}
