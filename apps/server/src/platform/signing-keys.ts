import {
  exportJWK,
  exportSPKI,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from 'jose'
import { sql } from 'kysely'
import type { Database, Db } from './db.ts'
import { StartError } from './environment.ts'
import type { Secret } from './secret.ts'
import { announce } from './topics.ts'

/** What a token is for stands in its header, so that one kind is never taken for another: id token, ticket, token for an outside system. */
export type TokenType = 'idt+jwt' | 'st+jwt' | 'at+jwt' | 'logout+jwt'

/** The ES256 keys id tokens are signed with. The newest signs; every key in the table verifies, so rotation signs nobody out. */
export type SigningKeys = {
  sign: (
    claims: JWTPayload,
    options: {
      type: TokenType
      audience: string
      subject: string
      id: string
      seconds: number
      issuer?: string
    },
  ) => Promise<string>
  /** The claims of a token of ours. @throws jose's errors: expired, wrong signature, type, audience or issuer */
  verify: (
    token: string,
    options: { type: TokenType; audience: string; issuer?: string },
  ) => Promise<JWTPayload>
  publicPem: () => Promise<string>
  jwks: () => { keys: JWK[] }
  /** For the OpenID provider, which signs by itself; the newest first. */
  privateJwks: () => JWK[]
  reload: () => Promise<void>
}
type Key = {
  kid: string
  publicJwk: JWK
  privateJwk: JWK
  verifying: CryptoKey
  signing: CryptoKey
}

export async function openSigningKeys(
  db: Database,
  secret: Secret,
  issuer: () => string,
): Promise<SigningKeys> {
  let keys: Key[] = []
  let reloadedAt = 0
  let reloading: Promise<void> | undefined

  /** One reading at a time; whoever asks while it is under way may have heard of a later key and waits for the next one. */
  async function reload() {
    const before = reloading
    const mine = (before ?? Promise.resolve()).catch(() => {}).then(read)
    reloading = mine
    await mine.finally(() => {
      if (reloading === mine) reloading = undefined
    })
  }

  async function read() {
    reloadedAt = Date.now()
    const rows = await db
      .selectFrom('signing_key')
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('kid')
      .execute()
    keys = await Promise.all(
      rows.map(async (row) => {
        const privateJwk = secret.open(row.sealed_private_jwk)
        if (!privateJwk) {
          throw new StartError(
            'The signing keys in the database were sealed with another secret. Give this node the ATRIUM_SECRET (or the data folder’s `secret` file) they were made with.',
          )
        }
        const publicJwk = row.public_jwk as unknown as JWK
        const about = { kid: row.kid, alg: 'ES256', use: 'sig' }
        return {
          kid: row.kid,
          publicJwk: { ...publicJwk, ...about },
          privateJwk: { ...JSON.parse(privateJwk), ...about },
          verifying: (await importJWK(publicJwk, 'ES256')) as CryptoKey,
          signing: (await importJWK(JSON.parse(privateJwk), 'ES256')) as CryptoKey,
        }
      }),
    )
  }
  await ensureKey(db, secret)
  await reload()

  const newest = () => keys[0] as Key
  return {
    sign: (claims, { type, audience, subject, id, seconds, issuer: from }) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', typ: type, kid: newest().kid })
        .setIssuer(from ?? issuer())
        .setAudience(audience)
        .setSubject(subject)
        .setJti(id)
        .setIssuedAt()
        .setExpirationTime(`${seconds}s`)
        .sign(newest().signing),
    async verify(token, { type, audience, issuer: from }) {
      const { payload } = await jwtVerify(
        token,
        async ({ kid }) => {
          const find = () => keys.find((candidate) => candidate.kid === kid)
          // Another node may have made a key we are just reading, or have not heard of; a forged kid must not make us ask
          // every time. Nothing else of the header is looked at: no address, no key it brings along.
          if (!find() && reloading) await reloading
          if (!find() && Date.now() - reloadedAt > 1000) await reload()
          const key = find()
          if (!key) throw new Error('unknown key')
          return key.verifying
        },
        {
          algorithms: ['ES256'],
          typ: type,
          audience,
          issuer: from ?? issuer(),
          requiredClaims: ['sub', 'jti', 'exp'],
        },
      )
      return payload
    },
    publicPem: () => exportSPKI(newest().verifying),
    jwks: () => ({ keys: keys.map((key) => key.publicJwk) }),
    privateJwks: () => keys.map((key) => key.privateJwk),
    reload,
  }
}

/** Days for which one key signs. */
const rotateAfterDays = 90
/** Hours for which a key verifies after a newer one has come: far more than any token lives. */
const keptHours = 24

/**
 * Makes a new key that signs from now on, here and on every other node.
 * @param drop tokens of the older keys are worth nothing at once: for a key that somebody else may have
 */
export const rotateSigningKey = (db: Database, secret: Secret, { drop = false } = {}) =>
  db.transaction().execute(async (db) => {
    const kid = await insertKey(db, secret)
    if (drop) await db.deleteFrom('signing_key').where('kid', '<>', kid).execute()
    await announce(db, { kind: 'signing-key', key: kid })
    return kid
  })

/** What the daily job does: a new key where the newest is old, and away with those whose tokens have all run out. */
export async function tendSigningKeys(db: Database, secret: Secret) {
  const { old } = await db
    .selectFrom('signing_key')
    .select(
      sql<boolean>`coalesce(max(created_at) < now() - make_interval(days => ${rotateAfterDays}), true)`.as(
        'old',
      ),
    )
    .executeTakeFirstOrThrow()
  if (old) await rotateSigningKey(db, secret)
  await db.transaction().execute(async (db) => {
    const gone = await db
      .deleteFrom('signing_key')
      .where(
        sql<boolean>`exists (select from signing_key as newer where newer.created_at > signing_key.created_at
          and newer.created_at < now() - make_interval(hours => ${keptHours}))`,
      )
      .returning('kid')
      .execute()
    for (const { kid } of gone) await announce(db, { kind: 'signing-key', key: kid })
  })
}

async function ensureKey(db: Database, secret: Secret) {
  await db.transaction().execute(async (db) => {
    // Two nodes that start on an empty database agree on one key.
    await sql`select pg_advisory_xact_lock(7301, 1)`.execute(db)
    const found = await db.selectFrom('signing_key').select('kid').limit(1).executeTakeFirst()
    if (!found) await insertKey(db, secret)
  })
}

async function insertKey(db: Db, secret: Secret) {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const kid = crypto.randomUUID()
  await db
    .insertInto('signing_key')
    .values({
      kid,
      public_jwk: JSON.stringify(await exportJWK(publicKey)),
      sealed_private_jwk: secret.seal(JSON.stringify(await exportJWK(privateKey))),
    })
    .execute()
  return kid
}
