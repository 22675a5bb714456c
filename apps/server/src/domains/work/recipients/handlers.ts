import type { recipientGroups } from '@atrium/contract/work/sending/recipients'
import {
  deleteContact,
  deleteContactGroup,
  insertContactGroup,
  insertContacts,
  renameContactGroup,
} from '#domains/member/address-book/contact-groups.ts'
import { getSendingScope } from '#domains/work/sending/senders.ts'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Handlers } from '#platform/http/serve.ts'
import {
  findAccounts,
  findList,
  listCourses,
  listEvents,
  listLists,
  listPeople,
  listSharingOrganizations,
  setShared,
} from './queries.ts'

export const recipientHandlers: Handlers<typeof recipientGroups> = {
  async lists({ db, viewer, query: { keyWords } }) {
    const within = await getSendingScope(db, viewer)
    const [lists, places] = await Promise.all([
      listLists(db, viewer, within, keyWords),
      listSharingOrganizations(db, viewer),
    ])
    return { ...lists, places: places.map(({ id: _, ...place }) => place) }
  },

  async list({ db, viewer, params: { listId } }) {
    const within = await getSendingScope(db, viewer)
    const list = await openList(db, viewer, listId)
    return { ...list, people: await listPeople(db, within, listId) }
  },

  createList: ({ platform, viewer, body: { name, accountNames = [] } }) =>
    platform.db.transaction().execute(async (db) => {
      const within = await getSendingScope(db, viewer)
      const { id } = await insertContactGroup(db, viewer, name.trim())
      const accounts = await findAccounts(db, within, accountNames)
      return { listId: id, added: await insertContacts(db, id, accounts) }
    }),

  updateList: ({ platform, viewer, params: { listId }, body: { name, sharedWith } }) =>
    platform.db.transaction().execute(async (db) => {
      await ownList(db, viewer, listId)
      const places = await listSharingOrganizations(db, viewer)
      const place = places.find(({ ins_code }) => ins_code === sharedWith)
      if (sharedWith !== null && !place)
        fail('request.invalid', { fields: { sharedWith: 'choice' } })
      await renameContactGroup(db, viewer, listId, name.trim())
      await setShared(db, listId, place?.id ?? null)
      return null
    }),

  async removeList({ db, viewer, params: { listId } }) {
    await ownList(db, viewer, listId)
    await deleteContactGroup(db, viewer, listId)
    return null
  },

  addToList: ({ platform, viewer, params: { listId }, body: { accountNames } }) =>
    platform.db.transaction().execute(async (db) => {
      await openList(db, viewer, listId)
      const accounts = await findAccounts(db, await getSendingScope(db, viewer), accountNames)
      return { added: await insertContacts(db, listId, accounts) }
    }),

  async leaveOutOfList({ db, viewer, params: { listId, accountName } }) {
    await openList(db, viewer, listId)
    await deleteContact(db, listId, accountName)
    return null
  },

  async courses({ db, viewer, query: { keyWords } }) {
    return listCourses(db, viewer, await getSendingScope(db, viewer), keyWords)
  },
  async events({ db, viewer, query: { keyWords } }) {
    return listEvents(db, viewer, await getSendingScope(db, viewer), keyWords)
  },
}

/** The sender's own list, or one shared with them. @throws sending.list_not_found */
const openList = async (db: Db, viewer: Member, id: string) =>
  (await findList(db, viewer, await getSendingScope(db, viewer), id)) ??
  fail('sending.list_not_found')

async function ownList(db: Db, viewer: Member, id: string) {
  const list = await openList(db, viewer, id)
  return list.own ? list : fail('sending.list_not_found')
}
