import './article-list.css'
import { m } from '#paraglide/messages.js'
import { ListEnd } from '#shell/page/list-end.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { ArticleCard } from './article-card.tsx'
import { useArticles } from './news-queries.ts'

type ArticleListProps = {
  /** Column ids; empty means every column. */
  columns: readonly string[]
  label: string
}

/** A paginated list of articles. */
export function ArticleList({ columns, label }: ArticleListProps) {
  const articles = useArticles(columns)
  return (
    <QueryView
      query={articles}
      skeleton={<Skeleton rows={8} height={82} label={m.shell_loading()} />}
      isEmpty={({ pages: [first] }) => first?.list.length === 0}
      empty={
        <Empty icon="news" title={m.news_none()}>
          {m.news_none_text()}
        </Empty>
      }
    >
      {({ pages }) => (
        <>
          <ul className="article-list" aria-label={label}>
            {pages.flatMap(({ list }) =>
              list.map((article) => (
                <ArticleCard key={article.id} article={article} pins={columns.length === 1} />
              )),
            )}
          </ul>
          <ListEnd query={articles} />
          {articles.hasNextPage ? null : <p className="article-list-end">{m.news_end()}</p>}
        </>
      )}
    </QueryView>
  )
}
