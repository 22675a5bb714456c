import { news } from '@atrium/contract/content/news'
import { inLanguage } from '#lib/language.ts'
import { invalidate } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { ArticleList } from './article-list.tsx'
import { withDescendants } from './columns.ts'
import { Missing } from './missing.tsx'
import { useColumns } from './news-queries.ts'

/** One column as its own page: the one in the address, else the first. */
export default function ChannelPage() {
  const { columnCode } = useSearch('/pages/channel/channel')
  const columns = useColumns()
  const column = columnCode
    ? columns.data?.find((known) => known.columnCode === columnCode)
    : columns.data?.[0]
  const name = column && inLanguage(column.name, column.nameEn)
  const reload = async () => {
    invalidate(news.list)
    await columns.refetch()
  }
  return (
    <Page title={name} onRefresh={reload}>
      <div className="column channel">
        <QueryView query={columns}>
          {(list) =>
            column ? (
              <ArticleList
                columns={withDescendants(column, list).map(({ id }) => id)}
                label={name ?? ''}
              />
            ) : columnCode ? (
              <Missing
                title={m.news_column_none()}
                member={m.news_column_none_member()}
                visitor={m.news_column_none_text()}
              />
            ) : (
              <Empty icon="news" title={m.news_none()}>
                {m.news_none_text()}
              </Empty>
            )
          }
        </QueryView>
      </div>
    </Page>
  )
}
