import type { services } from '@atrium/contract/services'
import type { Db } from '#platform/db.ts'
import { fail } from '#platform/errors.ts'
import type { Viewer } from '#platform/guard.ts'
import { pageOf } from '#platform/paging.ts'
import type { Handlers } from '#platform/serve.ts'
import { picturesOf } from '../images/pictures.ts'
import { mayRecordUse } from '../privacy/settings.ts'
import {
  deleteFavourite,
  findService,
  insertFavourite,
  listCommon,
  listFavouriteIds,
  listLastUsed,
  listServices,
  listTypes,
  recordUse,
  toService,
} from './queries.ts'

export const serviceHandlers: Handlers<typeof services> = {
  types: ({ db, viewer }) => listTypes(db, viewer),

  async overview({ db, viewer, platform }) {
    const pictures = await picturesOf(platform)
    const [types, common] = await Promise.all([
      listTypes(db, viewer),
      listCommon(db, viewer, pictures, 5),
    ])
    const first = types.find((type) => type.count > 0)
    const { list } = first
      ? await listServices(db, viewer, pictures, { typeId: first.id }, { offset: 0, pageSize: 200 })
      : { list: [] }
    return {
      total: types.reduce((sum, type) => sum + type.count, 0),
      types,
      common,
      first: { typeId: first?.id ?? null, list },
    }
  },

  async list({ db, viewer, query, platform }) {
    const { pageNo, pageSize, offset } = pageOf(query)
    const pictures = await picturesOf(platform)
    const { total, list } = await listServices(db, viewer, pictures, query, { offset, pageSize })
    return { list, total, pageNo, pageSize }
  },

  async read({ db, viewer, query, platform }) {
    const row = await getService(db, viewer, query.serviceId)
    return {
      ...toService(await picturesOf(platform))(row),
      serviceUrl: row.url,
      contactInformation: row.contact,
      runTime: row.hours,
      onlineAt: row.online_at,
    }
  },

  async launch({ db, viewer, body, platform }) {
    const { id, url } = await getService(db, viewer, body.serviceId)
    if (viewer.signedIn && (await mayRecordUse(platform, viewer)))
      await recordUse(db, viewer.accountId, id)
    // An address of the portal itself opens as a screen; everything else as a web page, if it lets itself be framed.
    return url.startsWith('/') ? { how: 'route' as const, url } : { how: 'webview' as const, url }
  },

  async recordUse({ db, viewer, body, platform }) {
    const { id } = await getService(db, viewer, body.serviceId)
    if (await mayRecordUse(platform, viewer)) await recordUse(db, viewer.accountId, id)
    return null
  },

  lastUsed: async ({ db, viewer, platform }) =>
    listLastUsed(db, viewer, await picturesOf(platform), 10),
  favouriteIds: ({ db, viewer }) => listFavouriteIds(db, viewer.accountId),

  async addFavourite({ db, viewer, body }) {
    const { id } = await getService(db, viewer, body.serviceId)
    await insertFavourite(db, viewer.accountId, id)
    return null
  },

  async removeFavourite({ db, viewer, body }) {
    await deleteFavourite(db, viewer.accountId, body.serviceId)
    return null
  },
}

/** A service the viewer may use; a hidden one looks the same as a missing one. */
const getService = async (db: Db, viewer: Viewer, id: string) =>
  (await findService(db, viewer, id)) ?? fail('service.not_found')
