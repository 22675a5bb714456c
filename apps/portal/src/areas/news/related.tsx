import type { Article } from '@atrium/contract/news'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/link.tsx'
import { Card } from '#ui/card.tsx'
import { ArticleCard } from './article-card.tsx'
import { useColumns, useNewest } from './news-queries.ts'

const most = 3

/** More from the same column. Says nothing when it does not come: the article is what one is here for. */
export function Related({ article }: { article: Article }) {
  const newest = useNewest(article.columnId, most + 1)
  const columns = useColumns()
  const others = newest.data?.list.filter(({ id }) => id !== article.id).slice(0, most) ?? []
  const column = columns.data?.find(({ id }) => id === article.columnId)
  if (others.length === 0) return null
  return (
    <Card
      title={m.news_related()}
      aside={
        column ? (
          <Link
            className="related-more"
            to="/pagesA/news/news"
            search={{ columnCode: column.columnCode }}
          >
            {m.news_more()}
          </Link>
        ) : null
      }
    >
      <ul>
        {others.map((other) => (
          <ArticleCard key={other.id} article={other} />
        ))}
      </ul>
    </Card>
  )
}
