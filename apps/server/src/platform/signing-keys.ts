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
import type { Database, Db } from '#platform/database/db.ts'
import { announce } from '#platform/database/topics.ts'
import { StartError } from './environment.ts'
import type { Secret } from './secret.ts'

/**
 * The token's purpose, stored in its header (`typ`), so that one kind is never accepted as another: id token, ticket,
 * token for an outside system. `JWT` is for protocols that prescribe it; such tokens are never accepted back.
 */
export type TokenType = 'idt+jwt' | 'st+jwt' | 'at+jwt' | 'logout+jwt' | 'JWT'

/** ES256 signs our own tokens; RS256 is for systems that support nothing else, and for the OpenID provider. */
export type SigningAlg = 'ES256' | 'RS256'
const tables = { ES256: 'signing_key', RS256: 'openid_rsa_key' } as const
const algs = Object.keys(tables) as SigningAlg[]

/**
 * The token signing keys. The newest key of an algorithm signs; all stored ES256 keys verify, so rotation ends no
 * session.
 */
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
      /** default: ES256 */
      alg?: SigningAlg
    },
  ) => Promise<string>
  /**
   * Verifies one of our tokens and returns its claims. With `audience: null` the caller must compare it.
   * @throws jose's errors: expired, wrong signature, type, audience or issuer
   */
  verify: (
    token: string,
    options: { type: TokenType; audience: string | null; issuer?: string },
  ) => Promise<JWTPayload>
  publicPem: () => Promise<string>
  jwks: () => { keys: JWK[] }
  /** Private keys of both algorithms, newest first, for the OpenID provider, which signs by itself. */
  privateJwks: () => JWK[]
  reload: () => Promise<void>
}
type Key = {
  alg: SigningAlg
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

  /** Reads run one at a time. A call during a read waits for the next one, because it may be about a newer key. */
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
    const found = await Promise.all(algs.map((alg) => readKeys(alg)))
    keys = found.flat()
  }

  async function readKeys(alg: SigningAlg): Promise<Key[]> {
    const rows = await db
      .selectFrom(tables[alg])
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('kid')
      .execute()
    return Promise.all(
      rows.map(async (row) => {
        const privateJwk = secret.decrypt(row.sealed_private_jwk)
        if (!privateJwk) {
          throw new StartError(
            'The signing keys in the database were encrypted with another secret. Give this node the ATRIUM_SECRET (or the data folder’s `secret` file) they were encrypted with.',
          )
        }
        const publicJwk = row.public_jwk as unknown as JWK
        const about = { kid: row.kid, alg, use: 'sig' }
        return {
          alg,
          kid: row.kid,
          publicJwk: { ...publicJwk, ...about },
          privateJwk: { ...JSON.parse(privateJwk), ...about },
          verifying: (await importJWK(publicJwk, alg)) as CryptoKey,
          signing: (await importJWK(JSON.parse(privateJwk), alg)) as CryptoKey,
        }
      }),
    )
  }
  await ensureKey(db, secret)
  await reload()

  const newest = (alg: SigningAlg = 'ES256') => keys.find((key) => key.alg === alg) as Key
  const es256 = () => keys.filter(({ alg }) => alg === 'ES256')
  return {
    sign: (claims, { type, audience, subject, id, seconds, issuer: from, alg = 'ES256' }) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg, typ: type, kid: newest(alg).kid })
        .setIssuer(from ?? issuer())
        .setAudience(audience)
        .setSubject(subject)
        .setJti(id)
        .setIssuedAt()
        .setExpirationTime(`${seconds}s`)
        .sign(newest(alg).signing),
    async verify(token, { type, audience, issuer: from }) {
      const { payload } = await jwtVerify(
        token,
        async ({ kid }) => {
          const find = () => es256().find((candidate) => candidate.kid === kid)
          // The key may be new from another node, or a read may be in progress; reload at most once a second, so that a
          // forged kid cannot cause a query each time. The rest of the header is ignored: no `jku`, no embedded key.
          if (!find() && reloading) await reloading
          if (!find() && Date.now() - reloadedAt > 1000) await reload()
          const key = find()
          if (!key) throw new Error('unknown key')
          return key.verifying
        },
        {
          algorithms: ['ES256'],
          typ: type,
          ...(audience !== null && { audience }),
          issuer: from ?? issuer(),
          requiredClaims: ['sub', 'jti', 'exp'],
        },
      )
      return payload
    },
    publicPem: () => exportSPKI(newest().verifying),
    jwks: () => ({ keys: es256().map((key) => key.publicJwk) }),
    privateJwks: () => keys.map((key) => key.privateJwk),
    reload,
  }
}

/** Days for which a key signs. */
const rotateAfterDays = 90
/** Hours for which a key still verifies after a newer one exists; longer than any token's lifetime. */
const retentionHours = 24

/**
 * Creates new keys, which sign from now on, on all nodes.
 * @param drop delete the older keys, which invalidates their tokens immediately: for a leaked key
 * @returns the kid of the new ES256 key
 */
export const rotateSigningKey = (db: Database, secret: Secret, { drop = false } = {}) =>
  db.transaction().execute(async (db) => {
    const replace = async (alg: SigningAlg) => {
      const kid = await insertKey(db, secret, alg)
      if (drop) await db.deleteFrom(tables[alg]).where('kid', '<>', kid).execute()
      await announce(db, { kind: 'signing-key', key: kid })
      return kid
    }
    await replace('RS256')
    return replace('ES256')
  })

/** The daily job: rotates old keys and deletes those whose tokens have all expired. */
export async function maintainSigningKeys(db: Database, secret: Secret) {
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
    for (const table of Object.values(tables)) {
      const gone = await db
        .deleteFrom(table)
        .where(
          sql<boolean>`exists (select from ${sql.table(table)} as newer where newer.created_at > ${sql.table(table)}.created_at
            and newer.created_at < now() - make_interval(hours => ${retentionHours}))`,
        )
        .returning('kid')
        .execute()
      for (const { kid } of gone) await announce(db, { kind: 'signing-key', key: kid })
    }
  })
}

async function ensureKey(db: Database, secret: Secret) {
  await db.transaction().execute(async (db) => {
    // Two nodes starting on an empty database must create only one key.
    await sql`select pg_advisory_xact_lock(7301, 1)`.execute(db)
    for (const alg of algs) {
      const found = await db.selectFrom(tables[alg]).select('kid').limit(1).executeTakeFirst()
      if (!found) await insertKey(db, secret, alg)
    }
  })
}

async function insertKey(db: Db, secret: Secret, alg: SigningAlg) {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  const kid = crypto.randomUUID()
  await db
    .insertInto(tables[alg])
    .values({
      kid,
      public_jwk: JSON.stringify(await exportJWK(publicKey)),
      sealed_private_jwk: secret.encrypt(JSON.stringify(await exportJWK(privateKey))),
    })
    .execute()
  return kid
}
