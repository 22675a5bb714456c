import { readWebAddress } from '@atrium/rules/web-address'
import { pathOf } from './page-stack.ts'

/** How to open an address given by an operator, a service or an article. */
export type AddressPlan =
  /** A screen of ours; one that is not built yet shows its own notice. */
  | { open: 'screen'; href: string }
  /** A web page, in the app's own web-view page. `inContainer`: in the host's. */
  | { open: 'web'; url: string; inContainer?: true }
  /** Another app on the device, such as phone or mail. */
  | { open: 'device'; url: string }
  | { open: 'nothing' }

export type AddressContext = {
  origin: string
  isScreen: (path: string) => boolean
  /** The setting ENV_ENABLE_ADDRESSLIST: any value but an empty one turns the address book on. */
  addressList: string
  /** Inside a host app or a mini-program. */
  inContainer: boolean
}

/** Addresses with these prefixes are screens (specification, shell 2: navigation rules). */
const internal = /^\/?(pages|pagesA|study-center|addressBook|onlineSend)\//
/** Always opened as web pages, regardless of their prefix. */
const alwaysWeb = /^\/(pages\/secondWork|addressBook)(\/|$)/
const device = /^(tel|sms|mailto):[^\s]+$/i

const addressBookPath = '/addressBook/addressList'
const onlineSendPath = '/pages/tab/onlineSend/index'

export function planAddress(text: string, context: AddressContext): AddressPlan {
  const address = text.trim()
  const web = (path: string) => ({ open: 'web', url: context.origin + withFields(path) }) as const
  // Markers of the built-in quick services: they name one page, whatever precedes them.
  if (endsIn(address, 'addressList') && context.addressList !== '') return web(addressBookPath)
  if (endsIn(address, 'onlineSend')) {
    const { url } = web(`${onlineSendPath}?isHideReturnBtn=1`)
    return context.inContainer ? { open: 'web', url, inContainer: true } : { open: 'web', url }
  }
  if (device.test(address)) return { open: 'device', url: address }
  const seemsInternal = internal.test(address)
  const url = readWebAddress(seemsInternal ? address.replace(/^\/?/, '/') : address, context.origin)
  // A text with neither scheme nor slash is not an address; the URL parser would resolve it to a page of ours.
  if (!url || !(seemsInternal || /^([a-z][a-z\d+.-]*:|\/)/i.test(address)))
    return { open: 'nothing' }
  if (url.origin !== context.origin) return { open: 'web', url: url.href }
  const href = url.pathname + url.search
  if (alwaysWeb.test(url.pathname)) return web(href)
  // Decide by the resolved path, not by the given text.
  if (internal.test(url.pathname) || context.isScreen(pathOf(href))) return { open: 'screen', href }
  return { open: 'web', url: url.href }
}

const endsIn = (address: string, marker: string) =>
  address === marker || address.endsWith(`/${marker}`)

/** Adds the fields that every page of ours gets when it is opened as a web page. */
function withFields(href: string) {
  const [path = '', search = ''] = href.split('?')
  const fields = new URLSearchParams(search)
  fields.set('returnTarget', 'true')
  fields.set('isHideTabbar', '1')
  return `${path}?${fields}`
}
