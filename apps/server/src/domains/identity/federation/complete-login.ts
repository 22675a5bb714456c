import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { languageOf } from '#platform/http/negotiation.ts'
import { notifyBindingChange } from './notices.ts'

/**
 * Called when an external sign-in is complete, including all due steps: stores a pending binding and notifies the
 * person, or updates the last use of an existing one. Not earlier: a password alone must not bind an identity for
 * somebody with a second factor.
 */
export async function completeLogin(
  db: Db,
  request: FastifyRequest,
  { loginId, personId }: { loginId: string; personId: string },
) {
  await db.transaction().execute(async (db) => {
    const login = await db
      .selectFrom('federated_login')
      .innerJoin('identity_provider', 'identity_provider.id', 'federated_login.provider_id')
      .select([
        'federated_login.provider_id as providerId',
        'federated_login.realm',
        'federated_login.subject',
        'federated_login.display',
        'federated_login.binds',
        'identity_provider.name',
        'identity_provider.name_en as nameEn',
      ])
      .where('federated_login.id', '=', loginId)
      .executeTakeFirst()
    if (!login) return
    await db
      .updateTable('federated_identity')
      .set({ last_used_at: sql`now()` })
      .where('provider_id', '=', login.providerId)
      .where('realm', '=', login.realm)
      .where('subject', '=', login.subject)
      .where('person_id', '=', personId)
      .execute()
    if (!login.binds) return
    await db
      .updateTable('federated_login')
      .set({ binds: false })
      .where('id', '=', loginId)
      .execute()
    const bound = await db
      .insertInto('federated_identity')
      .values({
        provider_id: login.providerId,
        realm: login.realm,
        subject: login.subject,
        display: login.display,
        person_id: personId,
      })
      // Bound concurrently by somebody else; this sign-in used the person's own proof and stays valid.
      .onConflict((conflict) => conflict.columns(['provider_id', 'realm', 'subject']).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (bound)
      await notifyBindingChange(
        db,
        personId,
        'bound',
        login,
        languageOf(request.headers['accept-language']),
      )
  })
}
