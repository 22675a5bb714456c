import './detail-page.css'
import type { Article } from '@atrium/contract/content/news'
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { ConfirmationBar } from '#domains/content/announcements/confirmation-bar.tsx'
import { Missing } from '#domains/content/news/missing.tsx'
import { useArticle, useColumns } from '#domains/content/news/news-queries.ts'
import { recordVisit } from '#domains/content/news/visited.ts'
import { TranslationNote } from '#domains/discovery/translation/translation-note.tsx'
import { useTranslation } from '#domains/discovery/translation/translation-queries.ts'
import { FavouriteArticle } from '#domains/member/favourites/favourite-button.tsx'
import { useRecordedReading } from '#domains/member/favourites/favourites-queries.ts'
import { ApiError } from '#lib/api.ts'
import { getLanguage, inLanguage } from '#lib/language.ts'
import { read, write } from '#lib/storage.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { Page } from '#shell/page/page.tsx'
import { PageContext, useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { ArticleActions } from './article-actions.tsx'
import { ArticleView, textFor } from './article-view.tsx'
import { Neighbours } from './neighbours.tsx'
import { openImages } from './open-images.ts'
import { openLinks } from './open-links.ts'
import { Opinions } from './opinions.tsx'
import { trackReadingPosition } from './reading-position.ts'
import { Related } from './related.tsx'
import { TextSizeSheet } from './text-size-sheet.tsx'

/** One article, with likes and comments below it. Served at two addresses. */
export default function DetailPage() {
  const path = useContext(PageContext).path as '/pagesA/news/detail'
  const { id } = useSearch(path)
  const article = useArticle(id)
  const [size, setSize] = useState(() => read('articleTextSize') ?? 100)
  const [choosing, setChoosing] = useState(false)
  const { columnName = '', columnNameEn = '' } = article.data ?? {}
  const missing = article.error instanceof ApiError && article.error.status === 404
  return (
    <Page
      title={inLanguage(columnName, columnNameEn) || undefined}
      onRefresh={article.refetch}
      actions={
        missing ? null : (
          <>
            <FavouriteArticle id={id} />
            <IconButton label={m.news_text_size()} onClick={() => setChoosing(true)}>
              <Icon name="text" />
            </IconButton>
          </>
        )
      }
    >
      <div className="column stack">
        {missing ? (
          <Missing
            title={article.error?.message ?? ''}
            member={m.news_missing()}
            visitor={m.news_missing_visitor()}
          />
        ) : (
          <QueryView query={article} skeleton={<ArticleSkeleton />}>
            {(data) => (
              <>
                <Body article={data} size={size} />
                {data.needsConfirmation ? <ConfirmationBar id={data.id} /> : null}
                <Opinions article={data} />
                <Neighbours article={data} path={path} />
                <Related article={data} />
              </>
            )}
          </QueryView>
        )}
      </div>
      <TextSizeSheet
        open={choosing}
        value={size}
        onChange={(next) => {
          setSize(next)
          write('articleTextSize', next)
        }}
        onClose={() => setChoosing(false)}
      />
    </Page>
  )
}

type BodyProps = { article: Article; size: number }

function Body({ article, size }: BodyProps) {
  const { id } = article
  const body = useRef<HTMLElement>(null)
  const english = getLanguage() === 'en'
  const { html, inEnglish } = textFor(article, english)
  const translation = useTranslation('article', id, html !== '' && inEnglish !== english)
  const { translated } = translation
  useRecordedReading(id)
  useEffect(() => recordVisit(id), [id])
  // A layout effect, so that the next page's scrolling is not recorded for this one.
  useLayoutEffect(() => trackReadingPosition(id), [id])
  useEffect(() => openLinks(body.current), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has other pictures
  useEffect(() => openImages(id, body.current), [id, html, translated])
  return (
    <ArticleView
      article={article}
      english={english}
      size={size}
      ref={body}
      translated={translated}
      note={<TranslationNote state={translation} />}
    >
      {article.sourceName ? (
        <p className="article-source-name muted">
          {m.news_source_name({ name: article.sourceName })}
        </p>
      ) : null}
      {article.url ? (
        <p className="article-source">
          <a href={article.url}>{m.news_source()}</a>
        </p>
      ) : null}
      <ChannelEntry columnId={article.columnId} />
      <ArticleActions article={article} />
    </ArticleView>
  )
}

/** Links to the channel page of the article's column. */
function ChannelEntry({ columnId }: { columnId: string }) {
  const { data: columns, isPending } = useColumns()
  const column = columns?.find(({ id }) => id === columnId)
  if (!column)
    return isPending ? (
      <p className="article-source article-source-soon" aria-hidden="true" />
    ) : null
  return (
    <p className="article-source">
      <Link to="/pages/channel/channel" search={{ columnCode: column.columnCode }}>
        {m.news_channel_of({ name: inLanguage(column.name, column.nameEn) })}
      </Link>
    </p>
  )
}

function ArticleSkeleton() {
  return (
    <>
      <Skeleton rows={1} height={76} label={m.shell_loading()} />
      <Skeleton rows={1} height={420} label={m.shell_loading()} />
    </>
  )
}
