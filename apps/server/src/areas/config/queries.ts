import { configFault } from '@atrium/contract/config-checks'
import { type ConfigKey, configKeys, isConfigKey } from '@atrium/contract/config-keys'
import { sql } from 'kysely'
import type { Db } from '#platform/db.ts'
import type { Platform } from '#platform/platform.ts'
import { cleanRichText } from '#platform/rich-text.ts'
import { raiseTopic } from '#platform/topics.ts'

export type Settings = Record<ConfigKey, string>

const initial = Object.fromEntries(
  Object.entries(configKeys).map(([key, entry]) => [key, entry.initial]),
) as Settings

/**
 * Every key with its value, stored or initial.
 * @param onMisfit told of a stored value that does not fit its key: it counts as not stored
 */
export async function readSettings(
  db: Db,
  onMisfit: (fault: string) => void = () => {},
): Promise<Settings> {
  const rows = await db.selectFrom('config_value').select(['key', 'value']).execute()
  const settings = { ...initial }
  for (const { key, value } of rows) {
    if (!isConfigKey(key)) continue
    const fault = configFault(key, value)
    if (fault) onMisfit(fault)
    else settings[key] = value
  }
  return settings
}

/** What tabs may be named by, beside the codes: the label of each identity type that has one. */
export async function readIdentityLabels(db: Db): Promise<Record<string, string>> {
  const rows = await db.selectFrom('identity_type').select(['code', 'label']).execute()
  return Object.fromEntries(rows.flatMap(({ code, label }) => (label ? [[code, label]] : [])))
}

/** When each key that was ever set was set last. */
export async function listSetAt(db: Db): Promise<Map<string, string>> {
  const rows = await db.selectFrom('config_value').select(['key', 'updated_at']).execute()
  return new Map(rows.map((row) => [row.key, row.updated_at]))
}

const memory = new WeakMap<Platform, { stamp: number; settings: Promise<Settings> }>()

/** The settings as this node knows them: read again when one was changed anywhere, or while nobody would tell. */
export function currentSettings(platform: Platform): Promise<Settings> {
  const stamp = platform.topics.stamp(['config'])
  const known = memory.get(platform)
  if (known?.stamp === stamp && platform.topics.healthy()) return known.settings
  const settings = readSettings(platform.db)
  memory.set(platform, { stamp, settings })
  // A read that failed is not remembered.
  settings.catch(() => memory.delete(platform))
  return settings
}

/** Sets a key; what is shown as HTML is cleaned first. The value was checked by `configFault`. */
export async function updateSetting(db: Db, key: ConfigKey, given: string) {
  const value = configKeys[key].kind === 'html' ? cleanRichText(given) : given
  await db
    .insertInto('config_value')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value, updated_at: sql`now()` }))
    .execute()
  await raiseTopic(db, 'config')
}
