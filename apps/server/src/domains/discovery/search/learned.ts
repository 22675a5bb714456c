import type { SearchKind } from '@atrium/contract/discovery/search'
import type { Viewer } from '#platform/http/guard.ts'
import { definePart } from '#platform/part.ts'
import type { Platform } from '#platform/platform.ts'

/** What people search as: nothing finer is kept with what they searched and opened. */
export const searcherClass = (viewer: Viewer) =>
  viewer.signedIn ? viewer.identityTypeCode : 'visitor'

/** What was opened moves up by half of the way to the top with so many openings; they lose half their weight in thirty days. */
const half = 20
export const halfLifeDays = 30
/** Read anew after so long, in milliseconds: learning is slow. */
const keptFor = 60_000

type Learned = ReadonlyMap<string, number>
const learnedBy = definePart(
  () =>
    ({ readAt: 0, reading: undefined }) as {
      readAt: number
      reading?: Promise<Map<string, Learned>> | undefined
    },
)

/** How much people like the viewer opened a result, from 0 to 1. */
export async function learnedOf(platform: Platform, viewer: Viewer) {
  const memory = learnedBy(platform)
  if (!memory.reading || Date.now() - memory.readAt > keptFor) {
    memory.readAt = Date.now()
    const before = memory.reading
    const reading = read(platform).catch(() => before ?? new Map<string, Learned>())
    // Who comes meanwhile goes on with what was known.
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
