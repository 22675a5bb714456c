import type { Article } from '@atrium/contract/content/news'
import { ArticleCard } from '#domains/content/news/article-card.tsx'
import { useColumns, useRelated } from '#domains/content/news/news-queries.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { Card } from '#ui/card.tsx'

/** Related articles. Renders nothing if loading fails, since they are not the main content. */
export function Related({ article }: { article: Article }) {
  const articles = useRelated(article.id).data ?? []
  const columns = useColumns()
  const column = columns.data?.find(({ id }) => id === article.columnId)
  if (articles.length === 0) return null
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
        {articles.map((other) => (
          <ArticleCard key={other.id} article={other} />
        ))}
      </ul>
    </Card>
  )
}
