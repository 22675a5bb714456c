import './ranking-page.css'
import { type Service, services } from '@atrium/contract/services/services'
import { type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useOpenService } from '#domains/services/service-opening/open-service.ts'
import { formatDay, formatShortNumber } from '#lib/format.ts'
import { invalidate, numberedPages } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { redirect } from '#shell/navigation/navigation.ts'
import { LongList } from '#shell/page/long-list.tsx'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { IconTile } from '#ui/media/icon-tile.tsx'
import { Tabs } from '#ui/tabs.tsx'

const path = '/pages/service/ranking'
const kinds = ['hot', 'collect', 'online'] as const
const windows = ['week', 'month', 'quarter'] as const
type Window = (typeof windows)[number]

const reload = async () => invalidate(services.hot, services.collectTop, services.recentlyOnline)

/** Services by usage or favourites, and the newest ones. */
export default function RankingPage() {
  const search = useSearch(path)
  const kind = search.tab ?? 'hot'
  const window = search.window ?? 'month'
  const labels = {
    hot: m.rankings_hot(),
    collect: m.rankings_favourites(),
    online: m.rankings_online(),
  }
  const windowLabels = {
    week: m.rankings_week(),
    month: m.rankings_month(),
    quarter: m.rankings_quarter(),
  }
  return (
    <Page onRefresh={reload}>
      <div className="column stack">
        <Tabs
          variant="segment"
          label={m.rankings_title()}
          value={kind}
          items={kinds.map((value) => ({ value, label: labels[value] }))}
          onChange={(tab) => redirect(path, { ...search, tab })}
        >
          {kind === 'online' ? (
            <Online label={labels.online} />
          ) : (
            <>
              <fieldset className="ranking-windows">
                <legend className="unseen">{m.rankings_window()}</legend>
                {windows.map((value) => (
                  <button
                    key={value}
                    type="button"
                    aria-pressed={value === window}
                    onClick={() => redirect(path, { ...search, window: value })}
                  >
                    {windowLabels[value]}
                  </button>
                ))}
              </fieldset>
              <Ranked kind={kind} window={window} label={labels[kind]} />
            </>
          )}
        </Tabs>
      </div>
    </Page>
  )
}

const staleTime = 5 * 60_000

function Ranked({
  kind,
  window,
  label,
}: {
  kind: 'hot' | 'collect'
  window: Window
  label: string
}) {
  const endpoint = kind === 'hot' ? services.hot : services.collectTop
  const query = useInfiniteQuery({
    ...numberedPages(endpoint, { query: { window, pageSize: 50 } }),
    staleTime,
  })
  const factOf = kind === 'hot' ? m.rankings_uses : m.rankings_stars
  return (
    <Rows
      label={label}
      query={query}
      placeOf={({ rank }) => rank}
      factOf={({ amount }) => factOf({ count: formatShortNumber(amount) })}
      empty={
        <Empty icon="score" title={m.rankings_none()}>
          {m.rankings_none_text()}
        </Empty>
      }
    />
  )
}

function Online({ label }: { label: string }) {
  const query = useInfiniteQuery({
    ...numberedPages(services.recentlyOnline, { query: { pageSize: 30 } }),
    staleTime,
  })
  return (
    <Rows
      label={label}
      query={query}
      factOf={(line) => ('onlineAt' in line ? formatDay(String(line.onlineAt)) : '')}
      empty={<Empty icon="grid" title={m.rankings_online_none()} />}
    />
  )
}

type RowsProps<T> = {
  label: string
  query: UseInfiniteQueryResult<{ pages: { list: T[]; total: number }[] }>
  /** Omitted if the list is not a ranking. */
  placeOf?: (line: T) => number
  factOf: (line: T) => string
  empty: ReactNode
}

function Rows<T extends Service>({ label, query, placeOf, factOf, empty }: RowsProps<T>) {
  const { open, opening } = useOpenService()
  return (
    <QueryView
      query={query}
      skeleton={<Skeleton rows={8} height={64} label={m.shell_loading()} />}
      isEmpty={({ pages }) => pages[0]?.total === 0}
      empty={empty}
    >
      {({ pages }) => (
        <LongList
          className="ranking"
          label={label}
          query={query}
          items={pages.flatMap((page) => page.list)}
          keyOf={(line) => line.serviceId}
          height={64}
        >
          {(line) => (
            <Row
              service={line}
              place={placeOf?.(line)}
              busy={opening === line.serviceId}
              onOpen={() => open(line.serviceId)}
              fact={factOf(line)}
            />
          )}
        </LongList>
      )}
    </QueryView>
  )
}

type RowProps = {
  service: Service
  place: number | undefined
  fact: string
  busy: boolean
  onOpen: () => void
}

function Row({ service, place, fact, busy, onOpen }: RowProps) {
  const { icon, iconUrl, serviceName, serviceNameEn, departmentName, departmentNameEn } = service
  return (
    <button type="button" className="ranking-row" aria-busy={busy || undefined} onClick={onOpen}>
      {place ? (
        <span className={place <= 3 ? 'ranking-place ranking-first num' : 'ranking-place num'}>
          {place}
        </span>
      ) : null}
      <IconTile glyph={icon.glyph} tone={icon.tone} url={iconUrl} />
      <span className="ranking-text">
        <span className="ranking-names">
          <span className="ranking-name">
            <Bilingual zh={serviceName} en={serviceNameEn} />
          </span>
          <span className="muted">
            <Bilingual zh={departmentName} en={departmentNameEn} />
          </span>
        </span>
        <span className="muted num">{fact}</span>
      </span>
    </button>
  )
}
