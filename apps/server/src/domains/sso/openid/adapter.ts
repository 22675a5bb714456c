import { sql } from 'kysely'
import type { Adapter, AdapterPayload, errors } from 'oidc-provider'
import { hashSecret } from '#domains/identity/identity/queries.ts'
import { findParty } from '#domains/sso/registry/parties.ts'
import type { Db } from '#platform/database/db.ts'
import { isSessionActive } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'
import { clientOf } from './clients.ts'

/** Storage of the OpenID provider, by model. Clients come from the registry, everything else from one table. */
export const adapterOf =
  (platform: Platform, refusals: typeof errors) =>
  (model: string): Adapter =>
    model === 'Client' ? new Clients(platform) : new Entries(platform.db, model, refusals)

/** Null if the uid is not one of ours. As uuid, because the primary key does not help to compare text. */
const sessionIdOfEntry = sql`
  case when openid_entry.uid ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then openid_entry.uid::uuid end`

class Entries implements Adapter {
  readonly #db: Db
  readonly #model: string
  readonly #refusals: typeof errors

  constructor(db: Db, model: string, refusals: typeof errors) {
    this.#db = db
    this.#model = model
    this.#refusals = refusals
  }

  async upsert(id: string, { jti: _, ...payload }: AdapterPayload, seconds: number) {
    const text = JSON.stringify(payload)
    // PostgreSQL cannot store NUL, and no legitimate client sends it.
    if (text.includes('\\u0000')) throw new this.#refusals.InvalidRequest('a value holds NUL')
    const values = {
      payload: text,
      account_id: payload.accountId ?? null,
      grant_id: payload.grantId ?? null,
      uid: payload.uid ?? null,
      expires_at: sql<string>`now() + make_interval(secs => ${seconds})`,
    }
    await this.#db
      .insertInto('openid_entry')
      .values({ model: this.#model, key_hash: hashSecret(id), ...values })
      .onConflict((conflict) => conflict.columns(['model', 'key_hash']).doUpdateSet(values))
      .execute()
  }

  async find(id: string) {
    const found = await this.#select().where('key_hash', '=', hashSecret(id)).executeTakeFirst()
    return found && { ...this.#payload(found), jti: id }
  }

  async findByUid(uid: string) {
    const found = await this.#select().where('uid', '=', uid).executeTakeFirst()
    return found && this.#payload(found)
  }

  /** The device flow is not supported. */
  findByUserCode = async () => undefined

  /** Of concurrent calls only one succeeds. */
  async consume(id: string) {
    const first = await this.#db
      .updateTable('openid_entry')
      .set({ consumed_at: sql<string>`now()` })
      .where('model', '=', this.#model)
      .where('key_hash', '=', hashSecret(id))
      .where('consumed_at', 'is', null)
      .returning('key_hash')
      .executeTakeFirst()
    if (!first) throw new this.#refusals.InvalidGrant(`${this.#model} already consumed`)
  }

  async destroy(id: string) {
    await this.#db
      .deleteFrom('openid_entry')
      .where('model', '=', this.#model)
      .where('key_hash', '=', hashSecret(id))
      .execute()
  }

  async revokeByGrantId(grantId: string) {
    await this.#db
      .deleteFrom('openid_entry')
      .where('model', '=', this.#model)
      .where('grant_id', '=', grantId)
      .execute()
  }

  #select() {
    return (
      this.#db
        .selectFrom('openid_entry')
        .select(['payload', 'consumed_at'])
        .where('model', '=', this.#model)
        .where('expires_at', '>', sql<string>`now()`)
        // The provider's session has our session's id as its uid and ends with it. An anonymous one carries a visitor
        // through a logout started by a service.
        .$if(this.#model === 'Session', (query) =>
          query.where((has) =>
            has.or([
              has('account_id', 'is', null),
              has.exists(
                has
                  .selectFrom('session')
                  .select('session.id')
                  .where(sql<boolean>`session.id = ${sessionIdOfEntry}`)
                  .where(isSessionActive),
              ),
            ]),
          ),
        )
    )
  }

  #payload({ payload, consumed_at }: { payload: unknown; consumed_at: string | null }) {
    return {
      ...(payload as AdapterPayload),
      ...(consumed_at && { consumed: Math.floor(Date.parse(consumed_at) / 1000) }),
    }
  }
}

class Clients implements Adapter {
  readonly #platform: Platform

  constructor(platform: Platform) {
    this.#platform = platform
  }

  async find(code: string) {
    const party = await findParty(this.#platform, code)
    return party && clientOf(party)
  }

  upsert = refused
  findByUid = async () => undefined
  findByUserCode = async () => undefined
  consume = refused
  destroy = refused
  revokeByGrantId = refused
}

async function refused(): Promise<never> {
  throw new Error('Systems are registered by operators')
}

/** Deletes expired entries. */
export const deleteExpiredEntries = async (db: Db) =>
  void (await db.deleteFrom('openid_entry').where('expires_at', '<', sql<string>`now()`).execute())
