import type { map } from '@atrium/contract/shell/map'
import { fail } from '#platform/http/errors.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { listPlaces } from './queries.ts'
import { isOnMap, readTile, tileAddress } from './tiles.ts'

export const mapHandlers: Handlers<typeof map> = {
  places: ({ db, query }) => listPlaces(db, query.keyWords?.trim() ?? ''),

  async tile({ params: { z, x, y }, platform, reply }) {
    const { mapTileUrl } = await currentSettings(platform)
    if (!mapTileUrl || !isOnMap(z, x, y)) fail('map.tile_not_found')
    const tile = await readTile(
      tileAddress(mapTileUrl, z, x, y),
      platform.env.ATRIUM_OUTBOUND_ALLOW,
    )
    if (tile === 'missing') fail('map.tile_not_found')
    if (tile === 'silent') fail('map.tiles_unavailable', { retryAfter: 30 })
    reply.headers({
      'content-type': tile.mediaType,
      'cache-control': 'public, max-age=86400',
    })
    return reply.send(tile.bytes)
  },
}
