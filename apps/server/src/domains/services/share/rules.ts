import { namelessSharer, shareDays } from '@atrium/contract/services/share'
import type { Secret } from '#platform/secret.ts'

/**
 * What a shared address says, for anybody to read: never more than which item, who shares it where they want that, and until
 * when. Title and text come from the item itself when it is opened, so nothing of a hidden one leaves with its address.
 */
export type Shared = {
  kind: 'service' | 'news'
  id: string
  sharerName: string
  inviter: string
  direct: boolean
  expiresAt: Date
}

const purpose = 'share'

/** @param sharer whose name goes along, when the member wants it */
export function shareOf(
  secret: Secret,
  item: Pick<Shared, 'kind' | 'id' | 'direct'>,
  sharer: { accountId: string; name: string } | null,
  now: Date,
): Shared {
  return {
    ...item,
    sharerName: sharer?.name.trim() || namelessSharer,
    inviter: sharer ? secret.sign('share inviter', sharer.accountId).slice(0, 16) : '',
    // Whole days from midnight on: whoever shares the same thing twice a day makes the same address.
    expiresAt: new Date((Math.floor(now.getTime() / day) + shareDays + 1) * day),
  }
}
const day = 24 * 3600_000

/** `payload.signature`, both in base64url. */
export function writeShare(secret: Secret, { expiresAt, ...share }: Shared): string {
  const fields = { ...share, expiresAt: expiresAt.toISOString() }
  const payload = Buffer.from(JSON.stringify(fields)).toString('base64url')
  return `${payload}.${secret.sign(purpose, payload)}`
}

/** @returns why not: it is not ours, or its time is over */
export function readShare(
  secret: Secret,
  kind: Shared['kind'],
  text: string,
  now: Date,
): Shared | 'invalid' | 'expired' {
  const [payload = '', signature = '', ...more] = text.split('.')
  if (more.length > 0 || !secret.verify(purpose, payload, signature)) return 'invalid'
  // Signed by us: it is what we wrote.
  const fields = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const share: Shared = { ...fields, expiresAt: new Date(fields.expiresAt) }
  if (share.kind !== kind) return 'invalid'
  return share.expiresAt > now ? share : 'expired'
}
