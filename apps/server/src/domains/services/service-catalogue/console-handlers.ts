import { type catalogue, ownedServices } from '@atrium/contract/services/service-catalogue.operator'
import { audited } from '#platform/audit.ts'
import { type Db, sqlState } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import { pageOf } from '#platform/http/paging.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { inDepartment } from '#platform/operated-department.ts'
import { operatedIn } from '#platform/permissions.ts'
import {
  changeCatalogue,
  createService,
  getOperated,
  lockOperated,
  removeGuide,
  replaceGuide,
  replaceService,
  replaceTexts,
} from './change.ts'
import { findGuideText } from './guides.ts'
import {
  deleteService,
  findAccounts,
  findManaged,
  hasParty,
  isOwner,
  listManaged,
  listOwned,
  replaceOwners,
  setOnline,
  toManaged,
} from './queries.ts'

const readManaged = async (db: Db, id: string) =>
  toManaged((await findManaged(db, id)) ?? fail('service.not_found'))

export const catalogueHandlers: Handlers<typeof catalogue> = {
  async list({ db, viewer, query }) {
    const { pageNo, pageSize, offset } = pageOf(query)
    const codes = operatedIn(await inDepartment(db, viewer, query.department), 'services')
    return { ...(await listManaged(db, codes, query, { pageSize, offset })), pageNo, pageSize }
  },

  read: async ({ db, viewer, params: { id } }) => toManaged(await getOperated(db, viewer, id)),

  async create({ db, platform, viewer, body: { online, ...content } }) {
    return readManaged(db, await createService(platform, viewer, content, online))
  },

  async update({ db, platform, viewer, params: { id }, body: { version, ...content } }) {
    await replaceService(platform, viewer, id, content, version)
    return readManaged(db, id)
  },

  async publish({ db, platform, viewer, params: { id }, body: { version } }) {
    await changeCatalogue(platform, async (db) => {
      await lockOperated(db, viewer, id, version)
      await setOnline(db, id, true)
    })
    return readManaged(db, id)
  },

  async withdraw({ db, platform, viewer, params: { id }, body: { version } }) {
    await changeCatalogue(platform, async (db) => {
      await lockOperated(db, viewer, id, version)
      await setOnline(db, id, false)
    })
    return readManaged(db, id)
  },

  async remove({ platform, viewer, params: { id }, query: { version } }) {
    await changeCatalogue(platform, async (db) => {
      const { online } = await lockOperated(db, viewer, id, version)
      if (online) fail('service.still_online')
      // A relying party of the service would lose its name and addresses.
      if (await hasParty(db, id)) fail('service.in_use')
      await deleteService(db, id).catch((error) => {
        if (sqlState(error) === '23503') fail('service.in_use')
        throw error
      })
    })
    return null
  },

  async readGuide({ db, viewer, params: { id } }) {
    await getOperated(db, viewer, id)
    return (await findGuideText(db, id)) ?? null
  },

  async saveGuide({ db, platform, viewer, params: { id }, body: { version, ...guide } }) {
    await getOperated(db, viewer, id)
    return replaceGuide(platform, viewer, id, guide, version)
  },

  async removeGuide({ platform, viewer, params: { id }, query: { version } }) {
    await removeGuide(platform, viewer, id, version)
    return null
  },

  async saveOwners({ db, platform, viewer, params: { id }, body: { usernames, version } }) {
    await changeCatalogue(platform, async (db) => {
      await lockOperated(db, viewer, id, version)
      const accounts = await findAccounts(db, usernames)
      const fields = Object.fromEntries(
        usernames.flatMap((username, index) =>
          accounts.has(username) ? [] : [[`usernames.${index}`, 'unknown' as const]],
        ),
      )
      if (Object.keys(fields).length > 0) fail('request.invalid', { fields })
      await replaceOwners(db, id, [...accounts.values()])
    })
    return readManaged(db, id)
  },
}

export const ownedServiceHandlers: Handlers<typeof ownedServices> = {
  list: ({ db, viewer }) => listOwned(db, viewer.accountId),

  async update({ db, platform, viewer, request, params: { id }, body: { version, ...texts } }) {
    await assertOwner(db, viewer, id)
    await audited(platform, ownedServices.update, viewer, request, () =>
      replaceTexts(platform, id, texts, version),
    )
    return readManaged(db, id)
  },

  async readGuide({ db, viewer, params: { id } }) {
    await assertOwner(db, viewer, id)
    return (await findGuideText(db, id)) ?? null
  },

  async saveGuide({ db, platform, viewer, request, params: { id }, body: { version, ...guide } }) {
    await assertOwner(db, viewer, id)
    return audited(platform, ownedServices.saveGuide, viewer, request, () =>
      replaceGuide(platform, viewer, id, guide, version),
    )
  },
}

/** Hides from non-owners whether the service exists. @throws service.not_found */
async function assertOwner(db: Db, viewer: Member, id: string) {
  if (!(await isOwner(db, viewer.accountId, id))) fail('service.not_found')
}
