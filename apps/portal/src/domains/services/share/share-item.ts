import type { ShareLink } from '@atrium/contract/services/share'
import { inLanguage } from '#lib/language.ts'
import type { ShareItem } from '#shell/container/events.ts'

/** Where the specification lets things be shared to. */
const scopes = ['qq', 'wechat', 'friend'] as const

/** What a container is asked to share. */
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
