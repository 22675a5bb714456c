import { randomUUID } from 'node:crypto'
import type { PersonalKind } from '@atrium/contract/member/personal-source'
import { parseJson } from '#domains/work/task-integration/connector-request.ts'
import { expandPointers } from '#domains/work/task-integration/pointer.ts'
import { fail } from '#platform/http/errors.ts'
import { callWebhook } from '#platform/outbound/webhook.ts'
import type { Platform } from '#platform/platform.ts'
import {
  getMemberIdentifiers,
  readPersonal,
  readStoredCards,
  withCircuitBreaker,
} from './read-personal.ts'
import { SourceError } from './source-request.ts'

/**
 * Sends a member's action to a system, signed according to Standard Webhooks, and reads their data again.
 * @throws personal.source_cannot, personal.source_refused, personal.source_down
 */
export async function performAction(
  platform: Platform,
  accountId: string,
  kind: PersonalKind,
  action: 'freeze' | 'unfreeze' | 'renew',
  parameters: Record<string, string> = {},
) {
  const { source } = (await readStoredCards(platform, accountId, [kind]))[kind]
  const webhook = source?.connector.http?.actions?.[action]
  if (!source || !webhook) return fail('personal.source_cannot')
  const { username, number } = await getMemberIdentifiers(platform.db, accountId)
  const id = randomUUID()
  const body = JSON.stringify({
    action,
    number,
    username,
    at: new Date().toISOString(),
    ...parameters,
  })
  const accepted = await withCircuitBreaker(platform, source, async (secret) => {
    const { status, bytes } = await callWebhook(
      expandPointers(webhook.address, { username, number, ...parameters }, encodeURIComponent),
      { id, body, key: secret, allow: platform.env.ATRIUM_OUTBOUND_ALLOW, maxBytes: 100_000 },
    )
    if (status >= 500) throw new SourceError(`${action}: the system answered with status ${status}`)
    const { ok } = (parseJson(bytes) ?? {}) as { ok?: unknown }
    return status >= 200 && status < 300 && ok !== false
  })
  if (accepted === undefined) fail('personal.source_down', { retryAfter: 10 })
  if (!accepted) fail('personal.source_refused')
  return readPersonal(platform, accountId, kind, { forceRefresh: true })
}
