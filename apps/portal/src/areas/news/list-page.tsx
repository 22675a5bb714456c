import './list-page.css'
import { news } from '@atrium/contract/news'
import { useContext } from 'react'
import { inLanguage } from '#lib/language.ts'
import { refresh } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { redirect } from '#shell/navigation.ts'
import { Page } from '#shell/page.tsx'
import { PageContext, useSearch } from '#shell/page-context.ts'
import { QueryView } from '#shell/query-view.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { Empty } from '#ui/empty.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { ArticleList } from './article-list.tsx'
import { useColumns } from './news-queries.ts'

const all = 'all'

/** Articles by column; the address names the column. It stands at three addresses that differ in what old links give. */
export default function ListPage() {
  const path = useContext(PageContext).path as '/pagesA/news/news'
  const search = useSearch(path)
  const columns = useColumns()
  const reload = async () => {
    refresh(news.list)
    await columns.refetch()
  }
  return (
    <Page onRefresh={reload}>
      <div className="column">
        <QueryView
          query={columns}
          skeleton={<Skeleton rows={8} height={82} label={m.shell_loading()} />}
          isEmpty={(list) => list.length === 0}
          empty={
            <Empty icon="news" title={m.news_none()}>
              {m.news_none_text()}
            </Empty>
          }
        >
          {(list) => {
            const column =
              list.find(({ columnCode }) => columnCode === search.columnCode) ??
              // Old links name the place of the tab instead; the first is "all".
              list[Number(search.tab) - 1]
            return (
              <div className="news-columns">
                <Tabs
                  look="line"
                  label={m.news_columns()}
                  value={column?.columnCode ?? all}
                  items={[
                    { value: all, label: m.news_all() },
                    ...list.map(({ columnCode, name, nameEn }) => ({
                      value: columnCode,
                      label: <Bilingual zh={name} en={nameEn} />,
                    })),
                  ]}
                  onChange={(code) =>
                    redirect(path, {
                      ...search,
                      tab: undefined,
                      columnCode: code === all ? undefined : code,
                    })
                  }
                >
                  {search.columnCode && !column ? (
                    <p className="news-columns-note">
                      {m.news_column_none()} {m.news_column_none_text()}
                    </p>
                  ) : null}
                  <ArticleList
                    key={column?.id ?? all}
                    columnId={column?.id}
                    label={column ? inLanguage(column.name, column.nameEn) : m.news_all()}
                  />
                </Tabs>
              </div>
            )
          }}
        </QueryView>
      </div>
    </Page>
  )
}
