import { permissions } from '@atrium/contract/define'
import type { identityProviders } from '@atrium/contract/identity/federation'
import { callbackUrl } from '#domains/identity/federation/openid.ts'
import {
  countIdentities,
  findProvider,
  listProviders,
  type Provider,
  providerPersons,
} from '#domains/identity/federation/queries.ts'
import { assertMayActOn } from '#domains/identity/members/operated-person.ts'
import type { Db } from '#platform/database/db.ts'
import { fail, type IssueKind } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { hasAll } from '#platform/permissions.ts'
import type { Platform } from '#platform/platform.ts'
import { addProvider, changeProvider, removeProvider } from './providers.ts'
import { tryProvider } from './try-provider.ts'

export const identityProviderHandlers: Handlers<typeof identityProviders> = {
  async list({ db, platform }) {
    const counts = await countIdentities(db)
    return (await listProviders(db)).map((provider) => toAnswer(platform, provider, counts))
  },

  create: ({ platform, viewer, body }) => {
    assertMayTrust(viewer, body)
    return write(platform, async (db) =>
      idOf(await addProvider({ db, secret: platform.secret }, body)),
    )
  },

  update: ({ platform, viewer, params: { id }, body }) =>
    write(platform, async (db) => {
      const before = (await findProvider(db, id)) ?? fail('federation.provider_not_found')
      assertMayTrust(viewer, before)
      assertMayTrust(viewer, body)
      // A changed provider could impersonate its users.
      await assertMayActOn(db, viewer, providerPersons(before.id))
      return idOf(await changeProvider({ db, secret: platform.secret }, before, body))
    }),

  async remove({ platform, viewer, params: { id } }) {
    await platform.db.transaction().execute(async (db) => {
      await assertMayActOn(db, viewer, providerPersons(id))
      if (!(await removeProvider(db, id))) fail('federation.provider_not_found')
    })
    return null
  },

  async test({ db, platform, params: { id } }) {
    return tryProvider(
      platform,
      (await findProvider(db, id)) ?? fail('federation.provider_not_found'),
    )
  },
}

/**
 * A provider with `matchUsername` can sign in as any account, so only an operator with all permissions may configure
 * it.
 */
function assertMayTrust(viewer: Member, { settings }: Pick<Provider, 'settings'>) {
  if (settings.matchUsername && !hasAll(viewer, permissions, null)) fail('operator.beyond_own')
}

function idOf(outcome: { id: string } | { fields: Record<string, IssueKind> } | { taken: true }) {
  if ('taken' in outcome) return fail('federation.provider_taken')
  return 'fields' in outcome ? fail('request.invalid', { fields: outcome.fields }) : outcome.id
}

/** Writes and returns the provider's current state, after all nodes were notified. */
async function write(platform: Platform, work: (db: Db) => Promise<string>) {
  const provider = await platform.db
    .transaction()
    .execute(async (db) => findProvider(db, await work(db)))
  await platform.topics.flushed()
  return toAnswer(
    platform,
    provider ?? fail('federation.provider_not_found'),
    await countIdentities(platform.db),
  )
}

const toAnswer = (
  platform: Platform,
  { sealedSecret, ...provider }: Provider,
  counts: Map<string, number>,
) => ({
  ...provider,
  secretSet: sealedSecret !== null,
  callback: callbackUrl(platform, provider),
  identities: counts.get(provider.id) ?? 0,
})
