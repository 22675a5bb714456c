import { get, Nullable, put, T, Time } from '../define.ts'
import { FootTab } from './config.ts'
import { MaybeAddress, TabIcon } from './launch.ts'

/** A configuration key as an operator sees it. */
export const ManagedSetting = T.Object(
  {
    key: T.String(),
    value: T.String(),
    initial: T.String({ description: 'default value' }),
    kind: T.String({ description: 'type of the value' }),
    choices: T.Array(T.String(), { description: 'allowed values; empty: not limited to a list' }),
    visitor: T.Boolean({ description: 'also sent to visitors' }),
    means: T.String(),
    updatedAt: Nullable(Time),
  },
  { $id: 'ManagedSetting' },
)

const Words = T.Optional(T.String({ maxLength: 20 }))
/** An operator's override of one of the five tabs; fields not named are unchanged. */
export const FootTabItem = T.Object({
  pagePath: T.String({ maxLength: 100, description: 'path of one of the five tabs' }),
  text: Words,
  textEn: Words,
  name: Words,
  iconPath: T.Optional(TabIcon),
  selectedIconPath: T.Optional(TabIcon),
  redDot: T.Optional(T.Boolean()),
  badge: T.Optional(T.String({ maxLength: 10 })),
  externalUrl: T.Optional(MaybeAddress('web page shown instead of the tab, or empty')),
  backgroundUrl: T.Optional(MaybeAddress('background of the tab bar, or empty')),
  identityList: T.Optional(
    T.Union([T.Record(T.String(), T.String({ maxLength: 20 })), T.String({ maxLength: 2000 })], {
      description:
        'tab text by identity type code, or by admin, guest, student, teacher; as JSON or as a JSON string',
    }),
  ),
})

export const settings = {
  list: get('/console-api/v1/settings', {
    summary: 'List all configuration keys with their values and meanings',
    access: 'operator',
    permission: 'system',
    reply: T.Array(ManagedSetting),
  }),
  update: put('/console-api/v1/settings/{key}', {
    summary: 'Set a configuration key; JSON values may be sent as JSON or as a string',
    access: 'operator',
    permission: 'system',
    params: T.Object({ key: T.String({ maxLength: 60 }) }),
    body: T.Object({ value: T.Unknown() }),
    reply: ManagedSetting,
    errors: ['config.key_unknown', 'config.value_invalid'],
  }),
}

export const tabs = {
  list: get('/console-api/v1/tabs', {
    summary: 'List the five tabs as shown to members',
    access: 'operator',
    permission: 'system',
    reply: T.Array(FootTab),
  }),
  update: put('/console-api/v1/tabs', {
    summary: 'Override the five tabs; an empty list restores the defaults',
    access: 'operator',
    permission: 'system',
    body: T.Object({
      footTabs: T.Array(FootTabItem, {
        maxItems: 5,
        description: 'accepted as JSON or as a JSON string',
      }),
    }),
    reply: T.Array(FootTab),
  }),
}
