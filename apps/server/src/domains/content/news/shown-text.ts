import type { Language } from '@atrium/contract/error-texts'
import type { Pictures } from '#platform/images/pictures.ts'
import type { Platform } from '#platform/platform.ts'
import { withShownFiles } from '#platform/storage/file-use.ts'
import { withFormulas } from '#platform/text/formulas.ts'
import { cleanRichText } from '#platform/text/rich-text.ts'
import { withOwnMedia } from './rules.ts'

/**
 * The text of an article for its readers. Sanitised on saving and again here, in case it was written to the database
 * directly.
 * @param signed files in it that need a signature
 */
export const shownText = (
  platform: Platform,
  pictures: Pictures,
  signed: Parameters<typeof withShownFiles>[2],
  html: string,
  language: Language,
) =>
  withFormulas(
    withOwnMedia(
      withShownFiles(platform.files, cleanRichText(html), signed),
      language,
      pictures.ofText,
    ),
  )
