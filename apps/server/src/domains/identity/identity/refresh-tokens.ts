import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { isSessionActive } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'
import type { Secret } from '#platform/secret.ts'
import { hashSecret, revokeSignIn } from './queries.ts'

/** Two tabs may present the same token: a rotated token is still accepted for this many seconds. */
const overlapSeconds = 10

/**
 * Issues a refresh token. It names its session and is signed: a token missing from the table is an old one of ours, and
 * a forged one cannot end somebody else's session. The database stores only its hash.
 */
export async function insertRefreshToken(db: Db, secret: Secret, sessionId: string) {
  const token = `${sessionId}.${randomBytes(32).toString('base64url')}`
  await db
    .insertInto('refresh_token')
    .values({ key_hash: hashSecret(token), session_id: sessionId })
    .execute()
  return `${token}.${secret.sign('refresh', token)}`
}

/** Result of a refresh: the session continues with a new token. */
export type Renewal = { sessionId: string; accountId: string; token: string; secondsLeft: number }

/**
 * Exchanges a refresh token for the next one. Reuse of an old token means that it was stolen or leaked: all sessions of
 * the sign-in end. Of two concurrent requests the second waits for the first.
 */
export async function rotateRefreshToken(
  platform: Platform,
  signedToken: string,
  address: string,
): Promise<Renewal | undefined> {
  const token = readToken(platform.secret, signedToken)
  if (!token) return undefined
  const ended: string[] = []
  const renewal = await platform.db.transaction().execute(async (db) => {
    const session = await db
      .selectFrom('session')
      .innerJoin('account', 'account.id', 'session.account_id')
      .select([
        'session.id as sessionId',
        'session.account_id as accountId',
        sql<number>`extract(epoch from session.expires_at - now())::integer`.as('secondsLeft'),
      ])
      .where('session.id', '=', token.sessionId)
      .where('session.kind', '=', 'portal')
      .where(isSessionActive)
      .where('account.status', '=', 'active')
      .forUpdate('session')
      .executeTakeFirst()
    if (!session) return undefined
    const row = await db
      .updateTable('refresh_token')
      .set({ rotated_at: sql`coalesce(rotated_at, now())` })
      .where('key_hash', '=', hashSecret(token.text))
      .where('session_id', '=', session.sessionId)
      .returning(
        sql<boolean>`rotated_at > now() - make_interval(secs => ${overlapSeconds})`.as('fresh'),
      )
      .executeTakeFirst()
    if (!row?.fresh) {
      ended.push(...(await revokeSignIn(db, session.sessionId, 'reuse')))
      return undefined
    }
    await db
      .updateTable('session')
      .set({ last_seen_at: sql`now()`, address })
      .where('id', '=', session.sessionId)
      .execute()
    return { ...session, token: await insertRefreshToken(db, platform.secret, session.sessionId) }
  })
  for (const sessionId of ended) platform.guard.forgetSession(sessionId)
  return renewal
}

/** The session named by a validly signed token, even a used one. */
export const sessionOfToken = (secret: Secret, signedToken: string) =>
  readToken(secret, signedToken)?.sessionId

/** The session id and the hashed part, if the signature is valid. */
function readToken(secret: Secret, signedToken: string) {
  const parts = /^(([0-9a-f-]{36})\.[\w-]{43})\.([\w-]{32})$/.exec(signedToken)
  const [, text = '', sessionId = '', signature = ''] = parts ?? []
  return parts && secret.verify('refresh', text, signature) ? { text, sessionId } : undefined
}
