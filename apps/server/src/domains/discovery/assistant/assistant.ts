import { dayIn } from '@atrium/rules/day-in'
import type { Member } from '#platform/http/guard.ts'
import { isClosedAddress } from '#platform/outbound/outbound.ts'
import type { Platform } from '#platform/platform.ts'
import type { Secret } from '#platform/secret.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import type { Model } from './model-client.ts'
import { countQuestion, hasAgreed, readModel, readUse, type Settings } from './queries.ts'

/** A model that this member may use now. */
export type UsableModel = {
  model: Model
  sends: Settings['sends']
  agreed: boolean
  day: string
}

/** The configured model with its key; undefined if none is configured. */
export function modelOf(secret: Secret, settings: Settings): Model | undefined {
  const { address, model, seconds, sealedKey } = settings
  if (!address || !model) return undefined
  const key = sealedKey === null ? undefined : secret.decrypt(sealedKey)
  return { address, model, seconds, key }
}

/** Whether a model is configured and enabled. */
export async function hasModel(platform: Platform) {
  const settings = await readModel(platform.db)
  return settings.enabled && modelOf(platform.secret, settings) !== undefined
}

/** Today's date in the institution's time zone, by which use is counted. */
export const todayOf = async (platform: Platform) =>
  dayIn(new Date(), (await currentSettings(platform)).timeZone)

/**
 * Counts a question against the member's daily limit.
 * @returns the model; undefined if there is none; or the limit that is used up
 */
export async function reserveModel(
  platform: Platform,
  { accountId }: Member,
): Promise<UsableModel | 'memberBudget' | 'budget' | undefined> {
  const { db } = platform
  const settings = await readModel(db)
  const model = modelOf(platform.secret, settings)
  if (!settings.enabled || !model) return undefined
  const day = await todayOf(platform)
  const [use, agreed] = await Promise.all([readUse(db, accountId, day), hasAgreed(db, accountId)])
  if (use.tokens >= settings.dailyTokens) return 'budget'
  if (!(await countQuestion(db, accountId, day, settings.dailyPerMember))) return 'memberBudget'
  return { model, sends: settings.sends, agreed, day }
}

/**
 * Whether the stored key would be sent to another origin than before. Operators cannot read the key, so they may not
 * have it sent to a server of their own either.
 */
export const needsNewKey = (
  before: { address: string; sealedKey: string | null },
  address: string,
): boolean =>
  before.sealedKey !== null && address !== '' && originOf(address) !== originOf(before.address)

const originOf = (address: string) => (URL.canParse(address) ? new URL(address).origin : '')

/**
 * The issue with a model's address; undefined if valid.
 * @param enabled if false, the address may be empty or in a closed network
 */
export function addressIssue(address: string, enabled: boolean, allow: string | undefined) {
  if (address === '' && !enabled) return undefined
  if (!/^https?:\/\/[^/?#\s]/i.test(address) || !URL.canParse(address)) return 'format'
  const url = new URL(address)
  if (url.username || url.password) return 'credentials'
  return enabled && isClosedAddress(url, allow) ? 'closed' : undefined
}
