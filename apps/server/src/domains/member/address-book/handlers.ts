import { type addressBook, maxFavourites, maxPeople } from '@atrium/contract/member/address-book'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import { pageOf } from '#platform/http/paging.ts'
import type { Handlers } from '#platform/http/serve.ts'
import type { Platform } from '#platform/platform.ts'
import { countBookLookup, isOpenTo, requireBook } from './access.ts'
import { currentBook, getNode, levelOf, pathTo } from './book.ts'
import {
  deleteFavourite,
  findAccounts,
  findPerson,
  insertFavourite,
  listFavouriteIds,
  listGroupAccounts,
  listGroups,
  listPeople,
} from './queries.ts'

/** @throws address_book.not_found */
async function getPerson(platform: Platform, viewer: Member, accountName: string) {
  return (await findPerson(platform, viewer, accountName)) ?? fail('address_book.not_found')
}

export const addressBookHandlers: Handlers<typeof addressBook> = {
  async organizations({ platform, viewer, query }) {
    const book = await currentBook(platform)
    if (!isOpenTo(book.rules, viewer)) fail('address_book.off')
    return levelOf(book, query.parentId)
  },

  async people({ platform, viewer, query }) {
    await requireBook(platform, viewer)
    await countBookLookup(platform, viewer, 0)
    const page = pageOf({ ...query, pageSize: Math.min(query.pageSize ?? 20, maxPeople) })
    const { pageNo, pageSize, offset } = page
    const answer = async (ids: readonly string[], total: number) => ({
      list: await listPeople(platform, viewer, ids),
      total,
      pageNo,
      pageSize,
    })
    if (query.groupId !== undefined) {
      const slice = { limit: pageSize, offset }
      const { ids, total } = await listGroupAccounts(platform, viewer, query.groupId, slice)
      return answer(ids, total)
    }
    const book = await currentBook(platform)
    const node = query.orgId === undefined ? undefined : getNode(book, query.orgId)
    const words = query.keyWords?.trim() ?? ''
    const all =
      words === '' ? (node?.accounts ?? []) : await findAccounts(platform, book, words, node?.code)
    return answer(all.slice(offset, offset + pageSize), all.length)
  },

  async person({ platform, viewer, params }) {
    await requireBook(platform, viewer)
    await countBookLookup(platform, viewer, 1)
    const {
      id: _,
      organizationId,
      ...person
    } = await getPerson(platform, viewer, params.accountName)
    const book = await currentBook(platform)
    const node = book.byId.get(organizationId)
    return { ...person, path: node ? pathTo(book, node) : [] }
  },

  async groups({ platform, viewer }) {
    await requireBook(platform, viewer)
    return listGroups(platform, viewer)
  },

  async favourites({ platform, db, viewer }) {
    await requireBook(platform, viewer)
    return listPeople(platform, viewer, await listFavouriteIds(db, viewer.accountId))
  },

  async addFavourite({ platform, viewer, params }) {
    await requireBook(platform, viewer)
    await countBookLookup(platform, viewer, 0)
    const { id } = await getPerson(platform, viewer, params.accountName)
    const added = await platform.db
      .transaction()
      .execute((db) => insertFavourite(db, viewer.accountId, id, maxFavourites))
    return added ? null : fail('address_book.favourites_full')
  },

  async removeFavourite({ platform, db, viewer, params }) {
    await requireBook(platform, viewer)
    await deleteFavourite(db, viewer.accountId, params.accountName)
    return null
  },
}
