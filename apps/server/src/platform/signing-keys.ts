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

/** The ES256 keys id tokens are signed with. The newest signs; every key in the table verifies, so rotation signs nobody out. */
export type SigningKeys = {
  sign: (
    claims: JWTPayload,
    options: { audience: string; subject: string; id: string; seconds: number; issuer?: string },
  ) => Promise<string>
  /** The claims of a token of ours. @throws jose's errors: expired, wrong signature, audience or issuer */
  verify: (token: string, options: { audience: string; issuer?: string }) => Promise<JWTPayload>
  publicPem: () => Promise<string>
  jwks: () => { keys: JWK[] }
  reload: () => Promise<void>
}
type Key = { kid: string; publicJwk: JWK; verifying: CryptoKey; signing: CryptoKey }

export async function openSigningKeys(
  db: Database,
  secret: Secret,
  issuer: () => string,
): Promise<SigningKeys> {
  let keys: Key[] = []
  let reloadedAt = 0

  async function reload() {
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
        return {
          kid: row.kid,
          publicJwk: { ...publicJwk, kid: row.kid, alg: 'ES256', use: 'sig' },
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
    sign: (claims, { audience, subject, id, seconds, issuer: from }) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid: newest().kid })
        .setIssuer(from ?? issuer())
        .setAudience(audience)
        .setSubject(subject)
        .setJti(id)
        .setIssuedAt()
        .setExpirationTime(`${seconds}s`)
        .sign(newest().signing),
    async verify(token, { audience, issuer: from }) {
      const { payload } = await jwtVerify(
        token,
        async ({ kid }) => {
          // Another node may have made a key we have not heard of; a forged kid must not make us ask every time.
          if (!keys.some((key) => key.kid === kid) && Date.now() - reloadedAt > 5000) await reload()
          const key = keys.find((candidate) => candidate.kid === kid)
          if (!key) throw new Error('unknown key')
          return key.verifying
        },
        {
          algorithms: ['ES256'],
          audience,
          issuer: from ?? issuer(),
          requiredClaims: ['sub', 'jti', 'exp'],
        },
      )
      return payload
    },
    publicPem: () => exportSPKI(newest().verifying),
    jwks: () => ({ keys: keys.map((key) => key.publicJwk) }),
    reload,
  }
}

/** Makes a new key that signs from now on. */
export const rotateSigningKey = (db: Database, secret: Secret) =>
  db
    .transaction()
    .execute(async (db) => announce(db, { kind: 'signing-key', key: await insertKey(db, secret) }))

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
