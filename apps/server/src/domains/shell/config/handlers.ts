import {
  type ConfigEntry,
  type ConfigKey,
  configKeys,
  isConfigKey,
} from '@atrium/contract/config-keys'
import { config } from '@atrium/contract/shell/config'
import { listOffered } from '#domains/identity/federation/queries.ts'
import { centralLoginOf, wecomLoginOf } from '#domains/identity/federation/rules.ts'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import { languageOf } from '#platform/http/negotiation.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { ownPicture, pictureUrl } from '#platform/images/picture-address.ts'
import {
  currentSettings,
  readSettings,
  readUsableSettings,
  type Settings,
} from '#platform/settings/settings.ts'
import { version } from '#platform/version.ts'
import { readIdentityLabels } from './identity-labels.ts'
import { footTabs } from './tabs.ts'

/** Rich texts are long and rarely read, so they have their own endpoint. */
const isPlatformKey = (key: ConfigKey) =>
  configKeys[key].kind !== 'html' &&
  !(configKeys as Record<ConfigKey, ConfigEntry>)[key].operatorsOnly &&
  ![
    'schoolName',
    'schoolNameEn',
    'logoUrl',
    'footTabs',
    'quickServices',
    'searchHints',
    'homeBlocks',
  ].includes(key)

const textNames = (Object.keys(configKeys) as ConfigKey[]).filter(
  (key) => configKeys[key].kind === 'html' && !key.endsWith('En'),
)

const entries = (settings: Settings, which: (key: ConfigKey) => boolean) =>
  (Object.keys(configKeys) as ConfigKey[])
    .filter((key) => isPlatformKey(key) && which(key))
    .map((key) => ({ key, value: settings[key] }))

/** The logo's address: our own picture resized, except SVG; any other as the operator entered it. */
async function logoAddress(db: Db, address: string) {
  const id = /^\/files\/(\d{1,18})$/.exec(address)?.[1]
  if (!id) return ownPicture(address, 'logo')
  const file = await db
    .selectFrom('file')
    .select('media_type')
    .where('id', '=', id)
    .executeTakeFirst()
  const isPicture = file && file.media_type !== 'image/svg+xml'
  return isPicture ? pictureUrl(address, 'logo') : address
}

export const configHandlers: Handlers<typeof config> = {
  async manifest({ platform, request, reply }) {
    const { schoolName, schoolNameEn } = await currentSettings(platform)
    const language = languageOf(request.headers['accept-language'])
    const name = (language === 'en' && schoolNameEn) || schoolName || 'Atrium'
    reply.type('application/manifest+json')
    reply.headers({ 'cache-control': 'public, max-age=3600', vary: 'accept-language' })
    return {
      id: '/',
      name,
      short_name: name,
      lang: language === 'en' ? 'en' : 'zh-CN',
      start_url: '/',
      scope: '/',
      display: 'standalone',
      orientation: 'portrait',
      theme_color: '#004EA1',
      background_color: '#F6F6F6',
      icons: [
        { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
        { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
        {
          src: '/icon-maskable-512.png',
          sizes: '512x512',
          type: 'image/png',
          purpose: 'maskable',
        },
        { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
      ],
    }
  },

  detail: async ({ platform }) => entries(await readUsableSettings(platform), () => true),

  async system({ db, platform, request }) {
    const settings = await readUsableSettings(platform, (issue) =>
      request.log.warn({ issue }, 'a stored setting is invalid'),
    )
    const logins = await listOffered(db)
    return {
      schoolName: settings.schoolName,
      schoolNameEn: settings.schoolNameEn,
      logoUrl: await logoAddress(db, settings.logoUrl),
      version,
      demo: platform.env.ATRIUM_DEMO,
      centralLogin: centralLoginOf(settings, logins),
      wecomLogin: wecomLoginOf(logins),
      timeZone: settings.timeZone,
      footTabs: footTabs(settings.footTabs, (field) =>
        request.log.warn({ field }, 'a stored tab is invalid'),
      ),
      identityLabels: await readIdentityLabels(db),
      eCardSets: JSON.parse(settings.eCardSets),
      enableMourningMode: settings.ENV_APP_MOURNING_MODE,
      shake: { openShake: '0', shake_link: '', ...JSON.parse(settings.shake) },
      texts: Object.fromEntries(
        textNames.map((name) => [name, `${config.text.path}?name=${name}`]),
      ),
      publicConfig: entries(settings, (key) => (configKeys[key] as ConfigEntry).visitor),
    }
  },

  async modules({ platform }) {
    const settings = await readUsableSettings(platform)
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

  resourcesUrl: async ({ platform }) => `${platform.origin()}/files/`,
}
