import type { Article } from '@atrium/contract/content/news'
import { ShareButton } from '#domains/services/share/share-button.tsx'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { Icon } from '#ui/media/icon.tsx'

/** What one can do with an article, a row of small buttons at its end. */
export function ArticleActions({ article, discussed }: { article: Article; discussed: boolean }) {
  const { id, columnId, commentMode } = article
  return (
    <div className="article-actions">
      <ShareButton kind="news" id={id} worded />
      <Link
        className="button button-plain button-small"
        to="/pages/shedul/newsAddShedul"
        search={{ id, columnId }}
      >
        <Icon name="calendar" /> {m.news_to_schedule()}
      </Link>
      <Link
        className="button button-plain button-small"
        to="/msgCenter/pages/task/addtodo"
        search={{ article: id, columnId }}
      >
        <Icon name="check" /> {m.news_to_todos()}
      </Link>
      {discussed || commentMode === 'off' ? null : (
        <Link
          className="button button-plain button-small"
          to="/pagesA/news/detail_dz"
          search={{ id, columnId }}
        >
          <Icon name="chat" /> {m.news_discuss()}
        </Link>
      )}
    </div>
  )
}
