import { navigate, openAddress, performNavigation } from '#shell/navigation/navigation.ts'
import { findLoadedScreen, withRouteMap } from '#shell/navigation/screens.ts'
import { readScan } from './scanned.ts'

/** Characters that an address can safely carry. One QR code holds less; several in one picture may hold more. */
const longest = 4000

/** Opens what a scanned text refers to. `whiteList` is the setting scanWhiteList. */
export const openScan = (text: string, whiteList: string | undefined) =>
  withRouteMap(() => open(text, whiteList))

function open(text: string, whiteList: string | undefined) {
  const isScreen = (path: string) => findLoadedScreen(path) !== undefined
  const scanned = readScan(text, whiteList, location.origin, isScreen)
  if (scanned.is === 'screen') performNavigation('navigate', scanned.href)
  else if (scanned.is === 'address') openAddress(scanned.url)
  else navigate('/pages/scanCode/plainText', { text: scanned.text.slice(0, longest) })
}
