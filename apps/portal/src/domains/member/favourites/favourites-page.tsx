import './favourites-page.css'
import { favourites } from '@atrium/contract/member/favourites'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ComponentProps, lazy, type ReactNode, Suspense, useState } from 'react'
import { useOpenService } from '#domains/services/service-opening/open-service.ts'
import { inLanguage } from '#lib/language.ts'
import { invalidate } from '#lib/queries.ts'
import { useDebounced } from '#lib/use-debounced.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { redirect } from '#shell/navigation/navigation.ts'
import { useAction } from '#shell/page/action.ts'
import { LongList } from '#shell/page/long-list.tsx'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { SearchField } from '#ui/form/search-field.tsx'
import { useKeptFocus } from '#ui/kept-focus.ts'
import { Icon } from '#ui/media/icon.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { FileLink, FileText, NewsText, ServiceText } from './favourite-texts.tsx'
import { useFilePages, useNewsPages, useServicePages } from './favourites-queries.ts'
import { HiddenNote } from './hidden-note.tsx'
import { endpointsOf, type Kind, useRemovals } from './use-removals.ts'

// Only needed to change the order, and larger than all of this page.
const OrderList = lazy(() =>
  import('#ui/order-list.tsx').then(({ OrderList }) => ({ default: OrderList })),
)

const path = '/pagesA/myFavorite/myFavorite'
const kinds = ['service', 'news', 'file'] as const

/** The member's favourites: services, news, files. */
export default function FavouritesPage() {
  const { tab: kind = 'service' } = useSearch(path)
  const [words, setWords] = useState('')
  const [sorting, setSorting] = useState(false)
  const keyWords = useDebounced(words)
  const labels = {
    service: m.favourites_services(),
    news: m.favourites_news(),
    file: m.favourites_files(),
  }
  return (
    <Page
      onRefresh={async () => invalidate(favourites.findServices, favourites.news, favourites.files)}
      actions={
        <IconButton
          label={sorting ? m.favourites_sort_done() : m.favourites_sort()}
          onClick={() => {
            setWords('')
            setSorting(!sorting)
          }}
        >
          <Icon name={sorting ? 'check' : 'swap'} />
        </IconButton>
      }
    >
      <div className="column stack">
        <Tabs
          variant="segment"
          label={m.favourites_kinds()}
          value={kind}
          items={kinds.map((value) => ({ value, label: labels[value] }))}
          onChange={(next) => {
            setSorting(false)
            redirect(path, { tab: next })
          }}
        >
          <div className="stack">
            {sorting ? null : (
              <SearchField label={m.favourites_search()} value={words} onValue={setWords} />
            )}
            <Panel
              key={kind}
              kind={kind}
              label={labels[kind]}
              keyWords={keyWords}
              sorting={sorting}
            />
          </div>
        </Tabs>
      </div>
    </Page>
  )
}

type PanelProps = { label: string; keyWords: string; sorting: boolean }

function Panel({ kind, ...props }: PanelProps & { kind: Kind }) {
  if (kind === 'news') return <News {...props} />
  return kind === 'file' ? <Files {...props} /> : <Services {...props} />
}

function Services(props: PanelProps) {
  const query = useServicePages(props.keyWords)
  const { open, opening } = useOpenService()
  const add = useAction(favourites.addService, { invalidates: [favourites.serviceIds] })
  const remove = useAction(favourites.removeService, { invalidates: [favourites.serviceIds] })
  const cancel = useAction(favourites.cancelManaged, { invalidates: [favourites.serviceIds] })
  return (
    <FavouriteList
      {...props}
      kind="service"
      query={query}
      idOf={(line) => line.serviceId}
      nameOf={(line) => inLanguage(line.serviceName, line.serviceNameEn)}
      hidden={m.favourites_hidden_services}
      fixed={(line) => line.managed}
      remove={({ serviceId, managed }) =>
        (managed ? cancel : remove).mutateAsync({ body: { serviceId } })
      }
      add={({ serviceId }) => add.mutateAsync({ body: { serviceId } })}
      empty={
        <Empty
          icon="star"
          title={m.favourites_services_none()}
          action={
            <Link className="button button-plain" to="/pages/tab/service/index">
              {m.favourites_find_services()}
            </Link>
          }
        >
          {m.favourites_services_none_text()}
        </Empty>
      }
    >
      {(line, plain) =>
        plain ? (
          <span className="kept-open">
            <ServiceText line={line} />
          </span>
        ) : (
          <button
            type="button"
            className="kept-open"
            aria-busy={opening === line.serviceId || undefined}
            onClick={() => open(line.serviceId)}
          >
            <ServiceText line={line} />
          </button>
        )
      }
    </FavouriteList>
  )
}

function News(props: PanelProps) {
  const query = useNewsPages(props.keyWords)
  const toggle = useAction(favourites.toggleNews, { invalidates: [favourites.state] })
  return (
    <FavouriteList
      {...props}
      kind="news"
      query={query}
      idOf={(line) => line.id}
      nameOf={(line) => inLanguage(line.title, line.titleEn)}
      hidden={m.favourites_hidden_news}
      remove={({ id }) => toggle.mutateAsync({ body: { id, type: '0' } })}
      add={({ id }) => toggle.mutateAsync({ body: { id, type: '1' } })}
      empty={
        <Empty
          icon="news"
          title={m.favourites_news_none()}
          action={
            <Link className="button button-plain" to="/pagesA/news/news">
              {m.favourites_find_news()}
            </Link>
          }
        >
          {m.favourites_news_none_text()}
        </Empty>
      }
    >
      {(line, plain) =>
        plain ? (
          <span className="kept-open">
            <NewsText line={line} />
          </span>
        ) : (
          <Link
            className="kept-open"
            to="/pagesA/news/detail"
            search={{ id: line.id, columnId: line.columnId }}
          >
            <NewsText line={line} />
          </Link>
        )
      }
    </FavouriteList>
  )
}

function Files(props: PanelProps) {
  const query = useFilePages(props.keyWords)
  const toggle = useAction(favourites.toggleFile, { invalidates: [favourites.fileLinks] })
  return (
    <FavouriteList
      {...props}
      kind="file"
      query={query}
      idOf={(line) => line.id}
      nameOf={(line) => line.fileName}
      remove={({ fileLink, fileName }) =>
        toggle.mutateAsync({ body: { fileLink, fileName, type: '0' } })
      }
      add={({ fileLink, fileName }) =>
        toggle.mutateAsync({ body: { fileLink, fileName, type: '1' } })
      }
      empty={
        <Empty icon="file" title={m.favourites_files_none()}>
          {m.favourites_files_none_text()}
        </Empty>
      }
    >
      {(line, plain) =>
        plain ? (
          <span className="kept-open">
            <FileText line={line} />
          </span>
        ) : (
          <FileLink line={line} />
        )
      }
    </FavouriteList>
  )
}

type Pages<T> = { pages: { list: T[]; total: number; hidden?: number }[] }
type FavouriteListProps<T> = PanelProps & {
  kind: Kind
  query: UseInfiniteQueryResult<Pages<T>>
  idOf: (line: T) => string
  nameOf: (line: T) => string
  /** Message about favourites that cannot be shown. */
  hidden?: (inputs: { count: number }) => string
  /** Placed by a department; the member cannot move it. */
  fixed?: (line: T) => boolean
  remove: (line: T) => Promise<unknown>
  add: (line: T) => Promise<unknown>
  empty: ReactNode
  /** A row; `plain` means without interactive elements. */
  children: (line: T, plain: boolean) => ReactNode
}

/** One kind of favourites: a removed one keeps its place while the removal can be undone. */
function FavouriteList<T>(props: FavouriteListProps<T>) {
  const { kind, query, idOf, nameOf, hidden, fixed, label, keyWords, sorting, children } = props
  const note = hidden ? <HiddenNote pages={query.data?.pages ?? []} text={hidden} /> : null
  const { removedIds, setRemoved, reportChange } = useRemovals(kind, idOf)
  const move = useAction(favourites.move)
  return (
    <QueryView
      query={query}
      skeleton={<Skeleton rows={8} height={64} label={m.shell_loading()} />}
      isEmpty={({ pages }) => pages[0]?.list.length === 0}
      empty={
        keyWords ? (
          <Empty icon="search" title={m.favourites_found_none({ words: keyWords })} />
        ) : (
          <>
            {props.empty}
            {note}
          </>
        )
      }
    >
      {({ pages }) => {
        const items = pages.flatMap(({ list }) => list)
        const remaining = items.filter((line) => !removedIds.has(idOf(line)))
        const removeLine = (line: T) => {
          setRemoved(idOf(line), true)
          reportChange(props.remove(line).catch(() => setRemoved(idOf(line), false)))
        }
        const restoreLine = async (line: T) => {
          const id = idOf(line)
          setRemoved(id, false)
          try {
            await props.add(line)
            // A file has a new id now, and a favourite placed by a department returns to its old place.
            if (kind === 'file' || fixed?.(line)) return
            const rest = items.slice(items.indexOf(line) + 1)
            const next = rest.find((other) => !removedIds.has(idOf(other)))
            await move.mutateAsync({
              body: { kind, id, beforeId: next ? idOf(next) : null },
            })
          } catch {
            setRemoved(id, true)
          }
        }
        if (sorting)
          return (
            <div className="stack">
              <p className="muted">{m.ui_order_text()}</p>
              <Suspense fallback={<Skeleton rows={8} height={64} label={m.shell_loading()} />}>
                <Order
                  kind={kind}
                  label={label}
                  entries={remaining
                    .filter((line) => !fixed?.(line))
                    .map((line) => ({
                      id: idOf(line),
                      name: nameOf(line),
                      content: children(line, true),
                    }))}
                />
              </Suspense>
            </div>
          )
        return (
          <>
            <LongList
              className="kept-list"
              label={label}
              query={query}
              items={items}
              keyOf={idOf}
              height={68}
            >
              {(line) => (
                <FavouriteRow
                  name={nameOf(line)}
                  isRemoved={removedIds.has(idOf(line))}
                  onRemove={() => removeLine(line)}
                  onUndo={() => reportChange(restoreLine(line))}
                >
                  {children(line, false)}
                </FavouriteRow>
              )}
            </LongList>
            {note}
          </>
        )
      }}
    </QueryView>
  )
}

type OrderProps = { kind: Kind } & Omit<ComponentProps<typeof OrderList>, 'onOrder'>

/** The list arrives in pages, so each move is saved as the place before another favourite. */
function Order({ kind, label, entries }: OrderProps) {
  const [order, setOrder] = useState(entries)
  const move = useAction(favourites.move, { queue: 'favourites' })
  return (
    <OrderList
      label={label}
      entries={order}
      onOrder={(ids, id) => {
        setOrder(ids.flatMap((each) => order.find((entry) => entry.id === each) ?? []))
        move.mutate(
          { body: { kind, id, beforeId: ids[ids.indexOf(id) + 1] ?? null } },
          { onSettled: () => invalidate(...endpointsOf[kind]) },
        )
      }}
    />
  )
}

type FavouriteRowProps = {
  name: string
  isRemoved: boolean
  onRemove: () => void
  onUndo: () => void
  children: ReactNode
}

function FavouriteRow({ name, isRemoved, onRemove, onUndo, children }: FavouriteRowProps) {
  const keptFocus = useKeptFocus()
  if (isRemoved)
    return (
      <div className="kept-row" {...keptFocus}>
        <span className="kept-gone muted">{m.favourites_removed({ name })}</span>
        <Button kind="plain" small aria-label={m.favourites_undo_named({ name })} onClick={onUndo}>
          {m.favourites_undo()}
        </Button>
      </div>
    )
  return (
    <div className="kept-row" {...keptFocus}>
      {children}
      <IconButton label={m.favourites_remove({ name })} onClick={onRemove}>
        <Icon name="star-filled" />
      </IconButton>
    </div>
  )
}
