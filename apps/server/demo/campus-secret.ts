import { createHash } from 'node:crypto'

/** What the portal's calls to the demo's systems are signed with, by Standard Webhooks; both sides know the secret. */
export const webhookSecret = (secret: string) =>
  `whsec_${createHash('sha256').update(`campus webhook ${secret}`).digest('base64')}`
