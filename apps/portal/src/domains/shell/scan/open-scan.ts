import { go, navigate, openAddress } from '#shell/navigation/navigation.ts'
import { screenAt, withWholeMap } from '#shell/navigation/screens.ts'
import { readScan } from './scanned.ts'

/** As much as an address can carry to a page without trouble. A QR code holds less, a picture of several may hold more. */
const longest = 4000

/** Goes where a scanned text leads. `whiteList` is the setting scanWhiteList. */
export const openScan = (text: string, whiteList: string | undefined) =>
  withWholeMap(() => open(text, whiteList))

function open(text: string, whiteList: string | undefined) {
  const isScreen = (path: string) => screenAt(path) !== undefined
  const scanned = readScan(text, whiteList, location.origin, isScreen)
  if (scanned.is === 'screen') go('navigate', scanned.href)
  else if (scanned.is === 'address') openAddress(scanned.url)
  else navigate('/pages/scanCode/plainText', { text: scanned.text.slice(0, longest) })
}
