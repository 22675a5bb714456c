import type { ConfigKey } from '@atrium/contract/config-keys'
import type { SystemConf } from '@atrium/contract/shell/config'
import type { PaintedFor } from './painted-for.ts'

type Settings = Readonly<Record<string, string | undefined>>
export const byKey = (list: readonly { key: string; value: string }[]): Settings =>
  Object.fromEntries(list.map(({ key, value }) => [key, value]))

/** Whether the portal starts with a standard page: no page before or instead of it, no festival, no mourning. */
export function startsPlainly(
  kind: PaintedFor['kind'],
  settings: Settings,
  { footTabs }: SystemConf,
) {
  const isOn = (key: ConfigKey) => settings[key] === '1'
  const isMember = kind === 'member'
  return !(
    (isOn('ENV_OPENING_PAGE') && (isMember || isOn('ENV_OPENING_PAGE_TOURIST'))) ||
    (isOn('ENV_DIVERSION_PAGE') && isMember) ||
    isOn('ENV_ENABLE_MOBILE_FESTIVAL_THEME') ||
    isOn('ENV_APP_MOURNING_MODE') ||
    footTabs[0]?.externalUrl ||
    footTabs.some(({ backgroundUrl }) => backgroundUrl) ||
    // Tab names that differ by identity depend on the member.
    (isMember && footTabs.some(({ identityList }) => Object.keys(identityList).length > 0))
  )
}
