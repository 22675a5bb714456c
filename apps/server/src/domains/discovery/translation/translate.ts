import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'
import type { Secret } from '#platform/secret.ts'
import { escapeHtml } from '#platform/text/escape-html.ts'
import { plainText } from '#platform/text/rich-text.ts'
import type { Original } from './originals.ts'
import {
  findTranslation,
  insertTranslation,
  type Kind,
  readUse,
  refundCharacters,
  reserveCharacters,
  type Settings,
} from './queries.ts'
import { hashOf, isBlank, sanitizeTranslation } from './rules.ts'
import { requestTranslation, type Translator, TranslatorError } from './translate-client.ts'

/** The configured translator with its key; undefined if none is configured. */
export function translatorOf(secret: Secret, settings: Settings): Translator | undefined {
  const { address, chinese, seconds, sealedKey } = settings
  if (!address) return undefined
  const key = sealedKey === null ? undefined : secret.decrypt(sealedKey)
  return { address, chinese, seconds, key }
}

/** Translations in progress on this node, shared by concurrent requests for the same text. */
const pending = new Map<string, Promise<string[]>>()

type TranslationRequest = {
  settings: Settings
  kind: Kind
  to: 'zh' | 'en'
  /** today's date in the institution's time zone, by which use is counted */
  day: string
  original: Original
}

/** @returns title and lead as plain text and content as HTML; empty if the original is */
export async function translateSegments(
  platform: Platform,
  viewer: Member,
  { settings, kind, to, day, original }: TranslationRequest,
): Promise<[title: string, lead: string, content: string]> {
  const { title, lead, content, from } = original
  const pieces = [escapeHtml(title), escapeHtml(lead), content]
  const hash = hashOf(settings.address, to, pieces)
  const key = hash.toString('hex')
  const translate = async () => {
    const stored = await findTranslation(platform.db, hash)
    if (stored) return stored
    const sent = pieces.filter(Boolean)
    const parts = await withinBudget(platform, viewer, settings, day, sent, async (translator) => {
      const allow = platform.env.ATRIUM_OUTBOUND_ALLOW
      const translated = await requestTranslation(translator, { pieces: sent, from, to }, allow)
      const [titleOf = '', leadOf = '', html = ''] = pieces.map((piece) =>
        piece ? translated.shift() : '',
      )
      const contentOf = sanitizeTranslation(html, content)
      if (isBlank(contentOf) !== isBlank(content))
        throw new TranslatorError(
          'not_usable',
          'The translation contains nothing that can be shown.',
        )
      return [plainText(titleOf), plainText(leadOf), contentOf]
    })
    await insertTranslation(platform.db, hash, kind, parts)
    return parts
  }
  let translation = pending.get(key)
  if (!translation) {
    translation = translate().finally(() => pending.delete(key))
    pending.set(key, translation)
  }
  const [titleOf = '', leadOf = '', contentOf = ''] = await translation
  return [titleOf, leadOf, contentOf]
}

/** Counts characters before sending them, so that concurrent requests cannot exceed the limit. */
async function withinBudget(
  platform: Platform,
  { accountId }: Member,
  settings: Settings,
  day: string,
  sent: readonly string[],
  work: (translator: Translator) => Promise<string[]>,
) {
  const { db, secret } = platform
  const translator = translatorOf(secret, settings) ?? fail('translation.off')
  const characters = sent.reduce((sum, piece) => sum + piece.length, 0)
  if (characters > settings.maxCharacters) fail('translation.too_long')
  const isSpent = (await readUse(db, day)) + characters > settings.dailyCharacters
  if (
    isSpent ||
    !(await reserveCharacters(db, accountId, day, characters, settings.dailyPerMember))
  )
    fail('translation.used_up')
  try {
    return await work(translator)
  } catch (error) {
    await refundCharacters(db, accountId, day, characters)
    if (error instanceof TranslatorError) {
      platform.log.warn({ reason: error.message }, 'a translation failed')
      fail(`translation.${error.fault}`)
    }
    throw error
  }
}
