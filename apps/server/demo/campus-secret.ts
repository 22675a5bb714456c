import { createHash } from 'node:crypto'

/** The secret for signing the portal's calls to the demo's systems (Standard Webhooks), known to both sides. */
export const webhookSecret = (secret: string) =>
  `whsec_${createHash('sha256').update(`campus webhook ${secret}`).digest('base64')}`
