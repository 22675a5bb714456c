import { readWebAddress } from '@atrium/rules/web-address'
import { pathOf } from './page-stack.ts'

/** How an address is opened that an operator, a service or an article gave. */
export type AddressPlan =
  /** A screen of ours; one that is not built yet says so itself. */
  | { open: 'screen'; href: string }
  /** A web page, in the app's own frame for them. `inContainer`: in the host's. */
  | { open: 'web'; url: string; inContainer?: true }
  /** Another program of the device: the telephone, the mail. */
  | { open: 'device'; url: string }
  | { open: 'nothing' }

export type AddressContext = {
  origin: string
  isScreen: (path: string) => boolean
  /** The setting ENV_ENABLE_ADDRESSLIST: the address book is on when it is not empty. */
  addressList: string
  /** Inside a host app or a mini-program. */
  inContainer: boolean
}

/** Addresses that begin so are screens (specification, shell 2: navigation rules). */
const internal = /^\/?(pages|pagesA|study-center|addressBook|onlineSend)\//
/** Always opened as web pages, whatever they begin with. */
const alwaysWeb = /^\/(pages\/secondWork|addressBook)(\/|$)/
const device = /^(tel|sms|mailto):[^\s]+$/i

const addressBookPath = '/addressBook/addressList'
const onlineSendPath = '/pages/tab/onlineSend/index'

export function planAddress(given: string, context: AddressContext): AddressPlan {
  const address = given.trim()
  const web = (path: string) => ({ open: 'web', url: context.origin + withFields(path) }) as const
  // Markers of the built-in quick services: whatever stands before them, they name one page.
  if (endsIn(address, 'addressList') && context.addressList !== '') return web(addressBookPath)
  if (endsIn(address, 'onlineSend')) {
    const { url } = web(`${onlineSendPath}?isHideReturnBtn=1`)
    return context.inContainer ? { open: 'web', url, inContainer: true } : { open: 'web', url }
  }
  if (device.test(address)) return { open: 'device', url: address }
  const seemsInternal = internal.test(address)
  const url = readWebAddress(seemsInternal ? address.replace(/^\/?/, '/') : address, context.origin)
  // A text without a scheme and without a slash is no address: the browser would take it for a page of ours.
  if (!url || !(seemsInternal || /^([a-z][a-z\d+.-]*:|\/)/i.test(address)))
    return { open: 'nothing' }
  if (url.origin !== context.origin) return { open: 'web', url: url.href }
  const href = url.pathname + url.search
  if (alwaysWeb.test(url.pathname)) return web(href)
  // Where it leads counts, not how it begins.
  if (internal.test(url.pathname) || context.isScreen(pathOf(href))) return { open: 'screen', href }
  return { open: 'web', url: url.href }
}

const endsIn = (address: string, marker: string) =>
  address === marker || address.endsWith(`/${marker}`)

/** What every page of ours is told when it is opened as a web page. */
function withFields(href: string) {
  const [path = '', search = ''] = href.split('?')
  const fields = new URLSearchParams(search)
  fields.set('returnTarget', 'true')
  fields.set('isHideTabbar', '1')
  return `${path}?${fields}`
}
