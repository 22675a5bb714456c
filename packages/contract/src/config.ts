import { get, Nullable, type Static, T } from './define.ts'

export const Setting = T.Object({ key: T.String(), value: T.String() }, { $id: 'Setting' })

export const FootTab = T.Object(
  {
    pagePath: T.String(),
    text: T.String(),
    textEn: T.String(),
    iconPath: T.String(),
    selectedIconPath: T.String(),
    redDot: T.Boolean(),
    externalUrl: T.String(),
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
    timeZone: T.String(),
    footTabs: T.Array(FootTab),
    eCardSets: T.Record(T.String(), T.Unknown()),
    enableMourningMode: T.String(),
    shake: T.Object({ openShake: T.String(), shake_link: T.String() }),
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

export const config = {
  detail: get('/portal-api/v1/config/getDetail', {
    summary: 'The platform configuration, for members',
    access: 'member',
    cached: ['config'],
    reply: T.Array(Setting),
  }),
  system: get('/portal-api/v1/config/system/getSystemConf', {
    summary: 'Names, tabs and what a visitor needs of the configuration',
    access: 'public',
    cached: ['config'],
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
}
