import type { SearchKind } from '@atrium/contract/discovery/search'
import type { Viewer } from '#platform/http/guard.ts'
import { definePart } from '#platform/part.ts'
import type { Platform } from '#platform/platform.ts'

/** The class of a searcher; statistics contain nothing more specific about people. */
export const searcherClass = (viewer: Viewer) =>
  viewer.signedIn ? viewer.identityTypeCode : 'visitor'

/** Number of openings that gives half of the maximum boost; their weight halves every thirty days. */
const half = 20
export const halfLifeDays = 30
/** Cache time in milliseconds; the data changes slowly. */
const keptFor = 60_000

type Learned = ReadonlyMap<string, number>
const learnedBy = definePart(
  () =>
    ({ readAt: 0, reading: undefined }) as {
      readAt: number
      reading?: Promise<Map<string, Learned>> | undefined
    },
)

/** Returns how often people of the viewer's class opened a result, from 0 to 1. */
export async function learnedOf(platform: Platform, viewer: Viewer) {
  const memory = learnedBy(platform)
  if (!memory.reading || Date.now() - memory.readAt > keptFor) {
    memory.readAt = Date.now()
    const before = memory.reading
    const reading = read(platform).catch(() => before ?? new Map<string, Learned>())
    // Concurrent callers use the previous data.
    memory.reading = before ?? reading
    void reading.then((learned) => {
      memory.reading = Promise.resolve(learned)
    })
  }
  const own = (await memory.reading)?.get(searcherClass(viewer))
  return (kind: SearchKind, id: string) => own?.get(`${kind} ${id}`) ?? 0
}

async function read({ db }: Platform) {
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
    const own = learned.get(searcher) ?? new Map<string, number>()
    learned.set(searcher, own.set(`${kind} ${target}`, now / (now + half)))
  }
  return learned
}
