import type { translation } from '@atrium/contract/discovery/translation'
import type {
  TranslationService,
  translationConsole,
} from '@atrium/contract/discovery/translation.operator'
import { addressIssue, needsNewKey, todayOf } from '#domains/discovery/assistant/assistant.ts'
import { fail } from '#platform/http/errors.ts'
import type { Handlers } from '#platform/http/serve.ts'
import type { Platform } from '#platform/platform.ts'
import { originals } from './originals.ts'
import { readService, readUse, updateService } from './queries.ts'
import { translateSegments, translatorOf } from './translate.ts'
import { requestTranslation, TranslatorError } from './translate-client.ts'

export const translationHandlers: Handlers<typeof translation> = {
  async status({ platform, db }) {
    const settings = await readService(db)
    const translator = settings.enabled && translatorOf(platform.secret, settings)
    return translator
      ? { kinds: settings.kinds, host: new URL(translator.address).host }
      : { kinds: [], host: '' }
  },

  async translate({ platform, db, viewer, body: { kind, id, to } }) {
    const settings = await readService(db)
    if (!settings.enabled || !settings.address || !settings.kinds.includes(kind))
      fail('translation.off')
    const original = await originals[kind](platform, viewer, id, to)
    const [title, lead, content] = await translateSegments(platform, viewer, {
      settings,
      kind,
      to,
      day: await todayOf(platform),
      original,
    })
    return { title, lead, content: original.finish(content), host: new URL(settings.address).host }
  },
}

async function describeService(platform: Platform): Promise<TranslationService> {
  const { sealedKey, ...settings } = await readService(platform.db)
  return {
    ...settings,
    hasKey: sealedKey !== null,
    charactersToday: await readUse(platform.db, await todayOf(platform)),
  }
}

export const translationConsoleHandlers: Handlers<typeof translationConsole> = {
  read: ({ platform }) => describeService(platform),

  async update({ platform, db, body: { key, ...settings } }) {
    const address = settings.address.trim()
    const issue = addressIssue(address, settings.enabled, platform.env.ATRIUM_OUTBOUND_ALLOW)
    if (issue) fail('request.invalid', { fields: { address: issue } })
    if (key === undefined && needsNewKey(await readService(db), address))
      fail('request.invalid', { fields: { key: 'required' } })
    await updateService(db, platform.secret, { ...settings, address }, key)
    return describeService(platform)
  },

  async test({ platform, db }) {
    const translator = translatorOf(platform.secret, await readService(db))
    if (!translator)
      return { works: false, reason: 'No translation service is set up.', text: null }
    try {
      const [text = ''] = await requestTranslation(
        translator,
        { pieces: ['你好'], from: 'zh', to: 'en' },
        platform.env.ATRIUM_OUTBOUND_ALLOW,
      )
      return { works: true, reason: null, text: text.slice(0, 200) }
    } catch (error) {
      if (!(error instanceof TranslatorError)) throw error
      return { works: false, reason: error.message, text: null }
    }
  },
}
