import './article-card.css'
import type { ArticleSummary } from '@atrium/contract/content/news'
import { formatRelativeTime, formatShortNumber } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'
import { useSettings, useSystem } from '#shell/config.ts'
import { Link } from '#shell/navigation/link.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { PictureWithFallback } from '#ui/media/picture-with-fallback.tsx'
import { OnlyInLanguage } from '#ui/only-in-language.tsx'
import { isNew } from './is-new.ts'
import { useVisited } from './visited.ts'

/** An article in a list. `pins`: marks pinned articles, which come first in their own column. */
export function ArticleCard({ article, pins }: { article: ArticleSummary; pins?: boolean }) {
  const { id, columnId, title, titleEn, releaseDeptName, releaseDeptNameEn } = article
  const { languages = [] } = article
  const { ENV_NEWS_NEW_ITON_DAYS: days } = useSettings()
  const { timeZone } = useSystem()
  const visited = useVisited(id)
  const isFresh = !visited && isNew(article.releaseStartTime, days, Date.now(), timeZone)
  return (
    <li className="article-card">
      <Link to="/pagesA/news/detail" search={{ id, columnId }}>
        <span className="article-card-text">
          <span className={visited ? 'article-card-title visited' : 'article-card-title'}>
            {pins && article.pinned ? (
              <span className="article-mark article-mark-pin">{m.news_pinned()}</span>
            ) : null}
            {isFresh ? <span className="article-mark">{m.news_new()}</span> : null}
            <Bilingual zh={title} en={titleEn} />
          </span>
          <span className="article-card-facts muted num">
            {releaseDeptName || releaseDeptNameEn ? (
              <span>
                <Bilingual zh={releaseDeptName} en={releaseDeptNameEn} />
              </span>
            ) : null}
            <time dateTime={article.releaseStartTime}>
              {formatRelativeTime('news', article.releaseStartTime)}
            </time>
            <span className="unbroken">
              {m.news_reads({ count: formatShortNumber(article.readCount) })}
            </span>
            {visited ? <span>{m.news_visited()}</span> : null}
            <OnlyInLanguage
              dot={false}
              zh={languages.includes('zh')}
              en={languages.includes('en')}
            />
          </span>
        </span>
        <Thumbnail url={article.titleImage} />
      </Link>
    </li>
  )
}

/** The picture beside the title; renders nothing if there is none or it fails to load. */
function Thumbnail({ url }: { url: string }) {
  const { enableThumbnail } = useSettings()
  if (enableThumbnail === '0') return null
  return (
    <PictureWithFallback
      className="article-card-image"
      src={url}
      width={104}
      height={70}
      loading="lazy"
      // Low priority: the title beside it is more important.
      fetchPriority="low"
      fallback={null}
    />
  )
}
