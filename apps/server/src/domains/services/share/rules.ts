import { namelessSharer, shareDays } from '@atrium/contract/services/share'
import type { Secret } from '#platform/secret.ts'

/**
 * Content of a shared address, readable by anybody: only the item, optionally the sharer, and the expiry. Title and
 * text are read from the item when it is opened, so the address reveals nothing of a hidden one.
 */
export type SharePayload = {
  kind: 'service' | 'news'
  id: string
  sharerName: string
  sharerNameEn: string
  inviter: string
  direct: boolean
  expiresAt: Date
}

const purpose = 'share'

/** @param sharer included only if the member wants it */
export function createShare(
  secret: Secret,
  item: Pick<SharePayload, 'kind' | 'id' | 'direct'>,
  sharer: { accountId: string; name: string; nameEn: string } | null,
  now: Date,
): SharePayload {
  const name = sharer?.name.trim()
  return {
    ...item,
    sharerName: name || namelessSharer,
    sharerNameEn: (name && sharer?.nameEn.trim()) || '',
    inviter: sharer ? secret.sign('share inviter', sharer.accountId).slice(0, 16) : '',
    // Rounded to days, so that sharing the same item twice a day gives the same address.
    expiresAt: new Date((Math.floor(now.getTime() / day) + shareDays + 1) * day),
  }
}
const day = 24 * 3600_000

/** Serialises as `payload.signature`, both in base64url. */
export function writeShare(secret: Secret, { expiresAt, ...share }: SharePayload): string {
  const fields = { ...share, expiresAt: expiresAt.toISOString() }
  const payload = Buffer.from(JSON.stringify(fields)).toString('base64url')
  return `${payload}.${secret.sign(purpose, payload)}`
}

/** @returns the share, or why it is rejected: not signed by us, or expired */
export function readShare(
  secret: Secret,
  kind: SharePayload['kind'],
  text: string,
  now: Date,
): SharePayload | 'invalid' | 'expired' {
  const [payload = '', signature = '', ...more] = text.split('.')
  if (more.length > 0 || !secret.verify(purpose, payload, signature)) return 'invalid'
  // Signed by us, so the content is trusted.
  const fields = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const share: SharePayload = {
    // Addresses signed by older versions have none.
    sharerNameEn: '',
    ...fields,
    expiresAt: new Date(fields.expiresAt),
  }
  if (share.kind !== kind) return 'invalid'
  return share.expiresAt > now ? share : 'expired'
}
