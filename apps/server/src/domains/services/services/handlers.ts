import type { services } from '@atrium/contract/services/services'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Viewer } from '#platform/http/guard.ts'
import { pageOf } from '#platform/http/paging.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { picturesOf } from '#platform/images/pictures.ts'
import type { Platform } from '#platform/platform.ts'
import {
  deleteDismissal,
  findGuide,
  guideHiddenReason,
  insertDismissal,
  isDismissed,
} from './guides.ts'
import { checkReachability } from './network-check.ts'
import {
  type Filter,
  getService,
  listCommon,
  listDepartments,
  listLastUsed,
  listServices,
  listTypes,
  toService,
} from './queries.ts'
import { listRanking, type RankingWindow } from './rankings.ts'
import { indexServices, toSearchQuery } from './search.ts'
import { readTransports } from './token-accept.ts'
import { recordServiceUse } from './usage-log.ts'
import { terminalsOf } from './visibility.ts'

export const serviceHandlers: Handlers<typeof services> = {
  types: ({ db, viewer, query }) => listTypes(db, viewer, terminalsOf(query.platformType)),

  departments: ({ db, viewer, query }) =>
    listDepartments(db, viewer, terminalsOf(query.platformType)),

  async overview({ db, viewer, platform, query }) {
    const pictures = await picturesOf(platform)
    const terminals = terminalsOf(query.platformType)
    const [types, common] = await Promise.all([
      listTypes(db, viewer, terminals),
      listCommon(db, viewer, pictures, 5, terminals),
    ])
    const first = types.find((type) => type.count > 0)
    const { list } = first
      ? await listServices(
          db,
          viewer,
          pictures,
          { typeId: first.id, terminals },
          { offset: 0, pageSize: 200 },
        )
      : { list: [] }
    return {
      total: types.reduce((sum, type) => sum + type.count, 0),
      types,
      common,
      first: { typeId: first?.id ?? null, list },
    }
  },

  async list({ db, viewer, query, platform }) {
    const { typeId, organizationId, tag, keyWords } = query
    if (keyWords?.trim()) await indexServices(db)
    const search = keyWords?.trim() ? await toSearchQuery(platform, keyWords) : undefined
    return pageBy(platform, viewer, query, { typeId, organizationId, tag, search })
  },

  read: ({ db, viewer, query, platform }) => readDetail(db, viewer, platform, query.serviceId),
  info: ({ db, viewer, query, platform }) => readDetail(db, viewer, platform, query.serviceId),

  hot: ({ viewer, query, platform }) => ranking(platform, viewer, 'use', query),
  collectTop: ({ viewer, query, platform }) => ranking(platform, viewer, 'favourite', query),
  common: ({ viewer, query, platform }) => pageBy(platform, viewer, query, {}, 'used'),
  recommended: ({ viewer, query, platform }) =>
    pageBy(platform, viewer, query, { only: 'recommended' }),
  recentlyOnline: ({ viewer, query, platform }) => pageBy(platform, viewer, query, {}, 'online'),

  async forceRecommended({ viewer, query, platform }) {
    const page = { platformType: query.platformType, pageSize: 200 }
    return (await pageBy(platform, viewer, page, { only: 'forced' })).list
  },

  async lastUseList({ db, viewer, query, platform }) {
    const { pageNo, pageSize, offset } = pageOf(query)
    const terminals = terminalsOf(query.platformType)
    const pictures = await picturesOf(platform)
    const page = await listLastUsed(db, viewer, pictures, { offset, pageSize, terminals })
    return { ...page, pageNo, pageSize }
  },

  async workFlowInfo({ db, viewer, query, platform }) {
    const service = await getService(db, viewer, query.serviceId)
    const reason = await guideHiddenReason(platform, viewer, service)
    return reason ? { closeGuide: true as const, reason } : null
  },

  async guide({ db, viewer, query, platform }) {
    const service = await getService(db, viewer, query.serviceId)
    return (
      (await findGuide(platform, await picturesOf(platform), service)) ?? fail('service.no_guide')
    )
  },

  async findGuideAlert({ db, viewer, params }) {
    const { id } = await getService(db, viewer, params.serviceId)
    return { dismissed: await isDismissed(db, viewer.accountId, id) }
  },

  async setGuideAlert({ db, viewer, params }) {
    const { id } = await getService(db, viewer, params.serviceId)
    await insertDismissal(db, viewer.accountId, id)
    return null
  },

  async deleteGuideAlert({ db, viewer, params }) {
    const { id } = await getService(db, viewer, params.serviceId)
    await deleteDismissal(db, viewer.accountId, id)
    return null
  },

  async networkCheck({ db, viewer, query, platform }) {
    const service = await getService(db, viewer, query.serviceId)
    const reach = await checkReachability(platform, service.url)
    return {
      needsVpn: service.needs_vpn || reach === 'inside',
      reachable: reach === 'inside' ? ('unknown' as const) : reach,
    }
  },

  async recordUse({ db, viewer, body, platform }) {
    await recordServiceUse(platform, viewer, await getService(db, viewer, body.serviceId))
    return null
  },

  async saveUseTime({ db, viewer, body, platform }) {
    const service = await getService(db, viewer, body.serviceId)
    await recordServiceUse(platform, viewer, service, body.seconds)
    return null
  },

  lastUsed: async ({ db, viewer, platform }) =>
    (await listLastUsed(db, viewer, await picturesOf(platform), { offset: 0, pageSize: 10 })).list,
}

async function readDetail(db: Db, viewer: Viewer, platform: Platform, id: string) {
  const row = await getService(db, viewer, id)
  const pictures = await picturesOf(platform)
  return {
    ...toService(pictures)(row),
    serviceUrl: row.url,
    contactInformation: row.contact,
    runTime: row.hours,
    onlineAt: row.online_at,
    validFrom: row.valid_from,
    validUntil: row.valid_until,
    terminals: row.terminals as ('1' | '2' | '3' | '4' | '6')[],
    cardImage: pictures.address('wide', {
      id: row.card_id,
      is_public: row.card_public,
      media_type: row.card_type,
    }),
    serviceSource: row.source,
    techType: row.tech_type,
    tokenAccept: readTransports(row.token_accept),
  }
}

type PageQuery = { platformType?: string | undefined; pageNo?: number; pageSize?: number }

async function pageBy(
  platform: Platform,
  viewer: Viewer,
  query: PageQuery,
  filter: Filter,
  order?: 'used' | 'online',
) {
  const { pageNo, pageSize, offset } = pageOf(query)
  const terminals = terminalsOf(query.platformType)
  const pictures = await picturesOf(platform)
  const page = { offset, pageSize, ...(order && { order }) }
  const results = await listServices(platform.db, viewer, pictures, { ...filter, terminals }, page)
  return { ...results, pageNo, pageSize }
}

async function ranking(
  platform: Platform,
  viewer: Viewer,
  kind: 'use' | 'favourite',
  query: PageQuery & { window?: RankingWindow; typeId?: string },
) {
  const { pageNo, pageSize, offset } = pageOf(query)
  const { window = 'month', typeId } = query
  const terminals = terminalsOf(query.platformType)
  const page = { kind, window, typeId, terminals, offset, pageSize }
  const results = await listRanking(platform.db, viewer, await picturesOf(platform), page)
  return { ...results, pageNo, pageSize }
}
