import type { identityProviders } from '@atrium/contract/federation'
import type { Db } from '#platform/db.ts'
import { type FaultKind, fail } from '#platform/errors.ts'
import type { Platform } from '#platform/platform.ts'
import type { Handlers } from '#platform/serve.ts'
import { callbackOf } from './openid.ts'
import { addProvider, changeProvider, removeProvider } from './providers.ts'
import { countIdentities, findProvider, listProviders, type Provider } from './queries.ts'
import { tryProvider } from './try-provider.ts'

export const identityProviderHandlers: Handlers<typeof identityProviders> = {
  async list({ db, platform }) {
    const counts = await countIdentities(db)
    return (await listProviders(db)).map((provider) => toAnswer(platform, provider, counts))
  },

  create: ({ platform, body }) =>
    write(platform, async (db) => idOf(await addProvider({ db, secret: platform.secret }, body))),

  update: ({ platform, params: { id }, body }) =>
    write(platform, async (db) => {
      const before = (await findProvider(db, id)) ?? fail('federation.provider_not_found')
      return idOf(await changeProvider({ db, secret: platform.secret }, before, body))
    }),

  async remove({ platform, params: { id } }) {
    await platform.db.transaction().execute(async (db) => {
      if (!(await removeProvider(db, id))) fail('federation.provider_not_found')
    })
    await platform.topics.settled()
    return null
  },

  async test({ db, platform, params: { id } }) {
    return tryProvider(
      platform,
      (await findProvider(db, id)) ?? fail('federation.provider_not_found'),
    )
  },
}

function idOf(outcome: { id: string } | { fields: Record<string, FaultKind> } | { taken: true }) {
  if ('taken' in outcome) return fail('federation.provider_taken')
  return 'fields' in outcome ? fail('request.invalid', { fields: outcome.fields }) : outcome.id
}

/** Writes, and answers the provider as it is now; every node has heard of it then. */
async function write(platform: Platform, work: (db: Db) => Promise<string>) {
  const provider = await platform.db
    .transaction()
    .execute(async (db) => findProvider(db, await work(db)))
  await platform.topics.settled()
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
  callback: callbackOf(platform, provider),
  identities: counts.get(provider.id) ?? 0,
})
