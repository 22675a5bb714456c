import type { SearchKind } from '@atrium/contract/discovery/search'
import { defineState } from '#platform/area-state.ts'
import type { Viewer } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'

/** The class of a searcher; statistics contain nothing more specific about people. */
export const searcherClass = (viewer: Viewer) =>
  viewer.signedIn ? viewer.identityTypeCode : 'visitor'

/** Number of openings that gives half of the maximum boost; their weight halves every thirty days. */
const halfBoostOpenings = 20
export const halfLifeDays = 30
/** Cache time in milliseconds; the data changes slowly. */
const cacheMs = 60_000

type Learned = ReadonlyMap<string, number>
const cacheOf = defineState(
  () =>
    ({ readAt: 0, pending: undefined }) as {
      readAt: number
      pending?: Promise<Map<string, Learned>> | undefined
    },
)

/** Returns how often people of the viewer's class opened a result, from 0 to 1. */
export async function readLearnedWeights(platform: Platform, viewer: Viewer) {
  const cache = cacheOf(platform)
  if (!cache.pending || Date.now() - cache.readAt > cacheMs) {
    cache.readAt = Date.now()
    const previous = cache.pending
    const pending = readWeights(platform).catch(() => previous ?? new Map<string, Learned>())
    // Concurrent callers use the previous data.
    cache.pending = previous ?? pending
    void pending.then((learned) => {
      cache.pending = Promise.resolve(learned)
    })
  }
  const weights = (await cache.pending)?.get(searcherClass(viewer))
  return (kind: SearchKind, id: string) => weights?.get(`${kind} ${id}`) ?? 0
}

async function readWeights({ db }: Platform) {
  const rows = await db
    .selectFrom('search_opened')
    .select(['searcher_class as searcher', 'kind', 'target', 'weight', 'weighed_at as at'])
    .orderBy('weight', 'desc')
    .limit(20_000)
    .execute()
  const learned = new Map<string, Map<string, number>>()
  for (const { searcher, kind, target, weight, at } of rows) {
    const days = (Date.now() - Date.parse(at)) / 86_400_000
    const now = weight * 0.5 ** (days / halfLifeDays)
    const weights = learned.get(searcher) ?? new Map<string, number>()
    learned.set(searcher, weights.set(`${kind} ${target}`, now / (now + halfBoostOpenings)))
  }
  return learned
}
