import type { AssistantStatus, assistant } from '@atrium/contract/discovery/assistant'
import type {
  AssistantModel,
  assistantConsole,
} from '@atrium/contract/discovery/assistant.operator'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Handlers } from '#platform/http/serve.ts'
import type { Platform } from '#platform/platform.ts'
import { addressIssue, modelOf, needsNewKey, todayOf } from './assistant.ts'
import { callModel, ModelError } from './model-client.ts'
import { hasAgreed, readModel, readUse, setAgreed, updateModel } from './queries.ts'

async function statusFor(platform: Platform, { accountId }: Member): Promise<AssistantStatus> {
  const { db } = platform
  const settings = await readModel(db)
  const isAvailable = settings.enabled && modelOf(platform.secret, settings) !== undefined
  const use = await readUse(db, accountId, await todayOf(platform))
  return {
    enabled: isAvailable,
    model: isAvailable ? settings.model : '',
    host: isAvailable ? new URL(settings.address).host : '',
    left: isAvailable ? Math.max(0, settings.dailyPerMember - use.own) : 0,
    agreed: await hasAgreed(db, accountId),
  }
}

export const assistantHandlers: Handlers<typeof assistant> = {
  status: ({ platform, viewer }) => statusFor(platform, viewer),
  async consent({ platform, db, viewer, body }) {
    await setAgreed(db, viewer.accountId, body.agreed)
    return statusFor(platform, viewer)
  },
}

async function describeModel(platform: Platform, viewer: Member): Promise<AssistantModel> {
  const { sealedKey, ...settings } = await readModel(platform.db)
  const use = await readUse(platform.db, viewer.accountId, await todayOf(platform))
  return {
    ...settings,
    hasKey: sealedKey !== null,
    questionsToday: use.questions,
    tokensToday: use.tokens,
  }
}

export const assistantConsoleHandlers: Handlers<typeof assistantConsole> = {
  read: ({ platform, viewer }) => describeModel(platform, viewer),

  async update({ platform, db, viewer, body: { key, ...settings } }) {
    const address = settings.address.trim()
    const issue = addressIssue(address, settings.enabled, platform.env.ATRIUM_OUTBOUND_ALLOW)
    if (issue) fail('request.invalid', { fields: { address: issue } })
    if (settings.enabled && !settings.model.trim())
      fail('request.invalid', { fields: { model: 'required' } })
    if (key === undefined && needsNewKey(await readModel(db), address))
      fail('request.invalid', { fields: { key: 'required' } })
    await updateModel(
      db,
      platform.secret,
      { ...settings, address, model: settings.model.trim() },
      key,
    )
    return describeModel(platform, viewer)
  },

  async test({ platform, db }) {
    const model = modelOf(platform.secret, await readModel(db))
    if (!model) return { works: false, reason: 'No AI model is set up.', firstWordMs: null }
    const startedAt = performance.now()
    let firstTextMs: number | null = null
    try {
      await callModel(
        model,
        { messages: [{ role: 'user', content: 'Say: ok' }], maxTokens: 16 },
        {
          allow: platform.env.ATRIUM_OUTBOUND_ALLOW,
          signal: new AbortController().signal,
          onText() {
            firstTextMs ??= Math.round(performance.now() - startedAt)
          },
        },
      )
      return { works: true, reason: null, firstWordMs: firstTextMs }
    } catch (error) {
      if (!(error instanceof ModelError)) throw error
      return { works: false, reason: error.message, firstWordMs: null }
    }
  },
}
