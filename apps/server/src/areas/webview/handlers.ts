import { domainToUnicode } from 'node:url'
import type { WebAddress, webview } from '@atrium/contract/webview'
import { matchesPrefix } from '@atrium/rules/address-prefix'
import { readWebAddress } from '@atrium/rules/web-address'
import { callerNetwork } from '#platform/caller-network.ts'
import type { Db } from '#platform/db.ts'
import type { Viewer } from '#platform/guard.ts'
import type { Platform } from '#platform/platform.ts'
import { isApiAddress } from '#platform/portal-files.ts'
import type { Handlers } from '#platform/serve.ts'
import { currentSettings } from '../config/queries.ts'
import { listAddresses } from '../services/queries.ts'
import { askFraming } from './framing.ts'
import { folderOf, operatorAddresses } from './rules.ts'

export const webviewHandlers: Handlers<typeof webview> = {
  async check({ db, viewer, platform, query, request }) {
    const url = readWebAddress(query.url, platform.origin())
    if (!url) return refused
    const about = { url: url.href, ...hostOf(url) }
    if (platform.isOwnOrigin(url.origin)) {
      // Our screens stand in a frame of ours; everything else we serve refuses every frame.
      const framing = isApiAddress(url.pathname) ? 'refused' : 'allowed'
      return { kind: 'framed', ...about, framing, service: null }
    }
    const service = await findService(db, viewer, url)
    if (service || (await isOperators(platform, url))) {
      const framing = isMixed(platform, url)
        ? 'refused'
        : await askFraming(platform, url, {
            key: viewer.signedIn ? viewer.sessionId : callerNetwork(request.ip),
            isMember: viewer.signedIn,
          })
      return { kind: 'framed', ...about, framing, service }
    }
    if (url.protocol !== 'https:') return refused
    return { kind: 'leaving', ...about, framing: 'unknown', service: null }
  },
}

const refused: WebAddress = {
  kind: 'refused',
  url: '',
  host: '',
  hostCode: '',
  framing: 'unknown',
  service: null,
}

/** Of the services this viewer may use, the one the address belongs to; where several do, the closest. */
async function findService(db: Db, viewer: Viewer, url: URL) {
  const services = await listAddresses(db, viewer)
  const [closest] = services
    .filter((service) => matchesPrefix(url.href, [folderOf(service.url)]))
    .sort((a, b) => folderOf(b.url).length - folderOf(a.url).length)
  return closest ? { name: closest.name, nameEn: closest.nameEn } : null
}

/** What operators named in the configuration is as good as a registered service. */
async function isOperators(platform: Platform, url: URL) {
  return matchesPrefix(url.href, operatorAddresses(await currentSettings(platform)))
}

/** Browsers do not frame a plain page inside a secure one. */
const isMixed = (platform: Platform, url: URL) =>
  url.protocol === 'http:' && platform.origin().startsWith('https:')

function hostOf(url: URL) {
  const port = url.port ? `:${url.port}` : ''
  const name = domainToUnicode(url.hostname) || url.hostname
  return { host: name + port, hostCode: name === url.hostname ? '' : url.host }
}
