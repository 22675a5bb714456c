import { configFault } from '@atrium/contract/config-checks'
import type { settings, tabs } from '@atrium/contract/config-console'
import {
  type ConfigEntry,
  type ConfigKey,
  configKeys,
  isConfigKey,
} from '@atrium/contract/config-keys'
import type { Db } from '#platform/db.ts'
import { fail } from '#platform/errors.ts'
import { outsideFault } from '#platform/outbound.ts'
import type { Platform } from '#platform/platform.ts'
import type { Handlers } from '#platform/serve.ts'
import { listSetAt, readSettings, updateSetting } from './queries.ts'
import { footTabs, misfitsOf } from './tabs.ts'

export const settingHandlers: Handlers<typeof settings> = {
  list: ({ db }) => listSettings(db),

  async update({ db, platform, params: { key }, body: { value } }) {
    if (!isConfigKey(key)) return fail('config.key_unknown')
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    if (configFault(key, text)) {
      const kind = configKeys[key].kind === 'choice' ? 'choice' : 'format'
      fail('config.value_invalid', { fields: { value: kind } })
    }
    if (configKeys[key].kind === 'base' && text !== '') {
      const fault = await outsideFault(text, platform.env.ATRIUM_OUTBOUND_ALLOW)
      const kind = fault?.because === 'plain' ? 'https' : fault?.network ? 'unknown' : 'closed'
      if (fault) fail('config.value_invalid', { fields: { value: kind } })
    }
    if (key === 'footTabs') assertTabs(JSON.parse(text), 'value')
    await save(platform, key, text)
    const saved = (await listSettings(db)).find((setting) => setting.key === key)
    return saved ?? fail('config.key_unknown')
  },
}

export const tabHandlers: Handlers<typeof tabs> = {
  list: ({ db }) => listTabs(db),

  async update({ db, platform, body }) {
    assertTabs(body.footTabs, 'footTabs')
    await save(platform, 'footTabs', JSON.stringify(body.footTabs))
    return listTabs(db)
  },
}

/** @throws request.invalid with every item's field that does not fit */
function assertTabs(items: readonly unknown[], field: string) {
  const misfits = misfitsOf(items)
  if (misfits.length > 0)
    fail('request.invalid', {
      fields: Object.fromEntries(misfits.map((misfit) => [`${field}.${misfit}`, 'format'])),
    })
}

async function save(platform: Platform, key: ConfigKey, value: string) {
  await platform.db.transaction().execute((db) => updateSetting(db, key, value))
  await platform.topics.settled()
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
