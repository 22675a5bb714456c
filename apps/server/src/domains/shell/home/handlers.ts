import type { HomeArrangement, home } from '@atrium/contract/shell/home'
import { dayIn } from '@atrium/rules/day-in'
import { findPlaceOfRoom } from '@atrium/rules/places/find-place-of-room'
import { listArticles, listColumns, listNotices } from '#domains/content/news/queries.ts'
import { getProfile } from '#domains/member/personal/queries.ts'
import { readCards } from '#domains/member/personal-sources/handlers.ts'
import { listByNumber, listCommon } from '#domains/services/services/queries.ts'
import { listAllPlaces } from '#domains/shell/map/queries.ts'
import { countUnread } from '#domains/work/messages/queries.ts'
import { findTerm } from '#domains/work/schedule/academic-year.ts'
import { listToday } from '#domains/work/schedule/cached-answers.ts'
import { addDays, midnight, zoneOf } from '#domains/work/schedule/day-bounds.ts'
import { listOccurrences } from '#domains/work/schedule/queries.ts'
import { countTodo, listTasks } from '#domains/work/tasks/queries.ts'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member, Viewer } from '#platform/http/guard.ts'
import type { Context, Handlers } from '#platform/http/serve.ts'
import { picturesOf } from '#platform/images/pictures.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { storeViewerClass } from './painted-for.ts'
import { deleteArrangement, findArrangement, setArrangement } from './queries.ts'
import { arrangeBlocks, parseDefaultBlocks } from './rules.ts'

const quickServices = 9
/** Six on a phone, nine beside the day. */
const articles = 9
/** Tasks due today, up to the number that fits on home. */
const urgentTasks = 5
const canteens = 3
const noDay: Awaited<ReturnType<typeof listToday>> = { list: [], changes: [] }

export const homeHandlers: Omit<Handlers<typeof home>, 'paintedTab'> = {
  async read(context) {
    const { db, viewer, platform, request, reply } = context
    // An arranged home belongs to one member, so it is not rendered on the server.
    const isArranged =
      viewer.signedIn && (await findArrangement(db, viewer.accountId)) !== undefined
    storeViewerClass(platform, request, reply, viewer, isArranged)
    return readHome(context)
  },

  arrangement: ({ platform, viewer }) => arrangementFor(platform, viewer),

  async arrange({ platform, db, viewer, body }) {
    const known = (await arrangementFor(platform, viewer)).blocks
    const named = body.blocks.map(({ block }) => block)
    if (new Set(named).size < named.length) fail('home.block_twice')
    for (const { block, shown } of body.blocks) {
      const one = known.find((each) => each.block === block) ?? fail('home.block_not_found')
      if (one.fixed && !shown) fail('home.block_fixed')
    }
    const rest = known.filter(({ block }) => !named.includes(block))
    const all = [...body.blocks, ...rest]
    await setArrangement(db, viewer.accountId, {
      blocks: all.map(({ block }) => block),
      hidden: all.filter(({ shown }) => !shown).map(({ block }) => block),
    })
    return arrangementFor(platform, viewer)
  },

  async resetArrangement({ platform, db, viewer }) {
    await deleteArrangement(db, viewer.accountId)
    return arrangementFor(platform, viewer)
  },
}

async function arrangementFor(platform: Platform, { accountId }: Member): Promise<HomeArrangement> {
  const { homeBlocks } = await currentSettings(platform)
  const own = await findArrangement(platform.db, accountId)
  return { blocks: arrangeBlocks(parseDefaultBlocks(homeBlocks), own), own: own !== undefined }
}

type HomeContext = Pick<Context<typeof home.read>, 'db' | 'viewer' | 'platform' | 'request'>

/** The content of home. A `Visitor` viewer with the audiences of a class sees what the whole class sees. */
export async function readHome({ db, viewer, platform, request }: HomeContext) {
  /** If a source fails, its part is null and the rest is shown. */
  const part = <T>(name: string, work: Promise<T>): Promise<T | null> =>
    work.catch((error) => {
      request.log.error({ err: error, part: name }, 'a part of home could not be read')
      return null
    })
  const settings = currentSettings(platform)
  const pictures = picturesOf(platform)
  const quick = async () => {
    const chosen = JSON.parse((await settings).quickServices) as Record<string, string[]>
    const list = await listByNumber(db, viewer, await pictures, chosen[quickKey(viewer)] ?? [])
    return list.length > 0
      ? list.slice(0, quickServices)
      : listCommon(db, viewer, await pictures, quickServices)
  }
  const newsParts = async () => {
    const columns = await listColumns(db, viewer)
    const columnId = columns[0]?.id
    const { list } = columnId
      ? await listArticles(db, viewer, await pictures, { columnId, pageSize: articles })
      : { list: [] }
    return { columns, list }
  }
  const noticeParts = async () =>
    (await listNotices(db, viewer)).map(({ id, title, titleEn }) => ({ id, title, titleEn }))
  const shared = Promise.all([
    part('quick', quick()),
    part('notices', noticeParts()),
    part('news', newsParts()),
  ])

  const zone = viewer.signedIn ? await zoneOf(platform, viewer) : (await settings).timeZone
  const { hour } = Temporal.Now.zonedDateTimeISO(zone)
  const day = viewer.signedIn ? part('today', listToday(platform, viewer)) : null
  const own = viewer.signedIn
    ? Promise.all([
        day,
        part('todo', todo(db, viewer.accountId)),
        part('cards', readCards(platform, viewer.accountId)),
        part(
          'unread',
          countUnread(db, viewer.accountId).then(({ unread }) => unread),
        ),
        part('who', who(db, viewer.accountId)),
        isEvening(hour) ? part('tomorrow', tomorrow(platform, viewer, zone)) : undefined,
        isNoon(hour) ? part('canteens', openToEat(platform)) : undefined,
        part('arrangement', findArrangement(db, viewer.accountId)),
      ])
    : Promise.resolve([noDay, null, null, 0, null, undefined, undefined, undefined] as const)
  const [
    [quickList, notices, newsList],
    [today, todoPart, cards, unread, whoPart, nextDay, eateries, arrangement],
    places,
    term,
  ] = await Promise.all([
    shared,
    own,
    part('places', placesOf(platform, day)),
    part('term', findTerm(platform, dayIn(Date.now(), zone))),
  ])
  return {
    now: new Date().toISOString(),
    timeZone: zone,
    who: whoPart,
    quick: quickList,
    today: today?.list ?? null,
    ...(nextDay !== undefined && { tomorrow: nextDay }),
    ...(eateries !== undefined && { canteens: eateries }),
    ...(places && { places }),
    changes: today?.changes ?? [],
    term: term ?? null,
    todo: todoPart,
    cards: cards ?? { eCard: null, books: null, mailbox: null },
    notices,
    news: newsList,
    hints: hintsOf((await settings).searchHints, quickKey(viewer)),
    unread: unread ?? 0,
    blocks: arrangeBlocks(parseDefaultBlocks((await settings).homeBlocks), arrangement ?? undefined)
      .filter(({ shown }) => shown)
      .map(({ block }) => block),
  }
}

/** An hour more than the portal shows at either end; the portal itself decides by the minute. */
const isNoon = (hour: number) => hour >= 10 && hour < 14
const isEvening = (hour: number) => hour >= 16

function tomorrow(platform: Platform, viewer: Member, zone: string) {
  const day = addDays(dayIn(Date.now(), zone), 1)
  return listOccurrences(
    platform,
    viewer,
    { from: midnight(day, zone), to: midnight(day, zone, 1) },
    zone,
  )
}

const openToEat = async (platform: Platform) =>
  (await listAllPlaces(platform)).filter(({ kind }) => kind === 'canteen').slice(0, canteens)

/** The places of a day's entries, so that directions need no further request. */
async function placesOf(platform: Platform, day: Promise<typeof noDay | null> | null) {
  const rooms = ((await day)?.list ?? []).map(({ location }) => location).filter(Boolean)
  if (rooms.length === 0) return []
  const places = await listAllPlaces(platform)
  return [...new Set(rooms.flatMap((room) => findPlaceOfRoom(room, places) ?? []))]
}

async function todo(db: Db, accountId: string) {
  const [total, { list }] = await Promise.all([
    countTodo(db, accountId),
    listTasks(db, accountId, { level: 'myTodo', pageSize: urgentTasks }),
  ])
  return { total, list }
}

async function who(db: Db, accountId: string) {
  const row = await getProfile(db, accountId)
  return {
    userName: row.name,
    userNameEn: row.name_en,
    identityTypeName: row.identity_name,
    identityTypeNameEn: row.identity_name_en,
    organizationName: row.organization_name,
    organizationNameEn: row.organization_name_en,
  }
}

/** Search hints of an operator; invalid entries are skipped. */
function hintsOf(text: string, key: string) {
  const list = (JSON.parse(text || '{}') as Record<string, unknown>)[key]
  if (!Array.isArray(list)) return []
  return list
    .filter((hint) => typeof hint?.zh === 'string' && hint.zh !== '')
    .slice(0, 20)
    .map(({ zh, en }) => ({ text: zh as string, textEn: typeof en === 'string' ? en : '' }))
}

/** Key of the operator's quick services list for this viewer. */
const quickKey = (viewer: Viewer) => viewer.identityLabel ?? (viewer.signedIn ? 'other' : 'visitor')
