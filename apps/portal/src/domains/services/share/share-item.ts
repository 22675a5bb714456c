import type { ShareLink } from '@atrium/contract/services/share'
import { inLanguage } from '#lib/language.ts'
import type { ShareItem } from '#shell/container/events.ts'

/** The sharing targets allowed by the specification. */
const scopes = ['qq', 'wechat', 'friend'] as const

/** The data passed to the container for sharing. */
export function shareItem({ title, titleEn, text, textEn, url, image }: ShareLink): ShareItem {
  const words = inLanguage(text, textEn)
  return {
    title: inLanguage(title, titleEn),
    url,
    scopes,
    ...(words && { text: words }),
    ...(image && { image }),
  }
}
