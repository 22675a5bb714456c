import { get, Nullable, type Static, T } from '../define.ts'

export const Setting = T.Object({ key: T.String(), value: T.String() }, { $id: 'Setting' })

export const FootTab = T.Object(
  {
    pagePath: T.String(),
    text: T.String(),
    textEn: T.String(),
    iconPath: T.String(),
    selectedIconPath: T.String(),
    name: T.String({ description: 'same as `text`' }),
    redDot: T.Boolean(),
    badge: T.String({ description: 'number or short word beside the icon, or empty' }),
    externalUrl: T.String({ description: 'web page shown instead of the tab, or empty' }),
    backgroundUrl: T.String({ description: 'background of the tab bar, or empty' }),
    identityList: T.Record(T.String(), T.String(), {
      description: 'tab text by identity type code, or by admin, guest, student, teacher',
    }),
  },
  { $id: 'FootTab' },
)

export const SystemConf = T.Object(
  {
    schoolName: T.String(),
    schoolNameEn: T.String(),
    logoUrl: T.String(),
    version: T.String({ description: "the server's version" }),
    demo: T.Boolean(),
    centralLogin: T.String({
      description: 'address for signing in: our central login, or an external one',
    }),
    wecomLogin: T.String({ description: 'address for signing in within WeCom; empty: none' }),
    timeZone: T.String(),
    footTabs: T.Array(FootTab),
    identityLabels: T.Record(T.String(), T.String(), {
      description:
        'admin, guest, student or teacher, by identity type code; types without a label are left out',
    }),
    eCardSets: T.Record(T.String(), T.Unknown()),
    enableMourningMode: T.String(),
    shake: T.Object({ openShake: T.String(), shake_link: T.String() }),
    texts: T.Record(T.String(), T.String(), {
      description: 'addresses of the user agreement, the privacy statement and the about text',
    }),
    publicConfig: T.Array(Setting, {
      description: 'configuration keys that visitors need',
    }),
  },
  { $id: 'SystemConf' },
)
export type SystemConf = Static<typeof SystemConf>

export const ModuleSettings = T.Object(
  {
    casArry: T.Array(T.String()),
    authCollects: T.Record(T.String(), T.String()),
    isEnableServiceGuide: T.String(),
    disableCasArry: T.String(),
    oriCasUrl: T.String(),
    casUrl: T.String(),
    pcPortalUrl: T.String(),
  },
  { $id: 'ModuleSettings' },
)

export const Manifest = T.Object(
  {
    id: T.String(),
    name: T.String(),
    short_name: T.String(),
    lang: T.String(),
    start_url: T.String(),
    scope: T.String(),
    display: T.String(),
    orientation: T.String(),
    theme_color: T.String(),
    background_color: T.String(),
    icons: T.Array(
      T.Object({
        src: T.String(),
        sizes: T.String(),
        type: T.String(),
        purpose: T.Optional(T.String()),
      }),
    ),
  },
  { $id: 'Manifest', description: 'web app manifest' },
)

export const config = {
  manifest: get('/manifest.webmanifest', {
    summary: 'Get the web app manifest, named after the institution',
    access: 'public',
    media: 'application/json',
    reply: Manifest,
  }),
  detail: get('/portal-api/v1/config/getDetail', {
    summary: 'Get the platform configuration for members',
    access: 'member',
    cached: ['config'],
    reply: T.Array(Setting),
  }),
  system: get('/portal-api/v1/config/system/getSystemConf', {
    summary: 'Get names, tabs and the configuration that visitors need',
    access: 'public',
    cached: ['config', 'directory'],
    reply: SystemConf,
  }),
  modules: get('/portal-api/v1/config/system/getAppSystemConf', {
    summary: 'Get the module settings: how addresses of services are opened',
    access: 'public',
    cached: ['config'],
    reply: ModuleSettings,
  }),
  text: get('/portal-api/v1/config/system/getText', {
    summary: "Get one of the institution's texts: agreement, privacy, about",
    access: 'public',
    cached: ['config'],
    query: T.Object({ name: T.String({ pattern: '^[a-zA-Z]{1,40}$' }) }),
    reply: T.Object({ html: T.String(), htmlEn: T.String(), updatedAt: Nullable(T.String()) }),
    errors: ['config.key_unknown'],
  }),
  resourcesUrl: get('/portal-api/v1/resourcesUrl', {
    summary: 'Get the base address of uploaded files',
    access: 'public',
    reply: T.String(),
  }),
}
