import { get, Nullable, put, T, Time } from '../define.ts'
import { FootTab } from './config.ts'
import { MaybeAddress, TabIcon } from './launch.ts'

/** A configuration key as an operator sees it. */
export const ManagedSetting = T.Object(
  {
    key: T.String(),
    value: T.String(),
    initial: T.String({ description: 'what it is as long as nobody sets it' }),
    kind: T.String({ description: 'what it may hold' }),
    choices: T.Array(T.String(), { description: 'all it may be; empty where that is not a list' }),
    visitor: T.Boolean({ description: 'visitors are told it too' }),
    means: T.String(),
    updatedAt: Nullable(Time),
  },
  { $id: 'ManagedSetting' },
)

const Words = T.Optional(T.String({ maxLength: 20 }))
/** An operator's override of one of the five tabs; fields not named are unchanged. */
export const FootTabItem = T.Object({
  pagePath: T.String({ maxLength: 100, description: 'which of the five tabs' }),
  text: Words,
  textEn: Words,
  name: Words,
  iconPath: T.Optional(TabIcon),
  selectedIconPath: T.Optional(TabIcon),
  redDot: T.Optional(T.Boolean()),
  badge: T.Optional(T.String({ maxLength: 10 })),
  externalUrl: T.Optional(MaybeAddress('a web page in the place of the tab, or empty')),
  backgroundUrl: T.Optional(MaybeAddress('behind the tab bar, or empty')),
  identityList: T.Optional(
    T.Union([T.Record(T.String(), T.String({ maxLength: 20 })), T.String({ maxLength: 2000 })], {
      description:
        'identity type code, or admin, guest, student, teacher → text; as JSON or as a string of it',
    }),
  ),
})

export const settings = {
  list: get('/console-api/v1/settings', {
    summary: 'Every configuration key with its value and what it means',
    access: 'operator',
    permission: 'system',
    reply: T.Array(ManagedSetting),
  }),
  update: put('/console-api/v1/settings/{key}', {
    summary: 'Sets a configuration key; JSON may come as it is or as a string of it',
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
    summary: 'The five tabs as members have them',
    access: 'operator',
    permission: 'system',
    reply: T.Array(FootTab),
  }),
  update: put('/console-api/v1/tabs', {
    summary: 'Sets what differs from the five tabs; an empty list brings them back',
    access: 'operator',
    permission: 'system',
    body: T.Object({
      footTabs: T.Array(FootTabItem, {
        maxItems: 5,
        description: 'accepted as JSON or as a string of it',
      }),
    }),
    reply: T.Array(FootTab),
  }),
}
