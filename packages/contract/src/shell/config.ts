import { get, Nullable, type Static, T } from '../define.ts'

export const Setting = T.Object({ key: T.String(), value: T.String() }, { $id: 'Setting' })

export const FootTab = T.Object(
  {
    pagePath: T.String(),
    text: T.String(),
    textEn: T.String(),
    iconPath: T.String(),
    selectedIconPath: T.String(),
    name: T.String({ description: 'the same as text' }),
    redDot: T.Boolean(),
    badge: T.String({ description: 'a number or a short word beside the icon, or empty' }),
    externalUrl: T.String({ description: 'a web page in the place of the tab, or empty' }),
    backgroundUrl: T.String({ description: 'behind the tab bar, or empty' }),
    identityList: T.Record(T.String(), T.String(), {
      description: 'identity type code, or admin, guest, student, teacher → text',
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
      description: 'where people are sent to sign in: ours, or where an outside one begins',
    }),
    wecomLogin: T.String({ description: 'where people in WeCom are sent instead; empty: nowhere' }),
    timeZone: T.String(),
    footTabs: T.Array(FootTab),
    identityLabels: T.Record(T.String(), T.String(), {
      description: 'identity type code → admin, guest, student or teacher, where it has one',
    }),
    eCardSets: T.Record(T.String(), T.Unknown()),
    enableMourningMode: T.String(),
    shake: T.Object({ openShake: T.String(), shake_link: T.String() }),
    texts: T.Record(T.String(), T.String(), {
      description: 'where the user agreement, the privacy statement and the about text are read',
    }),
    publicConfig: T.Array(Setting, {
      description: 'what a visitor needs of the platform configuration',
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
    summary: 'The portal as an app that can be installed, by the name of the institution',
    access: 'public',
    media: 'application/json',
    reply: Manifest,
  }),
  detail: get('/portal-api/v1/config/getDetail', {
    summary: 'The platform configuration, for members',
    access: 'member',
    cached: ['config'],
    reply: T.Array(Setting),
  }),
  system: get('/portal-api/v1/config/system/getSystemConf', {
    summary: 'Names, tabs and what a visitor needs of the configuration',
    access: 'public',
    cached: ['config', 'directory'],
    reply: SystemConf,
  }),
  modules: get('/portal-api/v1/config/system/getAppSystemConf', {
    summary: 'The module settings: how addresses of services are opened',
    access: 'public',
    cached: ['config'],
    reply: ModuleSettings,
  }),
  text: get('/portal-api/v1/config/system/getText', {
    summary: 'One of the institution’s texts: agreement, privacy, about',
    access: 'public',
    cached: ['config'],
    query: T.Object({ name: T.String({ pattern: '^[a-zA-Z]{1,40}$' }) }),
    reply: T.Object({ html: T.String(), htmlEn: T.String(), updatedAt: Nullable(T.String()) }),
    errors: ['config.key_unknown'],
  }),
  resourcesUrl: get('/portal-api/v1/resourcesUrl', {
    summary: 'Where uploaded files are: the beginning of their addresses',
    access: 'public',
    reply: T.String(),
  }),
}
