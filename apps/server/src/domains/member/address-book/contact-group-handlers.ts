import type { contactGroups } from '@atrium/contract/member/address-book'
import { fail } from '#platform/http/errors.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { countBookLookup, requireBook } from './access.ts'
import {
  deleteContact,
  deleteContactGroup,
  getContactGroup,
  insertContact,
  insertContactGroup,
  listContactGroups,
  listContactIds,
  renameContactGroup,
} from './contact-groups.ts'
import { findPerson, listPeople } from './queries.ts'

export const contactGroupHandlers: Handlers<typeof contactGroups> = {
  async list({ platform, viewer, query }) {
    await requireBook(platform, viewer)
    return listContactGroups(platform, viewer, query.accountName)
  },

  async read({ platform, db, viewer, params }) {
    await requireBook(platform, viewer)
    const group = await getContactGroup(db, viewer, params.id)
    const people = await listPeople(platform, viewer, await listContactIds(platform, group.id))
    return { ...group, people }
  },

  async create({ platform, viewer, body }) {
    await requireBook(platform, viewer)
    return platform.db
      .transaction()
      .execute((db) => insertContactGroup(db, viewer, body.name.trim()))
  },

  async rename({ platform, viewer, params, body }) {
    await requireBook(platform, viewer)
    await platform.db
      .transaction()
      .execute((db) => renameContactGroup(db, viewer, params.id, body.name.trim()))
    return null
  },

  async remove({ platform, db, viewer, params }) {
    await requireBook(platform, viewer)
    await deleteContactGroup(db, viewer, params.id)
    return null
  },

  async add({ platform, db, viewer, params }) {
    await requireBook(platform, viewer)
    await countBookLookup(platform, viewer, 0)
    await getContactGroup(db, viewer, params.id)
    const person = await findPerson(platform, viewer, params.accountName)
    if (!person?.listed) fail('address_book.not_found')
    await platform.db.transaction().execute((db) => insertContact(db, viewer, params.id, person.id))
    return null
  },

  async leaveOut({ platform, db, viewer, params }) {
    await requireBook(platform, viewer)
    await getContactGroup(db, viewer, params.id)
    await deleteContact(db, params.id, params.accountName)
    return null
  },
}
