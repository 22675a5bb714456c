import { figures } from '@atrium/rules/figures'
import { useEffect } from 'react'
import { read, remove, write } from '#lib/storage.ts'
import { useSystem } from '../config.ts'
import { useTheme } from '../theme.ts'

/** Largest icon to store, in bytes: the device's storage holds five megabytes in all. */
const maxIconSize = 16_000

/** Stores the pictures of the tabs (theme's and operator's) on the device, so that they show when starting offline. */
export function useSavedIcons() {
  const { footTabs } = useSystem()
  const theme = useTheme()
  const addresses = [...new Set([...footTabs, ...(theme?.footTabs ?? [])].flatMap(picturesOf))]
  const addressList = addresses.join(' ')
  useEffect(() => {
    if (addressList) saveIcons(addressList.split(' ')).catch(() => {})
  }, [addressList])
}

const picturesOf = ({
  iconPath,
  selectedIconPath,
}: Record<'iconPath' | 'selectedIconPath', string>) =>
  [iconPath, selectedIconPath].filter((address) => address.startsWith('/'))

/** Reuses icons already stored and drops those no longer used. */
async function saveIcons(addresses: readonly string[]) {
  const savedIcons = read('savedIconMap') ?? {}
  const icons: Record<string, string> = {}
  for (const address of addresses) {
    const icon = savedIcons[address] ?? (await fetchIcon(address).catch(() => undefined))
    if (icon) icons[address] = icon
  }
  if (Object.keys(icons).length > 0) write('savedIconMap', icons)
  else remove('savedIconMap')
}

async function fetchIcon(address: string) {
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(), figures.downloadTimeout)
  const answer = await fetch(address, { signal: abort.signal }).finally(() => clearTimeout(timer))
  const picture = await answer.blob()
  if (!answer.ok || !picture.type.startsWith('image/') || picture.size > maxIconSize)
    return undefined
  return new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(picture)
  })
}
