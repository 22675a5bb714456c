import type { ArticleSummary } from '@atrium/contract/content/news'
import type { Home } from '@atrium/contract/shell/home'
import { useState } from 'react'
import { ArticleCard } from '#domains/content/news/article-card.tsx'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { useColumnStart } from './home-queries.ts'
import { PartFailed } from './part-failed.tsx'

/** Shown on a phone; the wide column beside the day has room for more (home-page.css). */
const onPhone = 6
const maxShown = 9

/** News by column. The first column comes with home, the others are fetched when chosen. */
export function HomeNews({ news, onRetry }: { news: Home['news']; onRetry: () => void }) {
  const [chosen, choose] = useState<string>()
  if (!news)
    return (
      <Card title={m.home_news()}>
        <PartFailed onRetry={onRetry} />
      </Card>
    )
  const column = news.columns.find(({ id }) => id === chosen) ?? news.columns[0]
  if (!column) return null
  return (
    <section className="card home-news">
      <h2 className="unseen">{m.home_news()}</h2>
      <Tabs
        variant="line"
        label={m.home_news()}
        value={column.id}
        items={news.columns.map(({ id, name, nameEn }) => ({
          value: id,
          label: <Bilingual zh={name} en={nameEn} />,
        }))}
        onChange={choose}
      >
        {column === news.columns[0] ? (
          <Articles list={news.list} />
        ) : (
          <ColumnNews key={column.id} columnId={column.id} />
        )}
        <Link
          className="home-news-more"
          to="/pagesA/news/news"
          search={{ columnCode: column.columnCode }}
        >
          {m.home_news_more()}
        </Link>
      </Tabs>
    </section>
  )
}

function ColumnNews({ columnId }: { columnId: string }) {
  const newest = useColumnStart(columnId, maxShown)
  return (
    <QueryView
      query={newest}
      skeleton={<Skeleton rows={onPhone} height={82} label={m.shell_loading()} />}
    >
      {({ list }) => <Articles list={list} />}
    </QueryView>
  )
}

function Articles({ list }: { list: readonly ArticleSummary[] }) {
  if (list.length === 0) return <p className="today-none">{m.home_news_none()}</p>
  return (
    <ul>
      {list.map((article) => (
        <ArticleCard key={article.id} article={article} pins />
      ))}
    </ul>
  )
}
