import { type ConfigEntry, type ConfigKey, configKeys } from '@atrium/contract/config-keys'
import { isClosedAddress } from '#platform/outbound/outbound.ts'

/**
 * The first address in a setting's value that leads to this machine or to a private network without having been opened;
 * undefined if there is none. The value must be valid for its key. Values of kind `base` are checked by
 * `outboundIssue`, which resolves names.
 * @param allow ATRIUM_OUTBOUND_ALLOW
 */
export const findClosedAddress = (key: ConfigKey, value: string, allow: string | undefined) =>
  addressesIn(key, value).find(
    (address) => URL.canParse(address) && isClosedAddress(new URL(address), allow),
  )

function addressesIn(key: ConfigKey, value: string): string[] {
  const { kind }: ConfigEntry = configKeys[key]
  if (kind === 'address' || kind === 'eventAddress' || kind === 'tileAddress')
    return [value.replaceAll(/[{}]/g, '')]
  if (kind === 'hosts' || key === 'casHosts')
    return (JSON.parse(value) as string[]).map((host) =>
      host.includes('://') ? host : `https://${host}`,
    )
  if (key === 'shake') return Object.values(JSON.parse(value) as Record<string, string>)
  if (key === 'footTabs') return tabAddresses(JSON.parse(value))
  return []
}

/** Invalid tabs are skipped; they are reported elsewhere. */
const tabAddresses = (tabs: unknown[]) =>
  tabs.flatMap((tab) => {
    const { externalUrl } = (tab ?? {}) as { externalUrl?: unknown }
    return typeof externalUrl === 'string' ? [externalUrl] : []
  })
