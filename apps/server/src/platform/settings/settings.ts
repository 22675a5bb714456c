import { configIssue } from '@atrium/contract/config-checks'
import { type ConfigKey, configKeys, isConfigKey } from '@atrium/contract/config-keys'
import { sql } from 'kysely'
import { cachedRead } from '#platform/area-state.ts'
import type { Db } from '#platform/database/db.ts'
import { invalidate } from '#platform/database/topics.ts'
import type { Platform } from '#platform/platform.ts'
import { filesNamedIn, replaceUses } from '#platform/storage/file-use.ts'
import { cleanRichText } from '#platform/text/rich-text.ts'
import { findClosedAddress } from './closed-addresses.ts'

export type Settings = Record<ConfigKey, string>

const initial = Object.fromEntries(
  Object.entries(configKeys).map(([key, entry]) => [key, entry.initial]),
) as Settings

/** All settings, stored or default. A stored value that is invalid for its key is ignored. */
export const readSettings = (db: Db): Promise<Settings> => readFitting(db, () => undefined)

/**
 * Settings for clients that follow the addresses in them: addresses closed to outgoing requests are ignored too.
 * Addresses that the server itself requests (`eventUrl`, `mapTileUrl`) stay: `fetchExternal` refuses them, and pending
 * work keeps waiting.
 * @param onMisfit called for every ignored value
 */
export async function readUsableSettings(
  { db, env }: Pick<Platform, 'db' | 'env'>,
  onMisfit: (issue: string) => void = () => {},
): Promise<Settings> {
  const issue = (key: ConfigKey, value: string) => {
    const { kind } = configKeys[key]
    if (kind === 'eventAddress' || kind === 'tileAddress') return undefined
    const closed = findClosedAddress(key, value, env.ATRIUM_OUTBOUND_ALLOW)
    return closed && `${key} contains ${closed}, which is not opened with ATRIUM_OUTBOUND_ALLOW`
  }
  const isList = (key: ConfigKey) => configKeys[key].kind === 'hosts'
  const settings = await readFitting(
    db,
    (key, value) => (isList(key) ? undefined : issue(key, value)),
    onMisfit,
  )
  // In a list, only the closed hosts are dropped.
  for (const key of Object.keys(settings).filter((key) => isConfigKey(key) && isList(key))) {
    const hosts = JSON.parse(settings[key as ConfigKey]) as string[]
    const open = hosts.filter((host) => {
      const misfit = issue(key as ConfigKey, JSON.stringify([host]))
      if (misfit) onMisfit(misfit)
      return !misfit
    })
    settings[key as ConfigKey] = JSON.stringify(open)
  }
  return settings
}

async function readFitting(
  db: Db,
  faultInUse: (key: ConfigKey, value: string) => string | undefined,
  onMisfit: (issue: string) => void = () => {},
): Promise<Settings> {
  const rows = await db.selectFrom('config_value').select(['key', 'value']).execute()
  const settings = { ...initial }
  for (const { key, value } of rows) {
    if (!isConfigKey(key)) continue
    const issue = configIssue(key, value) ?? faultInUse(key, value)
    if (issue) onMisfit(issue)
    else settings[key] = value
  }
  return settings
}

/** When each stored setting was last changed. */
export async function listSetAt(db: Db): Promise<Map<string, string>> {
  const rows = await db.selectFrom('config_value').select(['key', 'updated_at']).execute()
  return new Map(rows.map((row) => [row.key, row.updated_at]))
}

/** The settings in effect on this node, cached. */
export const currentSettings = cachedRead(
  ['config'],
  (platform) => readUsableSettings(platform),
  ({ env }) => env.ATRIUM_OUTBOUND_ALLOW ?? '',
)

/** Stores a setting; HTML is sanitised first. The caller has checked the value with `configIssue`. */
export async function updateSetting(db: Db, key: ConfigKey, given: string) {
  const value = configKeys[key].kind === 'html' ? cleanRichText(given) : given
  await db
    .insertInto('config_value')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value, updated_at: sql`now()` }))
    .execute()
  // The configuration is public, so the files it refers to are too.
  await replaceUses(db, { config_key: key }, [...filesNamedIn(value).keys()])
  await invalidate(db, 'config')
}
