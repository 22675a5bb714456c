import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import webPush from 'web-push'
import { cachedRead, defineState } from '#platform/area-state.ts'
import type { Db } from '#platform/database/db.ts'
import type { ChannelMessage } from '#platform/delivery/outbox.ts'
import { Undeliverable } from '#platform/delivery/permanent-delivery-error.ts'
import { fetchExternal } from '#platform/outbound/outbound.ts'
import type { Platform } from '#platform/platform.ts'

const timeoutSeconds = 10
/** How long push services keep a notification for an offline device. */
const ttlSeconds = 86_400

export type PushKeys = { publicKey: string; privateKey: string }

/** The VAPID keys, generated on first use. */
export const pushKeys = cachedRead<PushKeys>([], async ({ db, secret }) => {
  const find = () =>
    db.selectFrom('push_key').select(['public_key', 'sealed_private_key']).executeTakeFirst()
  let row = await find()
  if (!row) {
    const generated = webPush.generateVAPIDKeys()
    await db
      .insertInto('push_key')
      .values({
        public_key: generated.publicKey,
        sealed_private_key: secret.encrypt(generated.privateKey),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    row = await find()
  }
  const privateKey = row && secret.decrypt(row.sealed_private_key)
  if (!row || !privateKey) throw new Error('the push key was sealed with another secret')
  return { publicKey: row.public_key, privateKey }
})

/** Sends by Web Push: encrypted for the browser (RFC 8291), signed for its push service (RFC 8292). */
export function createPushSender(platform: Platform) {
  const { db, env } = platform
  return async ({ to, payload }: ChannelMessage) => {
    const subscription = await db
      .selectFrom('push_subscription')
      .select(['endpoint', 'p256dh', 'auth'])
      .where('id', '=', to)
      .where(isSignedIn)
      .executeTakeFirst()
    if (!subscription) throw new Undeliverable('The device no longer accepts notifications.')
    const { endpoint, p256dh, auth } = subscription
    const { headers, body } = webPush.generateRequestDetails(
      { endpoint, keys: { p256dh, auth } },
      payload,
      { TTL: ttlSeconds, contentEncoding: 'aes128gcm' },
    )
    const { status } = await fetchExternal(endpoint, {
      allow: env.ATRIUM_OUTBOUND_ALLOW,
      method: 'POST',
      headers: {
        ...Object.fromEntries(
          Object.entries(headers as Record<string, string | number>).map(([name, value]) => [
            name,
            String(value),
          ]),
        ),
        authorization: await authorizationFor(platform, new URL(endpoint).origin),
      },
      ...(body && { body }),
      headersOnly: true,
      seconds: timeoutSeconds,
      redirects: 0,
    })
    if (status === 404 || status === 410) {
      await deleteSubscription(db, endpoint)
      throw new Undeliverable('The device no longer accepts notifications.')
    }
    if (status === 400 || status === 413)
      throw new Undeliverable(`The push service refused the notification (status ${status}).`)
    if (status < 200 || status > 299)
      throw new Error(`The push service answered with status ${status}.`)
  }
}

/** Signing takes longer than the rest of a notification, so a signature is reused per push service for an hour. */
const signaturesOf = defineState(() => new LRUCache<string, string>({ max: 200, ttl: 3_600_000 }))

async function authorizationFor(platform: Platform, origin: string): Promise<string> {
  const signatures = signaturesOf(platform)
  const cached = signatures.get(origin)
  if (cached) return cached
  const { publicKey, privateKey } = await pushKeys(platform)
  const { Authorization } = webPush.getVapidHeaders(
    origin,
    subjectOf(platform),
    publicKey,
    privateKey,
    'aes128gcm',
  )
  signatures.set(origin, Authorization)
  return Authorization
}

/** Contact for push services; must be an https address. */
const subjectOf = ({ origin }: Platform) =>
  origin().startsWith('https://') ? origin() : 'https://atrium.invalid'

export const deleteSubscription = (db: Db, endpoint: string) =>
  db.deleteFrom('push_subscription').where('endpoint', '=', endpoint).execute()

export type Subscription = { endpoint: string; keys: { p256dh: string; auth: string } }

/** SQL condition: the subscription's session is still valid. A signed-out browser gets no notifications. */
export const isSignedIn = sql<boolean>`exists (
  select from session where session.id = push_subscription.session_id
    and session.revoked_at is null and session.expires_at > now())`

/** A browser has one subscription; it belongs to whoever signed in there last. */
export const saveSubscription = (
  db: Db,
  { accountId, sessionId }: { accountId: string; sessionId: string },
  { endpoint, keys }: Subscription,
) =>
  db
    .insertInto('push_subscription')
    .values({ account_id: accountId, session_id: sessionId, endpoint, ...keys })
    .onConflict((conflict) =>
      conflict.column('endpoint').doUpdateSet({
        account_id: accountId,
        session_id: sessionId,
        ...keys,
        created_at: sql`now()`,
      }),
    )
    .execute()
