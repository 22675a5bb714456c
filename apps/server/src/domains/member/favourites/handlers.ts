import type { favourites, history } from '@atrium/contract/member/favourites'
import { newsHandlers } from '#domains/content/news/handlers.ts'
import { recordReading } from '#domains/content/news/reads.ts'
import { mayRecordUse } from '#domains/member/privacy/settings.ts'
import { getService } from '#domains/services/services/queries.ts'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { picturesOf } from '#platform/images/pictures.ts'
import type { Platform } from '#platform/platform.ts'
import { deleteVisit, deleteVisits, listVisits, recordVisit } from './history.ts'
import { moveFavourite } from './order.ts'
import {
  cancelManaged,
  deleteArticle,
  deleteFile,
  deleteService,
  findArticleId,
  findFavouriteArticle,
  findFavouriteFile,
  insertArticle,
  insertService,
  isPermanentlyReadable,
  listArticles,
  listFileLinks,
  listFiles,
  listServiceIds,
  listServices,
  saveFile,
} from './queries.ts'
import { readFileLink } from './rules.ts'

const inTransaction = (platform: Platform, work: (db: Db) => Promise<unknown>) =>
  platform.db.transaction().execute(async (db) => {
    await work(db)
    return null
  })

export const favouriteHandlers: Handlers<typeof favourites> = {
  serviceIds: ({ db, viewer }) => listServiceIds(db, viewer),

  services: async ({ db, viewer, query, platform }) =>
    listServices(db, viewer, await picturesOf(platform), query),

  findServices: async ({ db, viewer, query, platform }) =>
    listServices(db, viewer, await picturesOf(platform), query),

  async addService({ db, viewer, body, platform }) {
    const { id } = await getService(db, viewer, body.serviceId)
    return inTransaction(platform, (db) => insertService(db, viewer, id))
  },

  removeService: ({ viewer, body, platform }) =>
    inTransaction(platform, (db) => deleteService(db, viewer, body.serviceId)),

  async toggleService({ db, viewer, query, platform }) {
    const { id } = await getService(db, viewer, query.id)
    return inTransaction(platform, (db) =>
      query.type === '1' ? insertService(db, viewer, id) : deleteService(db, viewer, id),
    )
  },

  async cancelManaged({ db, viewer, body }) {
    const { id } = await getService(db, viewer, body.serviceId)
    if (!(await cancelManaged(db, viewer, id))) fail('service.not_found')
    return null
  },

  news: async ({ db, viewer, query, platform }) =>
    listArticles(db, viewer, await picturesOf(platform), query),

  // The same article as at its own address, for clients that use this one.
  article: ({ query, ...context }) =>
    newsHandlers.read({ ...context, params: { id: query.id }, query: {} }),

  async toggleNews({ db, viewer, body, platform }) {
    if (body.type === '0') await deleteArticle(db, viewer.accountId, body.id)
    else {
      const { id } = (await findArticleId(db, viewer, body.id)) ?? fail('news.not_found')
      await inTransaction(platform, (db) => insertArticle(db, viewer.accountId, id))
    }
    return null
  },

  files: ({ db, viewer, query }) => listFiles(db, viewer, query),

  fileLinks: ({ db, viewer }) => listFileLinks(db, viewer.accountId),

  async toggleFile({ db, viewer, body, platform }) {
    const file = readFileLink(body.fileLink, platform.isOwnOrigin) ?? fail('file.not_found')
    if (body.type === '0') await deleteFile(db, viewer.accountId, file.link)
    else {
      // A signed address is valid for ten minutes, and access may change later, so only permanently readable files are
      // accepted.
      if (file.ownId && !(await isPermanentlyReadable(db, viewer.accountId, file.ownId)))
        fail('file.not_found')
      const name = body.fileName.trim() || decodedName(file.link)
      await inTransaction(platform, (db) => saveFile(db, viewer.accountId, file.link, name))
    }
    return null
  },

  async state({ db, viewer, query, platform }) {
    const { accountId } = viewer
    const link = query.fileLink && readFileLink(query.fileLink, platform.isOwnOrigin)?.link
    const found = query.id
      ? await findFavouriteArticle(db, accountId, query.id)
      : link && (await findFavouriteFile(db, accountId, link))
    return { favourite: Boolean(found) }
  },

  move: ({ viewer, body, platform }) =>
    inTransaction(platform, (db) => moveFavourite(db, viewer.accountId, body)),
}

/** The last part of an address, in readable form. */
function decodedName(link: string) {
  const last = link.split(/[?#]/)[0]?.split('/').filter(Boolean).at(-1) ?? link
  try {
    return decodeURIComponent(last).slice(0, 200)
  } catch {
    return last.slice(0, 200)
  }
}

export const historyHandlers: Handlers<typeof history> = {
  list: async ({ db, viewer, query, platform }) =>
    listVisits(db, viewer, await picturesOf(platform), query),

  async record({ db, viewer, body, platform, request }) {
    const { id } = (await findArticleId(db, viewer, body.id)) ?? fail('news.not_found')
    await recordReading(platform, viewer, id, request)
    if (await mayRecordUse(platform, viewer)) await recordVisit(db, viewer.accountId, id)
    return null
  },

  async remove({ db, viewer, params }) {
    await deleteVisit(db, viewer.accountId, params.id)
    return null
  },

  async clear({ db, viewer }) {
    await deleteVisits(db, viewer.accountId)
    return null
  },
}
