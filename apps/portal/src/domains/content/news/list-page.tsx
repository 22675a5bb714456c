import './list-page.css'
import type { Column } from '@atrium/contract/content/news'
import { news } from '@atrium/contract/content/news'
import { operators } from '@atrium/contract/identity/operators.operator'
import { useQuery } from '@tanstack/react-query'
import { useContext } from 'react'
import { inLanguage } from '#lib/language.ts'
import { invalidate, q } from '#lib/queries.ts'
import { useSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { useSettings } from '#shell/config.ts'
import { Link } from '#shell/navigation/link.tsx'
import { navigate, redirect } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { PageContext, useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { ArticleList } from './article-list.tsx'
import { columnIdsOf, subscribedColumns, withDescendants } from './columns.ts'
import { useColumns, useOwnColumns } from './news-queries.ts'

/** For writers, if the institution has turned the workbench on. */
function WriteEntry() {
  const enabled = useSettings().ENV_ENABLE_DEPARTMENT_WORK_BENCH === '1'
  const { data } = useQuery({ ...q(operators.own), enabled, staleTime: 5 * 60_000 })
  if (!enabled || !data?.includes('content')) return null
  return (
    <IconButton label={m.news_write()} onClick={() => navigate('/pages/secondWork/news/news', {})}>
      <Icon name="edit" />
    </IconButton>
  )
}

const all = 'all'
const settings = '/msgCenter/pages/news/personalSettingCenter'

/**
 * Articles by column; the address names the column. Served at three addresses: one shows every column, the news tab and
 * newsInfo show the member's subscribed columns in the member's order.
 */
export default function ListPage() {
  const path = useContext(PageContext).path as '/pagesA/news/news'
  const member = useSession() !== null
  const hasOwnColumns = member && path !== '/pagesA/news/news'
  const everyColumn = useColumns()
  const ownColumns = useOwnColumns()
  const columns = hasOwnColumns ? ownColumns : everyColumn
  const reload = async () => {
    invalidate(news.list)
    await columns.refetch()
  }
  return (
    <Page
      onRefresh={reload}
      actions={
        hasOwnColumns ? (
          <>
            <WriteEntry />
            <IconButton label={m.news_settings_title()} onClick={() => navigate(settings)}>
              <Icon name="gear" />
            </IconButton>
          </>
        ) : member ? (
          <Link className="news-own-entry" to="/pages/newsInfo/newsInfo">
            {m.news_own()}
          </Link>
        ) : null
      }
    >
      <div className="column">
        <Link className="news-search-entry" to="/pages/search/news">
          <Icon name="search" />
          {m.news_search()}
        </Link>
        <QueryView
          query={columns}
          skeleton={<Skeleton rows={8} height={82} label={m.shell_loading()} />}
          isEmpty={(list: readonly Column[]) => list.length === 0}
          empty={
            <Empty icon="news" title={m.news_none()}>
              {m.news_none_text()}
            </Empty>
          }
        >
          {(list: readonly (Column & { subscribed?: boolean })[]) => (
            <Columns path={path} columns={list} />
          )}
        </QueryView>
      </div>
    </Page>
  )
}

type ColumnsProps = {
  path: '/pagesA/news/news'
  columns: readonly (Column & { subscribed?: boolean })[]
}

function Columns({ path, columns }: ColumnsProps) {
  const search = useSearch(path)
  const member = useSession() !== null
  const { top, ids: everyId } = subscribedColumns(columns)
  const named = columns.find(({ columnCode }) => columnCode === search.columnCode)
  const column =
    top.find(
      (one) => one === named || withDescendants(one, columns).some((sub) => sub === named),
    ) ??
    // Old links give the position of the tab instead; the first is "all".
    (named ? undefined : top[Number(search.tab) - 1])
  const below = column ? withDescendants(column, columns).slice(1) : []
  const sub = below.find((one) => one === named)
  const shown = sub ?? column
  const ids = shown ? columnIdsOf([shown], columns) : everyId
  const choose = (columnCode: string | undefined) =>
    redirect(path, { ...search, tab: undefined, columnCode })
  if (top.length === 0)
    return (
      <Empty
        icon="news"
        title={m.news_none_subscribed()}
        action={<Button onClick={() => navigate(settings)}>{m.news_settings_title()}</Button>}
      >
        {m.news_none_subscribed_text()}
      </Empty>
    )
  return (
    <div className="news-columns">
      <Tabs
        variant="line"
        label={m.news_columns()}
        value={column?.columnCode ?? all}
        items={[
          { value: all, label: m.news_all() },
          ...top.map(({ columnCode, name, nameEn }) => ({
            value: columnCode,
            label: <Bilingual zh={name} en={nameEn} />,
          })),
        ]}
        onChange={(code) => choose(code === all ? undefined : code)}
      >
        {search.columnCode && !column ? (
          <p className="news-columns-note">
            <strong>{m.news_column_none()}</strong>
            <br />
            {member ? m.news_column_none_member() : m.news_column_none_text()}
          </p>
        ) : null}
        {column && below.length > 0 ? (
          <ul className="news-below" aria-label={m.news_columns_below()}>
            {[undefined, ...below].map((one) => (
              <li key={one?.id ?? all}>
                <button
                  type="button"
                  aria-pressed={one === sub}
                  onClick={() => choose((one ?? column).columnCode)}
                >
                  {one ? <Bilingual zh={one.name} en={one.nameEn} /> : m.news_all()}
                </button>
              </li>
            ))}
          </ul>
        ) : null}
        <ArticleList
          key={ids.join()}
          columns={ids}
          label={shown ? inLanguage(shown.name, shown.nameEn) : m.news_all()}
        />
      </Tabs>
    </div>
  )
}
