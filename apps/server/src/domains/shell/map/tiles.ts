import { LRUCache } from 'lru-cache'
import { fetchExternal } from '#platform/outbound/outbound.ts'

/** `missing`: the tile server has no such tile; `silent`: it could not be reached. */
export type Tile = { bytes: Buffer; mediaType: string } | 'missing' | 'silent'

/** Time in ms for which a failed tile is not requested again. */
const silence = 30_000
/** Maximum number of concurrent tile requests, so that a slow tile server cannot hold up this one. */
const maxAtOnce = 64
let asking = 0

/** Recent tiles by address; the centre of the campus is always among them. */
const tiles = new LRUCache<string, { tile: Tile }, string | undefined>({
  maxSize: 32_000_000,
  sizeCalculation: ({ tile }) => (typeof tile === 'string' ? 100 : tile.bytes.length),
  ttl: 24 * 60 * 60_000,
  async fetchMethod(address, stale, { options, context: allow }) {
    const tile = await ask(address, allow)
    if (tile !== 'silent') return { tile }
    options.ttl = silence
    // An outdated tile is better than none.
    return stale ?? { tile }
  },
})

/** One tile; concurrent callers share one request. @param allow ATRIUM_OUTBOUND_ALLOW */
export async function readTile(address: string, allow: string | undefined): Promise<Tile> {
  const found = await tiles.fetch(address, { context: allow })
  return found?.tile ?? 'silent'
}

/** Fills in a template such as https://{s}.tile.example.org/{z}/{x}/{y}.png. */
export function tileAddress(template: string, z: number, x: number, y: number) {
  const fields: Record<string, string | number> = { z, x, y, s: 'abc'[(x + y) % 3] ?? 'a' }
  return template.replace(/\{(\w+)\}/g, (_, name: string) => String(fields[name] ?? ''))
}

/** A zoom level has 2^z by 2^z tiles. */
export const isOnMap = (z: number, x: number, y: number) => x < 2 ** z && y < 2 ** z

async function ask(address: string, allow: string | undefined): Promise<Tile> {
  if (asking >= maxAtOnce) return 'silent'
  asking++
  try {
    const { status, headers, bytes } = await fetchExternal(address, {
      allow,
      maxBytes: 1_000_000,
      seconds: 6,
      redirects: 1,
    })
    if (status === 404 || status === 204) return 'missing'
    const mediaType = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
    // Only images pass, because they are served from our own origin.
    const isPicture = /^image\/(png|jpeg|webp)$/.test(mediaType) && bytes.length > 0
    return status === 200 && isPicture ? { bytes, mediaType } : 'silent'
  } catch {
    return 'silent'
  } finally {
    asking--
  }
}
