import type { ArticleText, Change } from '@atrium/contract/content/editorial.operator'
import { diffWords } from 'diff'
import MarkdownIt from 'markdown-it'
import { cleanRichText, plainText } from '#platform/text/rich-text.ts'

const markdown = new MarkdownIt({ html: false, breaks: true })

/** Converts an author's text to HTML that is safe to show. */
export const toHtml = (format: ArticleText['format'], text: string) =>
  cleanRichText(format === 'markdown' ? markdown.render(text) : text)

/** The stored form of a text: HTML is sanitised, Markdown is unchanged. */
export const toStored = (content: ArticleText): ArticleText => ({
  ...content,
  ...(content.format === 'html' && {
    text: cleanRichText(content.text),
    textEn: cleanRichText(content.textEn),
  }),
})

const maxSummary = 200

/** The beginning of a text, for lists. */
export function leadingText(html: string): string {
  const characters = [...plainText(html)]
  return characters.length > maxSummary
    ? `${characters.slice(0, maxSummary - 1).join('')}…`
    : characters.join('')
}

// ---- differences ----

/** Chinese has no spaces between words: without a segmenter each sentence would count as one word. */
const wordSegmenter = new Intl.Segmenter('zh', { granularity: 'word' })

/** Word-level differences; texts that differ too much are compared as a whole. */
function changesBetween(before: string, after: string): Change[] {
  const parts = diffWords(before, after, { intlSegmenter: wordSegmenter, timeout: 300 })
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

/** The fields that differ; texts are compared as plain text. */
export function diffTexts(before: ArticleText, after: ArticleText) {
  const comparableFields = (content: ArticleText): Record<string, string> => ({
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
  const [old, now] = [comparableFields(before), comparableFields(after)]
  return Object.keys(now)
    .filter((field) => old[field] !== now[field])
    .map((field) => ({ field, changes: changesBetween(old[field] ?? '', now[field] ?? '') }))
}
