import { domainToUnicode } from 'node:url'
import type { WebAddress, webview } from '@atrium/contract/shell/webview'
import { matchesPrefix } from '@atrium/rules/address-prefix'
import { readWebAddress } from '@atrium/rules/web-address'
import { tokenTransportsFor } from '#domains/services/service-opening/rules.ts'
import { signOn } from '#domains/services/service-opening/sign-on.ts'
import { listAddresses } from '#domains/services/services/queries.ts'
import { terminalsOf } from '#domains/services/services/visibility.ts'
import type { Db } from '#platform/database/db.ts'
import { callerNetwork } from '#platform/http/caller-network.ts'
import type { Viewer } from '#platform/http/guard.ts'
import { isApiAddress } from '#platform/http/portal-files.ts'
import type { Handlers } from '#platform/http/serve.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings, type Settings } from '#platform/settings/settings.ts'
import { checkFraming } from './framing.ts'
import { folderOf, operatorAddresses } from './rules.ts'

export const webviewHandlers: Handlers<typeof webview> = {
  async check({ db, viewer, platform, query, request }) {
    const url = readWebAddress(query.url, platform.origin())
    if (!url) return refused
    const about = { url: url.href, ...hostOf(url) }
    if (platform.isOwnOrigin(url.origin)) {
      // Our own screens may be framed by us; everything else we serve refuses framing.
      const framing = isApiAddress(url.pathname) ? 'refused' : 'allowed'
      return { kind: 'framed', ...about, framing, service: null, signOn: false }
    }
    const service = await findService(db, viewer, url)
    const settings = await currentSettings(platform)
    if (service || matchesPrefix(url.href, operatorAddresses(settings))) {
      const framing = isMixed(platform, url)
        ? 'refused'
        : await checkFraming(platform, url, {
            key: viewer.signedIn ? viewer.sessionId : callerNetwork(request.ip),
            isMember: viewer.signedIn,
          })
      const signOn = viewer.signedIn && waysTo(url, service, settings).length > 0
      const named = service && { name: service.name, nameEn: service.nameEn }
      return { kind: 'framed', ...about, framing, service: named, signOn }
    }
    if (url.protocol !== 'https:') return refused
    return { kind: 'leaving', ...about, framing: 'unknown', service: null, signOn: false }
  },

  async open({ db, viewer, platform, body, request, reply }) {
    const url = readWebAddress(body.url, platform.origin())
    if (!url || platform.isOwnOrigin(url.origin)) return { url: '', framed: false, tokens: [] }
    const settings = await currentSettings(platform)
    const ways = waysTo(url, await findService(db, viewer, url), settings)
    if (ways.length === 0) return { url: url.href, framed: true, tokens: [] }
    const terminal = body.platformType ?? request.headers['x-terminal-info']
    const terminals = terminalsOf(typeof terminal === 'string' ? terminal : undefined)
    const given = { viewer, terminals, reply, url: url.href, ways, settings }
    // Without consent the page opens without a token; it then leads to the login, which asks for consent.
    const { url: opened, tokens } = await signOn(platform, given)
    return { url: opened, framed: !ways.some(({ tokenType }) => tokenType === 'cas'), tokens }
  },
}

const refused: WebAddress = {
  kind: 'refused',
  url: '',
  host: '',
  hostCode: '',
  framing: 'unknown',
  service: null,
  signOn: false,
}

type Service = Awaited<ReturnType<typeof findService>>

/** How the page learns who the member is. An address that already carries a token needs nothing more. */
function waysTo(url: URL, service: Service, settings: Settings) {
  const ways = tokenTransportsFor(url.href, service?.token_accept, settings)
  return ways.some(({ tokenKey }) => url.searchParams.has(tokenKey)) ? [] : ways
}

/** The service this viewer may use that the address belongs to; the longest match wins. */
async function findService(db: Db, viewer: Viewer, url: URL) {
  const services = await listAddresses(db, viewer)
  const [closest] = services
    .filter((service) => matchesPrefix(url.href, [folderOf(service.url)]))
    .sort((a, b) => folderOf(b.url).length - folderOf(a.url).length)
  return closest ?? null
}

/** Browsers block http frames in https pages. */
const isMixed = (platform: Platform, url: URL) =>
  url.protocol === 'http:' && platform.origin().startsWith('https:')

function hostOf(url: URL) {
  const port = url.port ? `:${url.port}` : ''
  const name = domainToUnicode(url.hostname) || url.hostname
  return { host: name + port, hostCode: name === url.hostname ? '' : url.host }
}
