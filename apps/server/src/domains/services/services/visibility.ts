import { type RawBuilder, sql } from 'kysely'
import type { AudienceState } from '#platform/audience.ts'
import { visibleTo } from '#platform/audience.ts'

/**
 * Condition that a row of `service` is usable by this viewer now: online, valid and in the audience. Every read applies
 * it.
 */
export const usableBy = (viewer: Pick<AudienceState, 'audiences'>): RawBuilder<boolean> =>
  sql<boolean>`(service.online and service.online_at <= now()
    and (service.valid_from is null or service.valid_from <= now())
    and (service.valid_until is null or service.valid_until > now())
    and ${visibleTo(viewer, 'service.audience_id')})`

/** The terminal codes for a code or a label of `X-Terminal-Info`; undefined if it is neither. */
export function terminalsOf(platformType: string | undefined): string[] | undefined {
  if (platformType && /^[12346]$/.test(platformType)) return [platformType]
  return platformType && Object.hasOwn(labels, platformType)
    ? labels[platformType as keyof typeof labels]
    : undefined
}
const labels = { app: ['2'], wechat: ['3'], h5: ['1', '4', '6'] }

/** Condition that a service can be used on one of these terminals. */
export const onTerminals = (terminals: readonly string[]): RawBuilder<boolean> =>
  sql<boolean>`(service.terminals = '{}' or service.terminals && ${terminals as string[]}::text[])`
