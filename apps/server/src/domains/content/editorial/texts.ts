import type { ArticleText, Change } from '@atrium/contract/content/editorial.operator'
import { diffWords } from 'diff'
import MarkdownIt from 'markdown-it'
import { cleanRichText, plainText } from '#platform/text/rich-text.ts'

const markdown = new MarkdownIt({ html: false, breaks: true })

/** What a writer wrote as HTML that members may be shown. */
export const toHtml = (format: ArticleText['format'], text: string) =>
  cleanRichText(format === 'markdown' ? markdown.render(text) : text)

/** A text as it is kept: HTML only after it was cleaned, Markdown as it was typed. */
export const toKept = (content: ArticleText): ArticleText => ({
  ...content,
  ...(content.format === 'html' && {
    text: cleanRichText(content.text),
    textEn: cleanRichText(content.textEn),
  }),
})

const maxSummary = 200

/** The beginning of a text, for lists. */
export function beginningOf(html: string): string {
  const characters = [...plainText(html)]
  return characters.length > maxSummary
    ? `${characters.slice(0, maxSummary - 1).join('')}…`
    : characters.join('')
}

// ---- differences ----

/** Chinese has no spaces between words: without it a sentence would be one. */
const words = new Intl.Segmenter('zh', { granularity: 'word' })

/** What changed from one text to the other, word by word; two that have too little in common as a whole. */
function changesBetween(before: string, after: string): Change[] {
  const parts = diffWords(before, after, { intlSegmenter: words, timeout: 300 })
  if (!parts)
    return [
      { kind: 'removed', words: before },
      { kind: 'added', words: after },
    ]
  return parts.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    words: value,
  }))
}

/** The fields that differ, texts as the plain words members read. */
export function differenceOf(before: ArticleText, after: ArticleText) {
  const readable = (content: ArticleText): Record<string, string> => ({
    title: content.title,
    titleEn: content.titleEn,
    summary: content.summary,
    text: plainText(toHtml(content.format, content.text)),
    textEn: plainText(toHtml(content.format, content.textEn)),
    author: content.author,
    kind: content.kind,
    columnId: content.columnId,
    needsConfirmation: String(content.needsConfirmation),
    titleImageFileId: content.titleImageFileId ?? '',
    titleImageFocus: content.titleImageFocus
      ? `${content.titleImageFocus.x} % ${content.titleImageFocus.y} %`
      : '',
    attachments: content.attachments.map(({ name }) => name).join('\n'),
  })
  const [old, now] = [readable(before), readable(after)]
  return Object.keys(now)
    .filter((field) => old[field] !== now[field])
    .map((field) => ({ field, changes: changesBetween(old[field] ?? '', now[field] ?? '') }))
}
