import './detail-page.css'
import type { Article } from '@atrium/contract/content/news'
import type { Translation } from '@atrium/contract/discovery/translation'
import type { ReactNode, Ref } from 'react'
import { formatDayAndTime, formatNumber } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { Bilingual } from '#ui/bilingual.tsx'
import { RichText } from '#ui/media/rich-text.tsx'
import { articleHtml } from './article-html.ts'
import { Attachments } from './attachments.tsx'

export type DisplayedArticle = Pick<
  Article,
  | 'title'
  | 'titleEn'
  | 'releaseDeptName'
  | 'releaseDeptNameEn'
  | 'author'
  | 'releaseStartTime'
  | 'lead'
  | 'content'
  | 'contentEn'
  | 'titleImage'
  | 'attachments'
> & { readCount: number | null }

type ArticleViewProps = {
  article: DisplayedArticle
  /** whether the reader's language is English */
  english: boolean
  /** text size in percent */
  size: number
  ref?: Ref<HTMLElement>
  /** machine translation, shown if there is no version in the reader's language */
  translated?: Translation | undefined
  /** Shown above a text in the other language, instead of the default line. */
  note?: ReactNode
  /** Shown below the text. */
  children?: ReactNode
}

/** The text in the reader's language, or in the other one if missing. */
export function textFor({ content, contentEn }: DisplayedArticle, english: boolean) {
  const html = (english && contentEn) || content || contentEn
  return { html, inEnglish: html === contentEn && contentEn !== '' }
}

/** An article as readers see it; also used for the writers' preview. */
export function ArticleView(props: ArticleViewProps) {
  const { article, english, size, ref, translated, note, children } = props
  const { author, readCount, titleImage } = article
  const { timeZone } = useSystem()
  const text = textFor(article, english)
  const html = translated?.content || text.html
  const inEnglish = translated ? english : text.inEnglish
  const lead = translated ? translated.lead : inEnglish ? '' : article.lead
  return (
    <article className="article" ref={ref}>
      <h2 className="article-title">
        {translated?.title || <Bilingual zh={article.title} en={article.titleEn} />}
      </h2>
      <p className="article-facts num">
        <span>
          <Bilingual zh={article.releaseDeptName} en={article.releaseDeptNameEn} />
        </span>
        {author ? <span lang={english ? 'zh-CN' : undefined}>{author}</span> : null}
        <time dateTime={article.releaseStartTime}>
          {formatDayAndTime(article.releaseStartTime, timeZone)}
        </time>
        {readCount === null ? null : (
          <span>{m.news_reads({ count: formatNumber(readCount) })}</span>
        )}
      </p>
      {translated || inEnglish !== english ? (note ?? <OneLine english={english} />) : null}
      {lead ? (
        <p className="article-lead" lang={english && !translated ? 'zh-CN' : undefined}>
          {lead}
        </p>
      ) : null}
      {titleImage && !html.includes(titleImage.replaceAll('&', '&amp;')) ? (
        <img className="article-image" src={titleImage} alt="" width={688} height={387} />
      ) : null}
      <div className="article-body" style={{ fontSize: `${size}%` }}>
        <RichText
          html={articleHtml(html)}
          lang={inEnglish === english ? undefined : inEnglish ? 'en' : 'zh-CN'}
        />
      </div>
      <Attachments list={article.attachments} />
      {children}
    </article>
  )
}

const OneLine = ({ english }: { english: boolean }) => (
  <p className="article-note">{english ? m.ui_chinese_only() : m.ui_english_only()}</p>
)
