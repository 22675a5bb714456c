import type { Article } from '@atrium/contract/content/news'
import { ShareButton } from '#domains/services/share/share-button.tsx'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { Button } from '#ui/form/button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { opinionsId } from './opinions.tsx'

/** The actions for an article, as a row of small buttons at its end. */
export function ArticleActions({ article }: { article: Article }) {
  const { id, columnId } = article
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
        <Icon name="clipboard" /> {m.news_to_todos()}
      </Link>
      <Button
        kind="plain"
        small
        onClick={() => {
          const opinions = document.getElementById(opinionsId)
          opinions?.scrollIntoView()
          opinions?.focus({ preventScroll: true })
        }}
      >
        <Icon name="chat" /> {m.news_discuss()}
      </Button>
    </div>
  )
}
