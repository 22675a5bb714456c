import type { images } from '@atrium/contract/content/images'
import { callerNetwork } from '#platform/http/caller-network.ts'
import { matchesEtag } from '#platform/http/etag.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { findPicture } from './image-service.ts'

const mount = '/thumbor/'

export const imageHandlers: Handlers<typeof images> = {
  async read({ platform, request, reply }) {
    // The raw address: the signature covers every byte, and the source address may contain slashes and a query.
    const address = (request.raw.url ?? '').slice(mount.length)
    const { accept } = request.headers
    const network = callerNetwork(request.ip)
    const picture = await findPicture(platform, address, { accept, network })
    const { bytes, etag, format, cacheScope, maxAge } = picture
    reply.headers({
      etag,
      vary: 'accept',
      'cache-control': `${cacheScope === 'anybody' ? 'public' : 'private'}, max-age=${maxAge}`,
    })
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return reply.type(`image/${format}`).send(bytes)
  },
}
