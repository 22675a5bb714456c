import type { config } from '@atrium/contract/config'
import {
  type ConfigEntry,
  type ConfigKey,
  configKeys,
  isConfigKey,
} from '@atrium/contract/config-keys'
import { fail } from '#platform/errors.ts'
import type { Handlers } from '#platform/serve.ts'
import { readSettings, type Settings } from './queries.ts'
import { footTabs } from './tabs.ts'

/** Texts are long and rarely read: they have an endpoint of their own. */
const isPlatformKey = (key: ConfigKey) =>
  configKeys[key].kind !== 'html' &&
  !['schoolName', 'schoolNameEn', 'logoUrl', 'footTabs', 'quickServices'].includes(key)

const entries = (settings: Settings, which: (key: ConfigKey) => boolean) =>
  (Object.keys(configKeys) as ConfigKey[])
    .filter((key) => isPlatformKey(key) && which(key))
    .map((key) => ({ key, value: settings[key] }))

export const configHandlers: Handlers<typeof config> = {
  detail: async ({ db }) => entries(await readSettings(db), () => true),

  async system({ db, platform }) {
    const settings = await readSettings(db)
    return {
      schoolName: settings.schoolName,
      schoolNameEn: settings.schoolNameEn,
      logoUrl: settings.logoUrl,
      version: platform.env.ATRIUM_DEMO ? 'demo' : '0.1.0',
      demo: platform.env.ATRIUM_DEMO,
      timeZone: settings.timeZone,
      footTabs: footTabs(settings.footTabs),
      eCardSets: JSON.parse(settings.eCardSets),
      enableMourningMode: settings.ENV_APP_MOURNING_MODE,
      shake: JSON.parse(settings.shake),
      publicConfig: entries(settings, (key) => (configKeys[key] as ConfigEntry).visitor),
    }
  },

  async modules({ db }) {
    const settings = await readSettings(db)
    return {
      casArry: JSON.parse(settings.casArry),
      authCollects: JSON.parse(settings.authCollects),
      isEnableServiceGuide: settings.ENV_SHOW_GUIDE,
      disableCasArry: settings.disableCasArry,
      oriCasUrl: settings.oriCasUrl,
      casUrl: settings.casUrl || '/cas/login',
      pcPortalUrl: settings.pcPortalUrl,
    }
  },

  async text({ db, query }) {
    const english = `${query.name}En`
    if (!isConfigKey(query.name) || !isConfigKey(english) || configKeys[query.name].kind !== 'html')
      fail('config.key_unknown')
    const settings = await readSettings(db)
    const stored = await db
      .selectFrom('config_value')
      .select('updated_at')
      .where('key', '=', query.name)
      .executeTakeFirst()
    return {
      html: settings[query.name],
      htmlEn: settings[english],
      updatedAt: stored?.updated_at ?? null,
    }
  },
}
