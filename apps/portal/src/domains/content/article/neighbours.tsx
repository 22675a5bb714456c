import type { Article } from '@atrium/contract/content/news'
import { m } from '#paraglide/messages.js'
import { redirect } from '#shell/navigation/navigation.ts'
import { Bilingual } from '#ui/bilingual.tsx'

type NeighboursProps = { article: Article; path: '/pagesA/news/detail' }

/** The previous and next article of the column. They replace this page: back leads to the list. */
export function Neighbours({ article, path }: NeighboursProps) {
  const { previous, next, columnId } = article
  if (!previous && !next) return null
  return (
    <nav className="article-neighbours" aria-label={m.news_neighbours()}>
      {[
        { name: m.news_previous(), to: previous },
        { name: m.news_next(), to: next },
      ].map(({ name, to }) =>
        to ? (
          <button key={name} type="button" onClick={() => redirect(path, { id: to.id, columnId })}>
            <span className="muted">{name}</span>
            <span>
              <Bilingual zh={to.title} en={to.titleEn} />
            </span>
          </button>
        ) : null,
      )}
    </nav>
  )
}
