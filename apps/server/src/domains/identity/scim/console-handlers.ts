import type { scimClients } from '@atrium/contract/identity/scim'
import { assertMayActOn } from '#domains/identity/members/operated-person.ts'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Handlers } from '#platform/http/serve.ts'
import {
  clientPersons,
  createToken,
  deleteClient,
  insertClient,
  listClients,
  revokeToken,
  type ScimClient,
  settingsIssues,
  updateClient,
} from './clients.ts'

export const scimClientHandlers: Handlers<typeof scimClients> = {
  list: ({ db }) => listClients(db),

  create: async ({ db, body }) => {
    await checkSettings(db, body)
    return getClient(db, (await insertClient(db, body)).id)
  },

  update: async ({ db, viewer, params: { id }, body }) => {
    await checkSettings(db, body)
    await assertMayManage(db, viewer, id)
    if (!(await updateClient(db, id, body))) fail('scim.client_not_found')
    return getClient(db, id)
  },

  remove: async ({ db, viewer, params: { id } }) => {
    await assertMayManage(db, viewer, id)
    return (await deleteClient(db, id)) ? null : fail('scim.client_not_found')
  },

  makeToken: async ({ db, viewer, params: { id } }) => {
    await assertMayManage(db, viewer, id)
    return { token: (await createToken(db, id)) ?? fail('scim.client_not_found') }
  },

  revokeToken: async ({ db, params: { id } }) =>
    (await revokeToken(db, id)) ? null : fail('scim.client_not_found'),
}

const getClient = async (db: Db, id: string) =>
  (await listClients(db, id))[0] ?? fail('scim.client_not_found')

async function checkSettings(db: Db, { settings }: Omit<ScimClient, 'id'>) {
  const fields = await settingsIssues(db, settings)
  if (Object.keys(fields).length > 0) fail('request.invalid', { fields })
}

/** The token's holder can change contacts of the client's accounts, so nobody may gain permissions by it. */
const assertMayManage = (db: Db, viewer: Member, id: string) =>
  assertMayActOn(db, viewer, clientPersons(id))
