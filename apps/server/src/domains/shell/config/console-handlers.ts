import { configIssue } from '@atrium/contract/config-checks'
import {
  type ConfigEntry,
  type ConfigKey,
  configKeys,
  isConfigKey,
} from '@atrium/contract/config-keys'
import type { settings, tabs } from '@atrium/contract/shell/config.operator'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { outboundIssue } from '#platform/outbound/outbound.ts'
import type { Platform } from '#platform/platform.ts'
import { findClosedAddress } from '#platform/settings/closed-addresses.ts'
import { listSetAt, readSettings, updateSetting } from '#platform/settings/settings.ts'
import {
  fileIssues,
  filesNamedIn,
  listUses,
  withPlainAddresses,
  withPlainAddressesIn,
} from '#platform/storage/file-use.ts'
import { footTabs, invalidTabFields } from './tabs.ts'

export const settingHandlers: Handlers<typeof settings> = {
  list: ({ db }) => listSettings(db),

  async update({ db, platform, viewer, params: { key }, body: { value } }) {
    if (!isConfigKey(key)) return fail('config.key_unknown')
    const given = typeof value === 'string' ? value : JSON.stringify(value)
    const text = withPlainAddresses(given, platform.isOwnOrigin)
    if (configIssue(key, text)) {
      const kind = configKeys[key].kind === 'choice' ? 'choice' : 'format'
      fail('config.value_invalid', { fields: { value: kind } })
    }
    if (findClosedAddress(key, text, platform.env.ATRIUM_OUTBOUND_ALLOW))
      fail('config.value_invalid', { fields: { value: 'closed' } })
    if (configKeys[key].kind === 'base' && text !== '') {
      const issue = await outboundIssue(text, platform.env.ATRIUM_OUTBOUND_ALLOW)
      const kind = issue?.because === 'plain' ? 'https' : issue?.network ? 'unknown' : 'closed'
      if (issue) fail('config.value_invalid', { fields: { value: kind } })
    }
    if (key === 'footTabs') assertTabs(JSON.parse(text), 'value')
    await assertFiles(platform, viewer, key, { value: text })
    await save(platform, key, text)
    const saved = (await listSettings(db)).find((setting) => setting.key === key)
    return saved ?? fail('config.key_unknown')
  },
}

export const tabHandlers: Handlers<typeof tabs> = {
  list: ({ db }) => listTabs(db),

  async update({ db, platform, viewer, body }) {
    const footTabs = withPlainAddressesIn(body.footTabs, platform.isOwnOrigin)
    assertTabs(footTabs, 'footTabs')
    const text = JSON.stringify(footTabs)
    if (findClosedAddress('footTabs', text, platform.env.ATRIUM_OUTBOUND_ALLOW))
      fail('request.invalid', { fields: { footTabs: 'closed' } })
    await assertFiles(platform, viewer, 'footTabs', { footTabs })
    await save(platform, 'footTabs', text)
    return listTabs(db)
  },
}

/** @throws request.invalid with every invalid field of every item */
function assertTabs(items: readonly unknown[], field: string) {
  const misfits = invalidTabFields(items)
  if (misfits.length > 0)
    fail('request.invalid', {
      fields: Object.fromEntries(misfits.map((misfit) => [`${field}.${misfit}`, 'format'])),
    })
}

/** @throws request.invalid if the operator may not publish a file named in the content */
async function assertFiles({ db }: Platform, viewer: Member, key: ConfigKey, content: object) {
  const kept = await listUses(db, { config_key: key })
  const files = filesNamedIn(content)
  const fields = await fileIssues(db, viewer, files, new Set(kept.map(({ id }) => id)))
  if (Object.keys(fields).length > 0) fail('request.invalid', { fields })
}

async function save(platform: Platform, key: ConfigKey, value: string) {
  await platform.db.transaction().execute((db) => updateSetting(db, key, value))
  await platform.topics.flushed()
}

async function listSettings(db: Db) {
  const [values, setAt] = [await readSettings(db), await listSetAt(db)]
  return (Object.entries(configKeys) as [ConfigKey, ConfigEntry][]).map(([key, entry]) => ({
    key,
    value: values[key],
    initial: entry.initial,
    kind: entry.kind,
    choices: [...(entry.choices ?? [])],
    visitor: entry.visitor,
    means: entry.means,
    updatedAt: setAt.get(key) ?? null,
  }))
}

const listTabs = async (db: Db) => footTabs((await readSettings(db)).footTabs, () => {})
