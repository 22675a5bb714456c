import { findArticle } from '#domains/content/news/queries.ts'
import { leadOf } from '#domains/content/news/rules.ts'
import { shownText } from '#domains/content/news/shown-text.ts'
import { findMessage } from '#domains/work/messages/queries.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import { picturesOf } from '#platform/images/pictures.ts'
import type { Platform } from '#platform/platform.ts'
import { cleanRichText } from '#platform/text/rich-text.ts'
import type { Kind } from './queries.ts'
import { isBlank } from './rules.ts'

type Language = 'zh' | 'en'
/** Texts to translate; empty ones need no translation. */
export type Original = {
  from: Language
  /** plain text */
  title: string
  /** plain text */
  lead: string
  /** HTML */
  content: string
  /** converts translated content for display */
  finish: (html: string) => string
}

/** Both versions of a text; empty: missing. */
type Versions = Record<Language, string>
const otherLanguage = { zh: 'en', en: 'zh' } as const

/** @returns the other version if this language is missing; otherwise empty */
const missingVersion = (versions: Versions, to: Language) =>
  versions[to] ? '' : versions[otherLanguage[to]]

/** Reads the originals by kind, with the errors of reading them if the viewer may not. */
export const originals: Record<
  Kind,
  (platform: Platform, viewer: Member, id: string, to: Language) => Promise<Original>
> = {
  async article(platform, viewer, id, to) {
    const row = (await findArticle(platform.db, viewer, id)) ?? fail('news.not_found')
    const content = missingVersion({ zh: row.body, en: row.body_en }, to)
    if (isBlank(content)) fail('translation.not_needed')
    const pictures = await picturesOf(platform)
    return {
      from: otherLanguage[to],
      title: missingVersion({ zh: row.title, en: row.title_en }, to),
      lead: to === 'en' && row.kind === 'announcement' ? leadOf(row.summary, row.body) : '',
      content: cleanRichText(content),
      finish: (html) => shownText(platform, pictures, row.signed, html, to),
    }
  },

  async message(platform, viewer, id, to) {
    const row = (await findMessage(platform.db, viewer.accountId, id)) ?? fail('message.not_found')
    const content = missingVersion({ zh: row.content, en: row.content_en }, to)
    const title = missingVersion({ zh: row.title, en: row.title_en }, to)
    const hasContent = !isBlank(row.content) || !isBlank(row.content_en)
    // A message without content shows its summary.
    const lead = hasContent ? '' : missingVersion({ zh: row.summary, en: row.summary_en }, to)
    if (!title && !lead && isBlank(content)) fail('translation.not_needed')
    return {
      from: otherLanguage[to],
      title,
      lead,
      content: cleanRichText(content),
      finish: cleanRichText,
    }
  },
}
